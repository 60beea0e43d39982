test_that("a table that comes in many pieces equals one read at once", {
    values <- with_random_state(4, matrix(stats::rpois(500 * 9, 0.4), 500))
    dimnames(values) <- list(paste0("g", 1:500), paste0("c", 1:9))
    columns <- list(sep = ",", cells = "columns", drop_last = FALSE)
    file <- written(delimited(values, ","))
    whole <- read_delimited_counts(file, columns, 1e6)
    expect_equal(as.matrix(whole), values)
    for (entries in c(1, 70, 4999)) {
        expect_identical(read_delimited_counts(file, columns, 1e6, piece_entries = entries), whole)
    }
    turned <- written(delimited(t(values), ","))
    rows <- list(sep = ",", cells = "rows", drop_last = FALSE)
    expect_identical(read_delimited_counts(turned, rows, 1e6, piece_entries = 1100), whole)
})

test_that("errors name the line of the file, also in later pieces and after blank lines", {
    lines <- c(",a,b", "g1,1,2", "", "g2,1,2", "g3,1,2", "g4,1,oops", "g5,1,2")
    layout <- list(sep = ",", cells = "columns", drop_last = FALSE)
    for (entries in c(1, 6, 1e6)) {
        expect_error(read_delimited_counts(written(lines), layout, 1e6, piece_entries = entries),
                     "line 6, column \"b\" .* not \"oops\"", class = "pnmf_error")
    }
    ragged <- append(lines, "g9,1", 4)
    expect_error(read_delimited_counts(written(ragged), layout, 1e6, piece_entries = 1), "line 5 .* 3 fields .* not 2",
                 class = "pnmf_error")
})

test_that("the limit also holds when it is passed in a later piece", {
    values <- small_counts(c("a", "b"), paste0("g", 1:40))
    layout <- list(sep = ",", cells = "columns", drop_last = FALSE)
    expect_error(read_delimited_counts(written(delimited(values, ",")), layout, 79, piece_entries = 9),
                 "holds more than 79 entries", class = "pnmf_error")
})

test_that("a compressed file that ends too early is an error, not a smaller table", {
    whole <- written(delimited(small_counts(paste0("c", 1:300), paste0("g", 1:50)), ","), "counts.csv.gz")
    bytes <- readBin(whole, "raw", file.size(whole))
    cut_short <- written(character(0), "cut.csv.gz")
    writeBin(bytes[seq_len(length(bytes) %/% 2)], cut_short)
    expect_error(read_geo_counts(cut_short), "cut.csv.gz", class = "pnmf_error")
})

test_that("fields keep empty ends and quoted separators", {
    expect_identical(split_fields(c("a,b,", ",,", "\"x,y\",2", "1"), ","),
                     list(c("a", "b", ""), c("", "", ""), c("x,y", "2"), "1"))
    expect_identical(split_fields("\"NA\"\tNA", "\t"), list(c("NA", "NA")))
})
