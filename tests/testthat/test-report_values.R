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

test_that("genes are top features by default, then those whose fitted values vary most", {
    path <- report_path()
    genes <- default_genes(path, 1:6)
    expect_setequal(genes, path@feature_names)
    top <- top_features(path, 1, n = 3)$feature
    expect_true(all(top %in% default_genes(path, 1:6, max_genes = 20L)))
    fitted <- loading(path, 1) %*% t(embedding(path, 1))
    rest <- utils::tail(genes, 10)
    expect_false(is.unsorted(-apply(fitted[rest, ], 1, stats::var)))
})

test_that("measured values are those of the shown cells in the path's order", {
    path <- report_path()
    x <- normalize_counts(report_cells()$counts, method = "paper")
    genes <- report_genes(path, 1:6, c(3L, 1L), x[, 60:1], NULL)
    expect_equal(genes$measured[1, ], unname(x[genes$names[1], c(3, 1)]))
    expect_identical(report_genes(path, 1:6, 1:3, x, c("gene5", "gene2"))$names, c("gene5", "gene2"))
    expect_equal(report_genes(path, 1:6, 1:3, unname(as.matrix(x)), "gene5")$measured[1, ], unname(x["gene5", 1:3]))
})

test_that("without data genes have loadings, in the order asked for", {
    path <- report_path()
    genes <- report_genes(path, c(2L, 5L), 1:3, NULL, c("gene7", "gene1"))
    expect_null(genes$measured)
    expect_equal(genes$loadings[[2]], loading(path, 5)[c("gene7", "gene1"), ])
})
