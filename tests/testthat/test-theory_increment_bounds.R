small_x <- function() simulate_circles(n_per_circle = 5, n_noise = 5, seed = 1) / 50
converged_path <- function(x, anchor, ...) {
    pnmf(x, rank = 2, lambda_anchor = anchor, control = pnmf_control(max_outer = 5000, tol = 1e-6), ...)
}
# A path with chosen embeddings on the graphs of small_x(), and the weights of its penalties.
path_of <- function(H, lambda_graph = 1, lambda_smooth = 1, lambda_anchor = 1e6, W = NULL, x = small_x()) {
    scales <- persistence_scales(x)
    n_scales <- length(scales$threshold)
    H <- lapply(seq_len(n_scales), H)
    rank <- nrow(H[[1]])
    if (is.null(W)) W <- matrix(1, nrow(x), rank)
    new_path(
        scales = scales, W = rep(list(W), n_scales), H = H,
        objective = data.frame(outer = 1L, objective = 1, relative_decrease = NA_real_),
        convergence = list(scales = data.frame(t = seq_len(n_scales), converged = TRUE, residual = 0, steps = 1L)),
        parameters = list(rank = rank, lambda_graph = lambda_graph, lambda_smooth = lambda_smooth,
                          lambda_anchor = lambda_anchor, alpha = 1.5, solver = "hals"),
        feature_names = rownames(x), cell_names = colnames(x)
    )
}
# (2 l2 + l3 - C) |dH_t| <= l1 C_H |dL_t| + l2 (|dH_{t-1}| + |dH_{t+1}|)
recursion_holds <- function(bounds, C = bounds$constants[["C"]]) {
    l <- bounds$parameters
    dH <- bounds$increments$d_embedding
    neighbours <- c(0, dH[-length(dH)]) + c(dH[-1], 0)
    (2 * l[["lambda_smooth"]] + l[["lambda_anchor"]] - C) * dH <=
        l[["lambda_graph"]] * bounds$constants[["C_H"]] * bounds$increments$d_laplacian +
            l[["lambda_smooth"]] * neighbours
}

test_that("the constants are those of the theorem", {
    x <- small_x()
    H <- with_random_state(1, matrix(stats::runif(2 * ncol(x)), 2))
    path <- path_of(function(t) H^(1 + t / 10), x = x)
    found <- increment_bounds(path, x)$constants
    size <- max(vapply(path@H, norm, numeric(1), type = "F"))
    l <- min(vapply(path@H, function(h) min(eigen(tcrossprod(h))$values), numeric(1)))
    gram <- norm(crossprod(x), "F")
    first <- 1 / l + 2 * size^2 / l^2
    second <- first * size + size / l
    C <- (first * sqrt(ncol(x) - 2) + second * size / l) * gram
    expect_equal(found[1:6], c(C_H = size, l = l, C_X = gram, C_1 = first, C_2 = second, C = C), tolerance = 1e-10)
})

test_that("C_X does not depend on the side of the Gram matrix, on blocks or on sparseness", {
    for (shape in list(c(3, 1200), c(1200, 3), c(40, 40))) {
        x <- with_random_state(1, matrix(stats::rexp(prod(shape)), shape[1]))
        expect_equal(gram_norm(x), norm(crossprod(x), "F"), tolerance = 1e-12)
        x[x < 1] <- 0
        sparse <- as_compressed_columns(Matrix::Matrix(x, sparse = TRUE))
        expect_equal(gram_norm(sparse), norm(crossprod(x), "F"), tolerance = 1e-12)
    }
})

test_that("where lambda_anchor > C and the recursive inequality holds, so do both bounds", {
    x <- small_x() * 1e-4
    held <- 0
    for (seed in 1:40) {
        start <- with_random_state(seed, matrix(stats::runif(2 * ncol(x)), 2))
        moved <- with_random_state(seed + 100, matrix(stats::runif(2 * ncol(x)), 2))
        step <- 10^-(seed %% 8)
        path <- path_of(function(t) start + step * t * moved, lambda_smooth = c(0, 1, 1e6)[seed %% 3 + 1], x = x)
        bounds <- increment_bounds(path, x)
        expect_true(bounds$condition)
        if (!all(recursion_holds(bounds))) next
        held <- held + 1
        dH <- bounds$increments$d_embedding
        expect_lte(max(dH), bounds$uniform_bound * (1 + 1e-12))
        expect_true(all(dH <= bounds$increments$pointwise_bound * (1 + 1e-12)))
    }
    expect_gt(held, 5)
})

test_that("a path that makes the recursive inequality an equality comes close to its pointwise bound", {
    x <- small_x() * 1e-4
    start <- rbind(seq_len(ncol(x)), rev(seq_len(ncol(x)))) + 0
    still <- increment_bounds(path_of(function(t) start, lambda_smooth = 1e6, x = x), x)
    steps <- diag(nrow(still$increments))
    a <- still$constants[["a"]]
    b <- still$constants[["b"]]
    equal <- solve(steps - b * (abs(row(steps) - col(steps)) == 1), a * still$increments$d_laplacian)
    # the walk moves one entry, by so little that C_H and l stay
    walk <- c(0, cumsum(equal))
    bounds <- increment_bounds(path_of(function(t) replace(start, 1, 1 + walk[t]), lambda_smooth = 1e6, x = x), x)
    expect_equal(bounds$increments$d_embedding, equal, tolerance = 1e-6)
    ratio <- equal / bounds$increments$pointwise_bound
    expect_lt(max(ratio), 1)
    expect_gt(max(ratio), 0.5)
    expect_lt(max(equal), bounds$uniform_bound)
})

test_that("a, b, rho and the pointwise bound follow the paper's formulas", {
    x <- small_x() * 1e-4
    path <- path_of(function(t) rbind(seq_len(ncol(x)) + t, rev(seq_len(ncol(x)))) + 0, 3, 2e6, 1e6, x = x)
    bounds <- increment_bounds(path, x)
    k <- as.list(bounds$constants)
    expect_equal(k$a, 3 * k$C_H / (2 * 2e6 + 1e6 - k$C))
    expect_equal(k$b, 2e6 / (2 * 2e6 + 1e6 - k$C))
    expect_equal(k$rho, (1 - sqrt(1 - 4 * k$b^2)) / (2 * k$b))
    dL <- bounds$increments$d_laplacian
    wanted <- vapply(seq_along(dL), function(t) {
        k$a / sqrt(1 - 4 * k$b^2) * sum(k$rho^abs(t - seq_along(dL)) * dL)
    }, numeric(1))
    expect_equal(bounds$increments$pointwise_bound, wanted)
    expect_equal(bounds$uniform_bound, 3 * k$C_H / (1e6 - k$C) * max(dL))
})

test_that("without smoothing, rho is 0 and every increment is bounded by its own Laplacian step", {
    x <- small_x() * 1e-4
    path <- path_of(function(t) rbind(seq_len(ncol(x)) + t, rev(seq_len(ncol(x)))) + 0, lambda_smooth = 0, x = x)
    bounds <- increment_bounds(path, x)
    expect_identical(bounds$constants[["rho"]], 0)
    expect_equal(bounds$increments$pointwise_bound, bounds$constants[["a"]] * bounds$increments$d_laplacian)
})

test_that("the observed C is the largest of -<dR, dH> / |dH|^2", {
    x <- small_x()
    W <- with_random_state(1, matrix(stats::runif(2 * nrow(x)), nrow(x)))
    W <- qr.Q(qr(W)) * 3
    start <- with_random_state(2, matrix(stats::runif(2 * ncol(x)), 2))
    path <- path_of(function(t) start + t, W = abs(W), x = x)
    path@W <- lapply(path@W, function(w) W)
    # one basis with W'W = 9 I:  dR = 9 dH
    expect_equal(increment_bounds(path, x)$observed$constants[["C"]], -9, tolerance = 1e-10)
    fitted <- converged_path(x, 0.1)
    R <- lapply(seq_len(n_scales(fitted)), function(t) t(loading(fitted, t)) %*% (fitted(fitted, t) - x))
    ratios <- vapply(2:n_scales(fitted), function(t) {
        dH <- fitted@H[[t]] - fitted@H[[t - 1]]
        -sum((R[[t]] - R[[t - 1]]) * dH) / sum(dH^2)
    }, numeric(1))
    expect_equal(increment_bounds(fitted, x)$observed$constants[["C"]], max(ratios), tolerance = 1e-6)
})

test_that("converged paths obey the recursive inequality and the bounds of their observed C", {
    x <- small_x()
    for (anchor in c(0.5, 2, 10)) {
        for (smooth in c(0.1, 10)) {
            bounds <- increment_bounds(converged_path(x, anchor, lambda_graph = 0.01, lambda_smooth = smooth), x)
            expect_true(bounds$stationary)
            expect_true(bounds$observed$condition)
            expect_true(all(recursion_holds(bounds, bounds$observed$constants[["C"]])))
            expect_lte(max(bounds$increments$d_embedding), bounds$observed$uniform_bound)
            expect_true(all(bounds$increments$d_embedding <= bounds$increments$observed_bound))
        }
    }
})

test_that("no converged path meets the theorem's condition: C is at least 2 d (1 + d) (1 + lambda_anchor)^2", {
    x <- small_x()
    for (anchor in c(0.1, 1, 100)) {
        bounds <- increment_bounds(converged_path(x, anchor), x)
        expect_gte(bounds$constants[["C"]], 2 * 2 * 3 * (1 + anchor)^2)
        expect_false(bounds$condition)
        expect_identical(bounds$uniform_bound, NA_real_)
        expect_true(all(is.na(bounds$increments$pointwise_bound)))
        expect_true(all(is.na(bounds$constants[c("a", "b", "rho")])))
    }
})

test_that("printing says whether the condition holds", {
    x <- small_x()
    shown <- capture.output(print(increment_bounds(converged_path(x, 0.1), x)))
    expect_match(shown[3], "the condition lambda_anchor > C does not hold \\(lambda_anchor = 0.1\\): no bound")
    tiny <- x * 1e-4
    path <- path_of(function(t) rbind(seq_len(ncol(x)) + t, rev(seq_len(ncol(x)))) + 0, x = tiny)
    shown <- capture.output(print(increment_bounds(path, tiny)))
    expect_match(shown[3], "the theorem: lambda_anchor = 1e\\+06 > C = .*; uniform bound")
    path@parameters$solver <- "mu"
    expect_match(capture.output(print(increment_bounds(path, tiny)))[5], "bounds need not hold")
})

test_that("an embedding without full rank has no finite C, and is no error", {
    x <- small_x()
    path <- path_of(function(t) rbind(seq_len(ncol(x)) + t, seq_len(ncol(x)) + t) + 0, x = x)
    bounds <- increment_bounds(path, x)
    expect_identical(bounds$constants[["l"]], 0)
    expect_identical(bounds$constants[["C"]], Inf)
    expect_false(bounds$condition)
})

test_that("data is found in the path when it was kept, sparse or dense, and bad input is refused", {
    x <- small_x()
    refused <- function(expr, message) expect_error(expr, message, class = "pnmf_error")
    path <- suppressWarnings(pnmf(x, rank = 2, control = pnmf_control(max_outer = 20)))
    path@data <- x
    kept <- increment_bounds(path)
    expect_equal(increment_bounds(path, Matrix::Matrix(unname(x), sparse = TRUE))$constants, kept$constants)
    path@data <- NULL
    refused(increment_bounds(path), "'x' must be the data the path was fitted to")
    refused(increment_bounds(path, x[, -1]), "'x'")
    refused(increment_bounds(path[2], x), "'path' must have at least two scales to compare, not 1")
    refused(increment_bounds(x), "'path' must be a pNMFPath object")
    bare <- synthetic_path(list(matrix(1, 5, 2), matrix(2, 5, 2)))
    refused(increment_bounds(bare, matrix(1, 3, 5)), "'path' must have the graphs of its scales")
})
