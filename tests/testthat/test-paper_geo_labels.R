cells <- c("s1", "s2", "s3", "s4")
counts_file <- function() written(delimited(small_counts(cells), ","))

test_that("a vector of labels replaces those in the names", {
    data <- read_geo_counts(counts_file(), labels = c("b", "a", "b", "a"))
    expect_identical(as.character(data$labels), c("b", "a", "b", "a"))
    expect_identical(levels(data$labels), c("a", "b"))
    kept <- read_geo_counts(counts_file(), labels = factor(c("b", "a", "b", "a"), levels = c("z", "b", "a")))$labels
    expect_identical(levels(kept), c("b", "a"))
    expect_identical(levels(read_geo_counts(counts_file(), labels = c(10L, 9L, 10L, 1L))$labels), c("1", "9", "10"))
})

test_that("labels that do not fit are refused", {
    expect_error(read_geo_counts(counts_file(), labels = 1:3), "'labels' must have one label per cell \\(4\\), not 3",
                 class = "pnmf_error")
    expect_error(read_geo_counts(counts_file(), labels = c(1, NA, 2, 3)), "'labels' must have no missing",
                 class = "pnmf_error")
    expect_error(read_geo_counts(counts_file(), labels = "no-such-file"), "'labels' must have one label per cell",
                 class = "pnmf_error")
})
