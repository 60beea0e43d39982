lambda_sets <- list(c(0, 0, 0), c(1, 1, 0.1), c(100, 100, 0.1), c(0, 1, 0), c(1, 0, 0), c(5, 5, 5))

test_that("no update of a block raises the objective", {
    for (lambdas in lambda_sets) {
        for (extrapolate in c(TRUE, FALSE)) {
            x <- small_data(1 + extrapolate)
            path <- fit_small(x, 3, lambdas, max_outer = 60, tol = 0, record = TRUE, extrapolate = extrapolate)
            updates <- path@convergence$updates
            slack <- rounding_of_objective(path, x)
            expect_setequal(updates$block, c("W", "H"))
            expect_setequal(updates$t, seq_len(n_scales(path)))
            expect_lte(largest_rise(updates$objective), slack)
            expect_lte(largest_rise(objective(path)$objective), slack)
        }
    }
})

test_that("the recorded objectives and the last one are the objective by its definition", {
    for (lambdas in lambda_sets) {
        x <- small_data(3)
        for (data in list(x, as_sparse(x))) {
            path <- fit_small(data, 2, lambdas, max_outer = 12, tol = 0, record = TRUE)
            direct <- direct_objective(path, x)
            expect_equal(last_objective(path), direct, tolerance = 1e-10)
            expect_equal(utils::tail(path@convergence$updates$objective, 1), direct, tolerance = 1e-10)
        }
    }
})

unweighted_scales <- function(x, n_scales) {
    scales <- persistence_scales(x, n_scales = n_scales)
    scales$weight <- scales$gap <- NULL
    scales
}

# Scales with weights and gaps over many orders of magnitude.
weighted_scales <- function(x, n_scales, largest = 1e5) {
    scales <- persistence_scales(x, n_scales = n_scales)
    spread <- function(n) exp(seq(0, log(largest), length.out = n))
    scales$weight <- rev(spread(n_scales))
    scales$gap <- c(NA, spread(n_scales - 1)[c(seq(2, n_scales - 1), 1)])
    scales
}

test_that("weights of scales enter the objective by its definition, and no update raises it", {
    x <- small_data(3)
    for (lambdas in lambda_sets) {
        for (data in list(x, as_sparse(x))) {
            path <- fit_small(data, 2, lambdas, scales = weighted_scales(x, 5), max_outer = 12, tol = 0, record = TRUE,
                              extrapolate = FALSE)
            direct <- direct_objective(path, x)
            expect_equal(last_objective(path), direct, tolerance = 1e-10)
            expect_equal(utils::tail(path@convergence$updates$objective, 1), direct, tolerance = 1e-10)
            expect_lte(largest_rise(path@convergence$updates$objective), 1e5 * rounding_of_objective(path, x))
        }
    }
})

test_that("a converged path of weighted scales satisfies the KKT conditions of the weighted model", {
    x <- small_data(5)
    for (largest in c(1, 30, 1e4)) {
        path <- fit_small(x, 3, c(2, 3, 0.1), scales = weighted_scales(x, 6, largest), max_outer = 20000, tol = 1e-7)
        expect_true(all(converged(path)))
        expect_lt(kkt_violation(path, x), 1e-5)
    }
})

test_that("weights and gaps of 1 change no bit, and the multiplicative solvers do not use them", {
    x <- small_data(6)
    scales <- unweighted_scales(x, 5)
    ones <- scales
    ones$weight <- rep(1, 5)
    ones$gap <- c(NA, rep(1, 4))
    fit <- function(scales, solver) {
        fit_small(x, 2, c(1, 1, 0.1), scales = scales, max_outer = 6, tol = 0, solver = solver)@H
    }
    expect_identical(fit(ones, "hals"), fit(scales, "hals"))
    expect_false(identical(fit(weighted_scales(x, 5), "hals"), fit(scales, "hals")))
    for (solver in c("mu", "authors")) {
        expect_identical(fit(weighted_scales(x, 5), solver), fit(scales, solver))
    }
})

test_that("weights that are not positive, or not one for each scale, are refused", {
    x <- small_data(6)
    for (bad in list(rep(1, 3), c(1, 1, 0, 1, 1), c(1, NA, 1, 1, 1), rep("1", 5))) {
        scales <- persistence_scales(x, n_scales = 5)
        scales$weight <- bad
        expect_error(pnmf(x, rank = 2, scales = scales), "positive 'weight' and 'gap'", class = "pnmf_error")
        scales$weight <- NULL
        scales$gap <- bad
        expect_error(pnmf(x, rank = 2, scales = scales), "positive 'weight' and 'gap'", class = "pnmf_error")
    }
})

test_that("factors are nonnegative and no column of W is longer than 1, from any start", {
    x <- 50 * small_data(4)
    for (start in list("nndsvda", "random", lapply(random_start(4, x, 3), `*`, 1e3))) {
        for (lambdas in lambda_sets) {
            path <- fit_small(x, 3, lambdas, max_outer = 9, tol = 0, start = start)
            lengths <- vapply(path@W, function(W) sqrt(colSums(W^2)), numeric(3))
            expect_lte(max(lengths), 1 + 1e-12)
            expect_gte(min(unlist(path@W), unlist(path@H)), 0)
        }
    }
})

test_that("a converged path satisfies the KKT conditions of the constrained model", {
    for (lambdas in list(c(1, 1, 0.1), c(10, 10, 1), c(2, 0, 0.5), c(0, 3, 0.1))) {
        x <- small_data(5)
        # The residual is quadratic in the gradient.
        path <- fit_small(x, 3, lambdas, max_outer = 5000, tol = 1e-7)
        expect_true(all(converged(path)))
        expect_lte(max(path@convergence$scales$residual), 1e-14)
        expect_lt(nrow(objective(path)), 5000)
        expect_lt(kkt_violation(path, x), 1e-5)
    }
})

test_that("the KKT check of these tests sees a path that is not stationary", {
    x <- small_data(5)
    path <- fit_small(x, 3, c(1, 1, 0.1), max_outer = 2, tol = 0)
    expect_gt(kkt_violation(path, x), 1e-3)
    expect_gt(max(path@convergence$scales$residual), 1e-8)
})

test_that("stopping early warns, names max_outer, and still returns the path", {
    x <- small_data(6)
    expect_warning(path <- fit_small(x, 3, c(1, 1, 0.1), max_outer = 2, tol = 1e-7),
                   "10 of 10 scales \\(1-10\\) still move after 2 sweeps.*largest residual .*max_outer = 4\\)",
                   class = "pnmf_warning")
    expect_s4_class(path, "pNMFPath")
    expect_identical(nrow(objective(path)), 2L)
    expect_false(all(converged(path)))
    expect_no_warning(fit_small(x, 3, c(1, 1, 0.1), max_outer = 2, tol = 0))
    expect_no_warning(fit_small(x, 3, c(1, 1, 0.1), max_outer = 500, tol = 1e-2))
})

test_that("1, 2 and 4 threads give identical results", {
    x <- small_data(7, features = 120, cells = 30)
    fit <- function(data, threads, scales = NULL) {
        path <- pnmf(data, rank = 4, scales = scales,
                     control = pnmf_control(max_outer = 12, tol = 0, threads = threads, record = TRUE))
        list(path@W, path@H, objective(path), path@convergence)
    }
    for (data in list(x, as_sparse(x))) {
        one <- fit(data, 1)
        expect_identical(fit(data, 2), one)
        expect_identical(fit(data, 4), one)
        # Fewer scales than threads: the threads work inside a scale.
        few <- fit(data, 1, scales = 2)
        expect_identical(fit(data, 2, scales = 2), few)
        expect_identical(fit(data, 4, scales = 2), few)
    }
})

test_that("sparse and dense data give the same path", {
    for (seed in 8:9) {
        x <- small_data(seed, features = 40, cells = 15, zeros = 0.6)
        dense <- fit_small(x, 3, c(1, 1, 0.1), max_outer = 20, tol = 0)
        sparse <- fit_small(as_sparse(x), 3, c(1, 1, 0.1), max_outer = 20, tol = 0)
        expect_lt(path_difference(sparse, list(W = dense@W, H = dense@H)), 1e-10)
        expect_equal(objective(sparse)$objective, objective(dense)$objective, tolerance = 1e-12)
    }
})

test_that("without penalties every scale is plain nonnegative matrix factorisation", {
    x <- small_data(10)
    path <- fit_small(x, 3, c(0, 0, 0), max_outer = 2000, tol = 1e-7)
    start <- ref_nndsvda(x, 3)
    no_graph <- matrix(0, ncol(x), ncol(x))
    plain <- plain_gnmf(x, list(W = start$W, H = start$H * sqrt(sum(x^2))), no_graph)
    errors <- vapply(seq_len(n_scales(path)), function(t) ref_fit(x, path@W[[t]], path@H[[t]]), numeric(1))
    expect_equal(errors, rep(plain$value, n_scales(path)), tolerance = 1e-6)
})

test_that("one scale is graph-regularised factorisation with the same constraint", {
    x <- small_data(11)
    for (lambdas in list(c(1, 0, 0.1), c(10, 7, 0), c(0, 0, 1))) {
        path <- fit_small(x, 3, lambdas, scales = unweighted_scales(x, 1), max_outer = 2000, tol = 1e-7)
        L <- path_laplacians(path)[[1]]
        plain <- function(start, rounds) plain_gnmf(x, start, L, lambdas[1], lambdas[3], rounds)$value
        # The problem is not convex: the other method may end elsewhere, but not lower, nor can it improve the path.
        expect_lt(last_objective(path), plain(do.call(ref_unit_columns, ref_nndsvda(x, 3)), 150) * (1 + 1e-6))
        expect_equal(plain(list(W = path@W[[1]], H = path@H[[1]]), 20), last_objective(path), tolerance = 1e-9)
    }
})

test_that("one factor at one scale is an eigenvalue problem", {
    # For |w| = 1 the best h is (M)^-1 X'w with M = (1 + l3) I + l1 L, so that w is the leading eigenvector of
    # X M^-1 X' (nonnegative, as M^-1 and X are) and the objective |X|^2 less the eigenvalue.
    x <- small_data(12)
    for (lambdas in list(c(0, 0, 0), c(3, 0, 0.1), c(100, 1, 2))) {
        path <- fit_small(x, 1, lambdas, scales = unweighted_scales(x, 1), max_outer = 2000, tol = 1e-8)
        M <- (1 + lambdas[3]) * diag(ncol(x)) + lambdas[1] * path_laplacians(path)[[1]]
        leading <- eigen(x %*% solve(M, t(x)), symmetric = TRUE)
        expect_equal(last_objective(path), sum(x^2) - leading$values[1], tolerance = 1e-10)
        direction <- path@W[[1]] / sqrt(sum(path@W[[1]]^2))
        expect_equal(direction, abs(leading$vectors[, 1, drop = FALSE]), tolerance = 1e-5)
    }
})

test_that("permuting the cells permutes the embeddings", {
    x <- small_data(12)
    order <- with_random_state(12, sample(ncol(x)))
    path <- fit_small(x, 3, c(1, 1, 0.1), max_outer = 3000, tol = 1e-7)
    permuted <- fit_small(x[, order], 3, c(1, 1, 0.1), max_outer = 3000, tol = 1e-7)
    # Cells are updated in turn, so the two agree as far as both have converged.
    expect_lt(largest_difference(permuted@H, lapply(path@H, function(H) H[, order])), 1e-4 * max(unlist(path@H)))
})

test_that("extrapolation saves sweeps", {
    x <- simulate_circles(seed = 1)
    fit <- function(extrapolate) {
        last_objective(pnmf(x, rank = 2, scales = 20, lambda_graph = 100, lambda_smooth = 100,
                            control = pnmf_control(max_outer = 30, tol = 0, extrapolate = extrapolate)))
    }
    expect_lt(fit(TRUE), fit(FALSE))
})

test_that("the simulation is solved to below 5,842,000 in at most 60 sweeps", {
    x <- shared_data("concentric_circles")$X
    path <- fit_circles(x, anchor = 0.1, max_outer = 60, tol = 0)
    expect_lt(last_objective(path), 5842000)
    expect_equal(last_objective(path), direct_objective(path, x), tolerance = 1e-10)
})

test_that("the four circles are apart at the finest scale, merged at the coarsest, and emerge outermost first", {
    circles <- shared_data("concentric_circles")
    path <- fit_circles(circles$X, anchor = 0.1, max_outer = 60, tol = 0)
    expect_identical(share_outside(embedding(path, 1), circles$y), c(1, 1, 1))
    radii <- ring_radii(path, circles$y)
    expect_true(all(diff(radii[1, ]) > 3)) # innermost to outermost
    expect_true(all(radii[n_scales(path), ] < 0.02 * radii[1, ]))
    expect_true(all(diff(emergence(radii)) > 0))
    # Step by step: no ring's radius grows towards the coarse end.
    expect_true(all(apply(radii, 2, largest_rise) < 1e-3 * radii[1, ]))
})

test_that("more factors than vector registers hold follow the same rules", {
    # Up to 32 factors a cell's coordinates stay in registers; beyond that they are updated in memory.
    # Factors that are much alike make a step with an outdated gradient overshoot.
    x <- small_data(9, features = 60, cells = 50, groups = 2, zeros = 0)
    for (rank in c(32, 33, 40, 48)) {
        start <- lapply(random_start(9, x, rank), `+`, 1)
        path <- fit_small(x, rank, c(1, 1, 0.1), scales = 3, max_outer = 15, tol = 0, record = TRUE, start = start)
        slack <- rounding_of_objective(path, x)
        expect_lte(largest_rise(path@convergence$updates$objective), slack)
        expect_equal(last_objective(path), direct_objective(path, x), tolerance = 1e-10)
        expect_gte(min(unlist(path@W), unlist(path@H)), 0)
    }
    # Without penalties, new cells are projected on the basis.
    path <- fit_small(x, 48, c(0, 0, 0), scales = 3, max_outer = 15, tol = 0, start = start)
    new <- small_data(10, features = 60, cells = 6)
    H <- t(predict(path, new, t = 2))
    W <- loading(path, 2)
    expect_lt(max(abs(free_gradient(H, t(W) %*% (W %*% H - new)))), 1e-6 * max(t(W) %*% new))
})
