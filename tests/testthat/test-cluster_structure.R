# Cells of two kinds: in one, four of five values are zero; the length of each cell is 1.   features x cells
two_kinds_of_zeros <- function(seed = 1, features = 600, cells = 120) {
    with_random_state(seed, {
        values <- matrix(stats::rexp(features * cells) + 1, features)
        few <- rep(c(TRUE, FALSE), each = cells / 2)
        values[, few] <- values[, few] * stats::rbinom(features * cells / 2, 1, 0.2)
        sweep(values, 2, sqrt(colSums(values^2)), "/")
    })
}

quick_path <- function(x, ...) {
    suppressWarnings(suppressMessages(
        pnmf(x, rank = 2, scales = 5, control = pnmf_control(max_outer = 1, tol = 0), ...)
    ))
}

test_that("cells that differ only in how many of their values are zero are one cluster", {
    for (seed in 1:3) {
        x <- two_kinds_of_zeros(seed)
        path <- quick_path(x)
        expect_identical(persistent_clusters(path)$flat_k, 1L)
        # The test sees the means: without them in the path, there would be two clusters.
        path@scales$cell_mean <- NULL
        expect_gt(persistent_clusters(path)$flat_k, 1L)
    }
})

test_that("groups with genes of their own are found, whether or not their means differ", {
    for (gain in c(2, 5)) {
        x <- with_random_state(4, matrix(stats::rexp(300 * 100), 300))
        x[1:150, 1:50] <- x[1:150, 1:50] * (1 + gain)
        x[151:300, 51:100] <- x[151:300, 51:100] * 3
        found <- persistent_clusters(quick_path(x))
        expect_identical(cluster_scores(rep(1:2, each = 50), cut(found, k = 2))[["ari"]], 1)
        expect_gt(found$flat_k, 1L)
    }
})

test_that("coordinates without means are the components of cells minus their means", {
    x <- with_random_state(2, matrix(stats::rexp(120 * 30), 120)) %*% diag(1 + 1:30 / 10)
    path <- quick_path(x)
    V <- stats::prcomp(t(x), rank. = 20)$rotation
    minus <- sweep(x, 2, colMeans(x))
    expected <- crossprod(V, minus - rowMeans(minus))
    found <- coordinates_without_means(path@scales, nrow(x))
    expect_equal(tcrossprod(t(found)), tcrossprod(t(expected)), tolerance = 1e-8, ignore_attr = TRUE)
})

test_that("components without spread and subsets of cells have coordinates without means", {
    x <- two_kinds_of_zeros()
    path <- quick_path(x)
    path@scales$coordinates[20, ] <- 0
    expect_true(all(is.finite(coordinates_without_means(path@scales, nrow(x)))))
    fewer <- subset_cells(quick_path(x), c(1:40, 120:81))
    expect_equal(fewer@scales$cell_mean, unname(colMeans(x))[c(1:40, 120:81)])
    expect_identical(persistent_clusters(fewer)$flat_k, 1L)
})

test_that("the means of cells on disk are those in memory, and other spaces have none", {
    skip_if_not_installed("DelayedArray")
    x <- two_kinds_of_zeros()
    streamed <- streamed_matrix(DelayedArray::DelayedArray(x), "x", 1e5)
    expect_equal(cell_means(streamed), colMeans(x), tolerance = 1e-14)
    expect_equal(cell_means(as(x, "CsparseMatrix")), colMeans(x), tolerance = 1e-14)
    expect_null(quick_path(x, space = t(x[1:5, ]))@scales$cell_mean)
    expect_null(quick_path(x[1:50, ])@scales$cell_mean)
})

test_that("Pollen, shuffled within its cells, is one cluster", {
    x <- as.matrix(shared_data("Pollen")$X)
    shuffled <- with_random_state(1, apply(x, 2, sample))
    expect_identical(persistent_clusters(quick_path(shuffled))$flat_k, 1L)
})
