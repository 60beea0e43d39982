test_that("a factor that separates clusters by many genes comes before heavier ones of one gene or without groups", {
    group <- rep(1:2, each = 10)
    noise <- with_random_state(1, matrix(stats::runif(60), 20))
    # Factor 1 has one gene, factor 2 no groups, factor 3 both.
    H <- cbind(100 * group, 200, 3 * group) + noise
    path <- synthetic_path(list(H, H))
    path@W <- rep(list(cbind(c(1, 0, 0), c(1, 1, 1), c(1, 2, 1))), 2)
    clusters <- data.frame(scale.1 = group, scale.2 = group)
    expect_identical(ordered_factors(path, 1:2, clusters), c(3L, 2L, 1L))
    # eta^2 by an analysis of variance, and the spread of loadings 1, 2, 1: p = 1/6, 4/6, 1/6.
    table <- stats::anova(stats::lm(H[, 3] ~ factor(group)))[["Sum Sq"]]
    expect_equal(factor_structure(path, 1:2, clusters)[3], table[1] / sum(table) * (1 - 18 / 36))
    expect_equal(factor_structure(path, 1:2, clusters)[1], 0)
})

test_that("without clusters, and for constant factors, the heavier factor comes first", {
    path <- synthetic_path(list(cbind(1:6, 11:16, 5)))
    expect_identical(ordered_factors(path, 1, data.frame(scale.1 = rep(1L, 6))), c(2L, 3L, 1L))
    expect_identical(factor_structure(path, 1, data.frame(scale.1 = rep(1:2, 3)))[3], 0)
})

test_that("all scales count the same in the weight of a factor, however large their embeddings are", {
    path <- synthetic_path(list(matrix(c(600, 400), 6, 2, byrow = TRUE), matrix(c(1, 9), 6, 2, byrow = TRUE)))
    expect_identical(ordered_factors(path, 1:2, data.frame(scale.1 = rep(1L, 6), scale.2 = 1L)), c(2L, 1L))
})

test_that("without data all genes have loadings, or those whose fitted values vary most", {
    path <- report_path()
    genes <- fitted_genes(path, c(2L, 5L))
    expect_identical(genes$names, path@feature_names)
    expect_equal(genes$loadings[[2]], loading(path, 5))
    few <- fitted_genes(path, 1L, max_bytes = 20)
    fitted <- apply(loading(path, 1) %*% t(embedding(path, 1)), 1, stats::var)
    expect_setequal(few$names, names(sort(-fitted))[1:10])
    expect_identical(few$of, 60L)
})
