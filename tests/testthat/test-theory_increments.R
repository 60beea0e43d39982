circles_path <- function(solver = "hals", ...) {
    x <- simulate_circles(n_per_circle = 5, n_noise = 5, seed = 1)
    pnmf(x, rank = 2, solver = solver, control = pnmf_control(max_outer = 5, tol = 0), ...)
}
published_path <- function() {
    circles <- shared_data("concentric_circles.rds")
    scales <- persistence_scales(circles$X)
    n <- length(scales$threshold)
    new_path(
        scales = scales, W = rep(list(matrix(0, 100, 2)), n), H = lapply(seq_len(n), function(t) circles$H[, , t]),
        objective = data.frame(outer = integer(), objective = numeric(), relative_decrease = numeric()),
        convergence = list(scales = data.frame(t = seq_len(n), converged = TRUE, residual = 0, steps = 1L)),
        parameters = list(rank = 2L, alpha = 1.5, solver = "authors"),
        feature_names = paste0("dim", seq_len(100)), cell_names = paste0("point", seq_len(80))
    )
}
# Of the paper: r to the four decimals and p to the three digits it gives.
expect_published_correlations <- function(found) {
    expect_identical(found$pair, c("threshold_laplacian", "laplacian_embedding", "threshold_embedding"))
    expect_equal(round(found$r, 4), c(0.9995, 0.5700, 0.5571))
    expect_equal(signif(found$p, 3), c(5.57e-118, 4.17e-8, 9.71e-8))
}

test_that("increments are Frobenius norms of differences of Laplacians and embeddings", {
    path <- circles_path(alpha = 1.2)
    found <- increments(path)
    n <- n_scales(path)
    expect_identical(names(found), c("t", "d_threshold", "d_laplacian", "d_embedding"))
    expect_identical(found$t, 2:n)
    expect_equal(found$d_threshold, diff(thresholds(path)))
    L <- lapply(seq_len(n), function(t) as.matrix(laplacian(scale_graph(path@scales, t, 1.2))))
    norm_of <- function(m) sqrt(sum(m^2))
    expect_equal(found$d_laplacian, vapply(2:n, function(t) norm_of(L[[t]] - L[[t - 1]]), numeric(1)),
                 tolerance = 1e-12)
    expect_equal(found$d_embedding,
                 vapply(2:n, function(t) norm_of(embedding(path, t) - embedding(path, t - 1)), numeric(1)))
    expect_identical(increments(path, threads = 4), increments(path, threads = 1))
})

test_that("a part of a path compares the scales that are left", {
    path <- circles_path()
    found <- increments(path[c(1, 4, 9)])
    L <- lapply(c(1, 4, 9), function(t) as.matrix(laplacian(scale_graph(path@scales, t, path@parameters$alpha))))
    expect_equal(found$d_laplacian, c(sqrt(sum((L[[2]] - L[[1]])^2)), sqrt(sum((L[[3]] - L[[2]])^2))))
    expect_identical(found$t, 2:3)
})

test_that("the published path has the published correlations", {
    expect_published_correlations(increment_correlations(published_path()))
})

test_that("so has the path that solver \"authors\" computes", {
    x <- shared_data("concentric_circles.rds")$X
    path <- pnmf(x, rank = 2, lambda_graph = 100, lambda_smooth = 100, solver = "authors")
    expect_published_correlations(increment_correlations(path))
})

test_that("correlations come from a path or from its increments, and are NA for a constant", {
    path <- circles_path()
    steps <- increments(path)
    expect_identical(increment_correlations(steps), increment_correlations(path))
    steps$d_embedding <- 1
    expect_no_warning(found <- increment_correlations(steps))
    expect_identical(is.na(found$r), c(FALSE, TRUE, TRUE))
    expect_identical(is.na(found$p), c(FALSE, TRUE, TRUE))
})

test_that("too few scales, scales without graph and other objects are refused", {
    refused <- function(expr, message) expect_error(expr, message, class = "pnmf_error")
    path <- circles_path()
    refused(increments(path[3]), "'path' must have at least two scales to compare, not 1")
    refused(increment_correlations(path[1:3]), "'path' must have at least four scales")
    bare <- synthetic_path(list(matrix(1, 5, 2), matrix(2, 5, 2)))
    refused(increments(bare), "'path' must have the graphs of its scales")
    refused(increments(1), "'path' must be a pNMFPath object")
    refused(increment_correlations(data.frame(t = 1)), "'path' must be a pNMFPath object, .* or a data frame")
    refused(increments(path, threads = 0), "'threads'")
})
