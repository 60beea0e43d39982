log_normalised <- function(counts) {
    log1p(1e4 * as.matrix(counts) / rep(Matrix::colSums(counts), each = nrow(counts)))
}

test_that("the rank comes from the data: near the number of programs, and small for noise", {
    for (depth in c(1500, 3000, 6000)) {
        cells <- simulate_cells(n_cells = 400, n_genes = 800, n_lineages = 3, depth = depth, n_activities = 2)
        x <- log_normalised(cells$counts)
        rank <- default_rank(x, "hals", NULL, 1L)
        expect_lte(abs(rank / nrow(cells$usage) - 1), 0.4)
        shuffled <- with_random_state(1, t(apply(x, 1, sample)))
        expect_lte(default_rank(shuffled, "hals", NULL, 1L), 3L)
        expect_identical(default_rank(1000 * x, "hals", NULL, 1L), rank)
        expect_identical(default_rank(as_compressed_columns(Matrix::Matrix(x, sparse = TRUE)), "hals", NULL, 2L), rank)
    }
})

test_that("weak programs, most of which are below the noise of components, are allowed for", {
    cells <- simulate_cells(n_cells = 1000, n_genes = 2000, n_lineages = 3, depth = 1500, n_activities = 2,
                            dispersion = 0.5, lineage_fold = 3.5, type_fold = 1.65)
    x <- log_normalised(cells$counts)
    expect_lte(count_components(x, 1L), 6L)
    expect_lte(abs(default_rank(x, "hals", NULL, 1L) / nrow(cells$usage) - 1), 0.4)
})

test_that("more cells than features, and data on disk, have the same rank", {
    x <- log_normalised(simulate_cells(n_cells = 1200, n_genes = 200, depth = 3000)$counts)
    rank <- default_rank(x, "hals", NULL, 1L)
    z <- t(scale(t(x[most_variable_rows(x), ]))) * sqrt(1200 / 1199)
    correlations <- signal_correlation(eigen(tcrossprod(z) / 1200)$values, nrow(z) / 1200)
    components <- sum(correlations > 0.5)
    expect_identical(rank, max(components + 1L, min(2L * components, 10L)))
    skip_if_not_installed("DelayedArray")
    streamed <- streamed_matrix(DelayedArray::DelayedArray(x), "x", 1e5)
    expect_identical(default_rank(streamed, "hals", NULL, 1L), rank)
})

test_that("the paper's setting and its solvers keep the square root", {
    x <- with_random_state(1, matrix(stats::rexp(150 * 50), 150))
    expect_identical(default_rank(x, "hals", "paper", 1L), 8L)
    expect_identical(default_rank(x, "mu", NULL, 1L), 8L)
    expect_identical(default_rank(x[1:100, ], "hals", NULL, 1L), 2L) # noise
    expect_identical(default_rank(x[, 1:2], "hals", NULL, 1L), 2L)
})

test_that("the correlation of components with the truth is as predicted where the truth is known", {
    for (size in list(c(400, 200), c(200, 600))) {
        for (strength in c(1, 3, 12)) {
            correlations <- with_random_state(1, replicate(10, {
                genes <- stats::rnorm(size[1], sd = 1 / sqrt(size[1]))
                cells <- stats::rnorm(size[2])
                z <- sqrt(strength) * tcrossprod(genes, cells) + stats::rnorm(prod(size))
                found <- svd(z, nu = 1, nv = 1)
                c(abs(stats::cor(found$u, genes) * stats::cor(found$v, cells)),
                  signal_correlation(found$d[1]^2 / size[2], size[1] / size[2]))
            }))
            expect_lt(abs(diff(rowMeans(correlations))), 0.1, label = paste(c(size, strength), collapse = ", "))
        }
    }
    expect_equal(signal_correlation(c(0.1, 1, 2.9), 1 / 2), c(0, 0, 0))
})
