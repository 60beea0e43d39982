time_cells <- c("H9.00hb4s_001", "H9.12h_001", "H9.96h_188", "H9.12h_002")
blood_cells <- c("CD141_P7_S73", "pDC_P10_S80", "DoubleNeg_P13_S1", "CD141_P8_S2", "Mono_classical_S1")
organoid_cells <- c("B12_hOrg33d_c2", "A10_hOrg35d", "F4_hOrg_ESC_reg1_53d", "A10_fetal_12wpc_c1", "A11_fetal_13wpc",
                    "A5_hOrg_iPSC_reg3_58d")

organoid_lines <- function(values, remark = "human") {
    lines <- delimited(t(values), "\t", corner = "cell_id", quote = TRUE)
    c(paste0(lines[1], "\t\"species\""), paste0(lines[-1], "\t\"", remark, "\""))
}

test_that("the time course of GSE75748 is read, plain and compressed, with hours as labels", {
    values <- small_counts(time_cells)
    for (name in c("GSE75748_sc_time_course_ec.csv", "GSE75748_sc_time_course_ec.csv.gz", "unknown.txt")) {
        data <- read_geo_counts(written(delimited(values, ",", corner = ""), name))
        expect_equal(as.matrix(data$counts), values)
        expect_identical(as.character(data$labels), c("00h", "12h", "96h", "12h"))
        expect_identical(levels(data$labels), c("00h", "12h", "96h"))
        expect_identical(names(data$labels), time_cells)
    }
    quoted <- read_geo_counts(written(delimited(values, ",", quote = TRUE)))
    expect_equal(as.matrix(quoted$counts), values)
})

test_that("GSE94820 is read with a full header and with one that is a field short", {
    values <- small_counts(blood_cells)
    for (corner in list(NULL, "")) {
        lines <- delimited(values, "\t", corner = corner)
        data <- read_geo_counts(written(lines, "GSE94820_raw.expMatrix_DCnMono.discovery.set.submission.txt.gz"))
        expect_equal(as.matrix(data$counts), values)
        expect_identical(as.character(data$labels), c("CD141", "pDC", "DoubleNeg", "CD141", "Mono"))
    }
    recognised <- read_geo_counts(written(delimited(small_counts(blood_cells[1:4]), "\t", corner = NULL), "x.txt"))
    expect_identical(nlevels(recognised$labels), 3L)
})

test_that("GSE75140 is turned round, its last column dropped, stages become labels", {
    values <- small_counts(organoid_cells, genes = c("PAX6", "DCX", "VIM"))
    for (name in c("GSE75140_hOrg.fetal.master.data.frame.txt.gz", "another.txt")) {
        data <- read_geo_counts(written(organoid_lines(values), name))
        expect_equal(as.matrix(data$counts), values)
        expect_identical(as.character(data$labels), c("33d", "35d", "53d", "12wpc", "13wpc", "58d"))
        expect_identical(levels(data$labels), c("33d", "35d", "53d", "58d", "12wpc", "13wpc"))
    }
    numeric_remark <- read_geo_counts(written(organoid_lines(values, remark = "9606"), "GSE75140.txt"))
    expect_identical(rownames(numeric_remark$counts), c("PAX6", "DCX", "VIM"))
    none <- delimited(t(values), "\t", corner = "cell_id", quote = TRUE)
    expect_equal(as.matrix(read_geo_counts(written(none, "GSE75140.txt"))$counts), values)
})

test_that("plain tables are read with either orientation and any of three separators", {
    values <- small_counts(c("a", "b", "c"))
    for (sep in c(",", "\t", ";")) {
        expect_equal(as.matrix(read_geo_counts(written(delimited(values, sep)))$counts), values)
    }
    turned <- read_geo_counts(written(delimited(t(values), ",")), cells = "rows")
    expect_equal(as.matrix(turned$counts), values)
    expect_null(turned$labels)
    expect_true("labels" %in% names(turned))
})

test_that("names may hold the separator, blanks and quotes where they are quoted", {
    lines <- c("\"\",\"cell 1\",\"cell,2\"", "\"gene, long\",1,2", "\"gene 'b'\",3,4", " plain ,5, 6")
    counts <- read_geo_counts(written(lines))$counts
    expect_identical(dimnames(counts), list(c("gene, long", "gene 'b'", "plain"), c("cell 1", "cell,2")))
    expect_equal(unname(as.matrix(counts)), matrix(c(1, 3, 5, 2, 4, 6), 3))
})

test_that("other line ends, byte order marks, blank lines and a missing last line end do not matter", {
    values <- small_counts(c("a", "b"))
    lines <- delimited(values, ",")
    expect_equal(as.matrix(read_geo_counts(written(lines, eol = "\r\n"))$counts), values)
    expect_equal(as.matrix(read_geo_counts(written(append(lines, c("", "  "), 2)))$counts), values)
    marked <- c(paste0("\ufeff", lines[1]), lines[-1])
    expect_identical(colnames(read_geo_counts(written(marked))$counts), c("a", "b"))
    open_end <- written(character(0))
    cat(paste(lines, collapse = "\n"), file = open_end)
    expect_equal(as.matrix(read_geo_counts(open_end)$counts), values)
})

test_that("mostly empty tables come back sparse, full ones dense", {
    sparse <- read_geo_counts(written(c(",a,b,c", "g,0,0,1", "h,0,2,0")))$counts
    expect_s4_class(sparse, "dgCMatrix")
    dense <- read_geo_counts(written(c(",a,b", "g,1,2", "h,0,2")))$counts
    expect_true(is.matrix(dense))
    symmetric <- read_geo_counts(written(c(",a,b", "g,0,1", "h,1,0")))$counts
    expect_s4_class(symmetric, "dgCMatrix")
})

test_that("features of the same name stop, or are kept once, or added up", {
    file <- written(c(",a,b", "g,1,0", "h,0,2", "g,3,4"))
    expect_error(read_geo_counts(file), "unique feature names, but 1 is repeated, such as \"g\"", class = "pnmf_error")
    first <- as.matrix(read_geo_counts(file, duplicates = "first")$counts)
    expect_equal(first, matrix(c(1, 0, 0, 2), 2, dimnames = list(c("g", "h"), c("a", "b"))))
    added <- as.matrix(read_geo_counts(file, duplicates = "sum")$counts)
    expect_equal(added, matrix(c(4, 0, 4, 2), 2, dimnames = list(c("g", "h"), c("a", "b"))))
})

test_that("what is read can be normalised as the paper does", {
    data <- read_geo_counts(written(delimited(small_counts(time_cells), ",")))
    x <- normalize_counts(data$counts, method = "paper")
    size <- sqrt(colSums(as.matrix(x)^2))
    expect_equal(unname(size[size > 0]), rep(1, sum(size > 0)))
})

test_that("malformed tables are refused with the line and column named", {
    refused <- function(lines, message, ...) {
        expect_error(read_geo_counts(written(lines, ...)), message, class = "pnmf_error")
    }
    refused(c(",a,b", "g,1,2", "h,1"), "line 3 of \"table.csv\" must have 3 fields like the lines before it, not 2")
    refused(c(",a,b", "g,1,2", "", "h,1,2,3"), "line 4 .* must have 3 fields .* not 4")
    refused(c(",a,b", "g,1,2", "h,1,"), "line 3, column \"b\" .* not \"\"")
    refused(c(",a,b", "g,1,x2"),
            "line 2, column \"b\" of \"table.csv\" must be a finite number of at least 0, not \"x2\"")
    refused(c(",a,b", "g,1,NA"), "column \"b\" .* not \"NA\"")
    refused(c(",a,b", "g,Inf,1"), "column \"a\" .* not \"Inf\"")
    refused(c(",a,b", "g,1,-1"), "column \"b\" .* not \"-1\"")
    refused(c(",a,b", "g,1,2,3,4"), "as many fields in its first row as in its header \\(3\\), or one more, not 5")
    refused(c(",a,a", "g,1,2"), "unique cell names, but \"a\" is repeated")
    refused(c(",a,", "g,1,2"), "must name every cell, but number 2 has no name")
    refused(c(",a,b", ",1,2"), "must name every feature, but number 1 has no name")
    refused(c("a", "1"), "must have a column of names")
    refused(character(0), "a table with a header and at least one row, but \"table.csv\" has 0 lines")
    refused(",a,b", "has 1 line$")
    refused(c("a b", "g 1 2"), "separated by commas, tabs or semicolons")
})

test_that("files beyond the limit are refused before they fill the memory", {
    file <- written(delimited(small_counts(c("a", "b", "c")), ","))
    expect_error(read_geo_counts(file, max_entries = 11), "more than 11 entries .* 'max_entries'", class = "pnmf_error")
    expect_identical(dim(read_geo_counts(file, max_entries = 12)$counts), c(4L, 3L))
})

test_that("bad arguments are refused with the argument named", {
    file <- written(delimited(small_counts(c("a", "b")), ","))
    expect_error(read_geo_counts("no/such/file.csv"), "'path' must be a file that exists, not \"no/such/file.csv\"",
                 class = "pnmf_error")
    expect_error(read_geo_counts(tempdir()), "'path' must be a file that exists", class = "pnmf_error")
    expect_error(read_geo_counts(c(file, file)), "'path' must be a single string", class = "pnmf_error")
    expect_error(read_geo_counts(file, format = "GSE1"), "'format' must be one of", class = "pnmf_error")
    expect_error(read_geo_counts(file, cells = "both"), "'cells' must be one of", class = "pnmf_error")
    expect_error(read_geo_counts(file, duplicates = "mean"), "'duplicates' must be one of", class = "pnmf_error")
    expect_error(read_geo_counts(file, max_entries = 0), "'max_entries'", class = "pnmf_error")
    expect_error(read_geo_counts(file, format = "GSE75748"),
                 "the cell names must contain the labels as in GSE75748, but 2 of 2 do not, such as \"a\"",
                 class = "pnmf_error")
})

test_that("a table with no column but the remark is refused", {
    lines <- c("cell_id\tspecies", "A10_fetal_12wpc_c1\thuman")
    expect_error(read_geo_counts(written(lines, "GSE75140.txt")), "at least one column of numbers before its last",
                 class = "pnmf_error")
})

test_that("a truncated gzip file is an error, even if it ends between two lines", {
    lines <- c(",a,b", sprintf("gene%d,%d,%d", 1:2000, (1:2000 * 7919) %% 1009, (1:2000 * 104729) %% 997))
    whole <- written(lines, "table.csv.gz")
    expect_identical(nrow(read_geo_counts(whole)$counts), 2000L)
    bytes <- readBin(whole, "raw", file.size(whole))
    cut <- tempfile(fileext = ".gz")
    # Of a stored (level 0) member every byte of text is in the file: the cut can be put after a line.
    stored <- gzfile(cut, "wb", compression = 0)
    writeLines(lines, stored)
    close(stored)
    stored <- readBin(cut, "raw", file.size(cut))
    line_ends <- which(stored == as.raw(10L))
    writeBin(stored[seq_len(line_ends[1000])], cut)
    expect_error(read_geo_counts(cut), "must be a complete gzip file", class = "pnmf_error")
    writeBin(bytes[seq_len(length(bytes) - 3L)], cut)
    expect_error(read_geo_counts(cut), class = "pnmf_error")
})

test_that("several gzip files in a row are one table", {
    first <- written(c(",a,b", sprintf("gene%d,1,0", 1:50)), "first.gz")
    second <- written(sprintf("gene%d,0,2", 51:80), "second.gz")
    both <- tempfile(fileext = ".csv.gz")
    writeBin(c(readBin(first, "raw", 1e5), readBin(second, "raw", 1e5)), both)
    expect_identical(nrow(read_geo_counts(both)$counts), 80L)
})

test_that("a header without names is of no known format", {
    expect_identical(likely_format("a.csv", c("", ""), "g1"), "csv")
})
