test_that("a split that could not be tested does not hide how the others come back", {
    tree <- data.frame(cluster = 1:3, p_value = c(NA, NA, 0.01), continuum = c(NA, NA, FALSE), support = c(1, 0.7, 0.9))
    told <- function(flat) support_lines(list(tree = tree, flat = flat, supported_k = 2L))
    expect_identical(told(1:2), "splits not tested: support = TRUE tests them")
    expect_identical(told(2:3), c("found again in half of the cells (support): 0.70 0.90",
                                  "splits that are gaps by their p_value make 2 clusters: x$supported"))
})
