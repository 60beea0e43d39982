log_normalised <- function(counts) {
    log1p(1e4 * as.matrix(counts) / rep(Matrix::colSums(counts), each = nrow(counts)))
}

test_that("the rank comes from the data: near the number of programs, and small for noise", {
    for (depth in c(1500, 6000)) {
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

test_that("more cells than features, and data on disk, have the same rank", {
    x <- log_normalised(simulate_cells(n_cells = 1200, n_genes = 200, depth = 3000)$counts)
    rank <- default_rank(x, "hals", NULL, 1L)
    z <- t(scale(t(x[most_variable_rows(rowSums(x), rowSums(x^2), 1200), ]))) * sqrt(1200 / 1199)
    above <- sum(eigen(tcrossprod(z) / 1200)$values > (1 + sqrt(nrow(z) / 1200))^2)
    expect_identical(rank, as.integer(ceiling(1.25 * above) + 1))
    skip_if_not_installed("DelayedArray")
    streamed <- streamed_matrix(DelayedArray::DelayedArray(x), "x", 1e5)
    expect_identical(default_rank(streamed, "hals", NULL, 1L), rank)
})

test_that("the paper's setting, its solvers and few features keep the square root", {
    x <- with_random_state(1, matrix(stats::rexp(150 * 50), 150))
    expect_identical(default_rank(x, "hals", "paper", 1L), 8L)
    expect_identical(default_rank(x, "mu", NULL, 1L), 8L)
    expect_identical(default_rank(x[1:100, ], "hals", NULL, 1L), 8L)
    expect_identical(default_rank(x[, 1:2], "hals", NULL, 1L), 2L)
})
