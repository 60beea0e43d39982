test_that("a split that could not be tested does not hide how the others come back", {
    tree <- data.frame(cluster = 1:3, p_value = c(NA, NA, 0.01), continuum = c(NA, NA, FALSE), support = c(1, 0.7, 0.9))
    told <- function(flat) support_lines(list(tree = tree, flat = flat, supported_k = 2L))
    expect_identical(told(1:2), "splits not tested: support = TRUE tests them")
    expect_identical(told(2:3), c("found again when half of the cells are left out (support): 0.70 0.90",
                                  "with only the splits that are gaps (p_value at most 0.05): 2 clusters, x$supported"))
})
