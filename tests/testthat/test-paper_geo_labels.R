cells <- c("s1", "s2", "s3", "s4")
counts_file <- function() written(delimited(small_counts(cells), ","))
labels_from <- function(lines, name = "labels.csv", ...) {
    read_geo_counts(counts_file(), labels = written(lines, name), ...)$labels
}

test_that("a vector of labels replaces those in the names", {
    data <- read_geo_counts(counts_file(), labels = c("b", "a", "b", "a"))
    expect_identical(as.character(data$labels), c("b", "a", "b", "a"))
    expect_identical(levels(data$labels), c("a", "b"))
    kept <- read_geo_counts(counts_file(), labels = factor(c("b", "a", "b", "a"), levels = c("z", "b", "a")))$labels
    expect_identical(levels(kept), c("b", "a"))
    expect_identical(levels(read_geo_counts(counts_file(), labels = c(10L, 9L, 10L, 1L))$labels), c("1", "9", "10"))
})

test_that("one label per line works with and without a header, and labels may hold blanks", {
    expected <- c("T cell", "B cell", "T cell", "NK")
    expect_identical(as.character(labels_from(expected)), expected)
    expect_identical(as.character(labels_from(c("x", expected))), expected)
    expect_identical(as.character(labels_from(c("\"x\"", paste0("\"", expected, "\"")), "labels.txt")), expected)
    expect_identical(as.character(labels_from(expected, "labels.txt.gz")), expected)
})

test_that("tables of labels: the usual columns are found, others can be named", {
    lines <- c("Sample Name,Cell type,Label", "GSM1,stem,0", "GSM2,stem,0", "GSM3,blood,1", "GSM4,blood,1")
    expect_identical(as.character(labels_from(lines)), c("0", "0", "1", "1"))
    expect_identical(as.character(labels_from(lines, label_column = "Cell type")), rep(c("stem", "blood"), each = 2))
    expect_identical(as.character(labels_from(lines, label_column = 2)), rep(c("stem", "blood"), each = 2))
    expect_identical(as.character(labels_from(c("a\tb", "1\tp", "2\tq", "3\tp", "4\tq"))), c("p", "q", "p", "q"))
    # write.table()'s default: quoted, blanks between, a header one field short
    table <- c("\"x\"", paste0("\"", 1:4, "\" \"", c("u", "v", "u", "v"), "\""))
    expect_identical(as.character(labels_from(table, "labels.txt")), c("u", "v", "u", "v"))
})

test_that("the label is the column with a usual name that does not name the cells, or else the last one", {
    expect_identical(label_position(c("id", "Cluster", "note"), 3L, NULL, 1L, "a.csv"), 2L)
    expect_identical(label_position(c("group", "a", "b"), 3L, NULL, 1L, "a.csv"), 3L)
})

test_that("a column of cell names decides the order, whatever else the file holds", {
    lines <- c("cell,label", "s3,c", "s1,a", "other,x", "s4,d", "s2,b")
    expect_identical(as.character(labels_from(lines)), c("a", "b", "c", "d"))
    expect_identical(as.character(labels_from(lines[-1])), c("a", "b", "c", "d"))
    expect_identical(names(labels_from(lines)), cells)
})

test_that("labels that do not fit are refused", {
    expect_error(read_geo_counts(counts_file(), labels = 1:3), "'labels' must have one label per cell \\(4\\), not 3",
                 class = "pnmf_error")
    expect_error(read_geo_counts(counts_file(), labels = c(1, NA, 2, 3)), "'labels' must have no missing",
                 class = "pnmf_error")
    expect_error(read_geo_counts(counts_file(), labels = "no-such-file"), "'labels' must be a file that exists",
                 class = "pnmf_error")
    expect_error(labels_from(letters[1:6]), "one label per cell \\(4\\), but \"labels.csv\" has 6 lines",
                 class = "pnmf_error")
    expect_error(labels_from("a"), "has 1 line$", class = "pnmf_error")
    expect_error(labels_from(character(0)), "'labels' must be a file with labels, but .* is empty",
                 class = "pnmf_error")
    expect_error(labels_from(c("cell,label", "s1,a", "s2,b", "s3,c", "s5,d")),
                 "must name every cell, but lacks 1 of 4, such as \"s4\"", class = "pnmf_error")
    expect_error(labels_from(c("s1,a", "s2", "s3,c", "s4,d")), "line 2 .* must have 2 fields", class = "pnmf_error")
    expect_error(labels_from(c("a,b", "1,2", "1,2", "1,2", "1,2"), label_column = "z"),
                 "'label_column' must be a column of \"labels.csv\" \\(\"a\", \"b\"\\), not \"z\"",
                 class = "pnmf_error")
    expect_error(labels_from(letters[1:4], label_column = 2), "'label_column' must be a column", class = "pnmf_error")
})
