test_that("NNDSVDA is the default start", {
    x <- small_data(1)
    path <- fit_small(x, 3, c(1, 1, 1), "mu", max_outer = 2, tol = 0)
    given <- fit_small(x, 3, c(1, 1, 1), "mu", max_outer = 2, tol = 0, start = ref_nndsvda(x, 3))
    expect_equal(path@H, given@H, tolerance = 1e-10)
})

test_that("one pair of factors starts every scale, a list of pairs each its own", {
    x <- small_data(2)
    shared <- random_start(2, x, 3)
    fit <- function(start) fit_small(x, 3, c(1, 1, 1), "mu", max_outer = 2, tol = 0, start = start)
    repeated <- lapply(shared, function(factor) rep(list(factor), 10))
    expect_identical(fit(repeated)@H, fit(shared)@H)
    own <- list(W = lapply(1:10, function(t) random_start(t, x, 3)$W),
                H = lapply(1:10, function(t) random_start(t, x, 3)$H))
    reference <- ref_mu(x, 3, ref_adjacencies(x), 1, 1, 1, max_outer = 2, max_inner = 10, start = own)
    expect_lt(path_difference(fit(own), reference), 1e-10)
})

test_that("hals goes on from given factors and never ends above them", {
    x <- small_data(3)
    start <- list(W = lapply(1:10, function(t) unit_ball_columns(random_start(t, x, 3)$W)),
                  H = lapply(1:10, function(t) random_start(t, x, 3)$H))
    A <- ref_adjacencies(x)
    before <- ref_objective(x, start$W, start$H, lapply(A, ref_laplacian), 1, 1, 0.1)
    path <- fit_small(x, 3, c(1, 1, 0.1), max_outer = 1, tol = 0, start = start)
    expect_lt(last_objective(path), before)
    optimum <- fit_small(x, 3, c(1, 1, 0.1), max_outer = 3000, tol = 1e-7)
    again <- fit_small(x, 3, c(1, 1, 0.1), max_outer = 3, tol = 0, start = list(W = optimum@W, H = optimum@H))
    expect_equal(last_objective(again), last_objective(optimum), tolerance = 1e-10)
})

test_that("integer and named factors are accepted as starts", {
    x <- small_data(4)
    start <- list(W = matrix(1:2, 20, 2), H = matrix(2:1, 2, 10))
    named <- list(H = `colnames<-`(start$H + 0, letters[1:10]), W = start$W + 0)
    fit <- function(start) fit_small(x, 2, c(1, 1, 1), max_outer = 2, tol = 0, start = start)
    expect_identical(fit(start)@H, fit(named)@H)
})

test_that("an earlier path is a warm start: other weights need fewer sweeps", {
    x <- simulate_circles(seed = 1)
    fit <- function(graph, start, tol = 1e-5, scales = 15) {
        suppressWarnings(pnmf(x, rank = 2, scales = scales, lambda_graph = graph, lambda_smooth = 100,
                              control = pnmf_control(max_outer = 500, tol = tol, start = start)))
    }
    earlier <- fit(100, "nndsvda")
    cold <- fit(110, "nndsvda")
    warm <- fit(110, earlier)
    expect_lt(nrow(objective(warm)), nrow(objective(cold)))
    expect_equal(last_objective(warm), last_objective(cold), tolerance = 1e-3)
    # As early as a prediction can be made: six windows of three sweeps.
    expect_lte(nrow(objective(fit(100, earlier, tol = 1e-3))), 18)
})

test_that("an earlier path starts more scales, each from the nearest threshold", {
    x <- small_data(5)
    few <- fit_small(x, 2, c(1, 1, 0.1), scales = 3, max_outer = 20, tol = 0)
    start <- initial_factors(x, persistence_scales(x), list(rank = 2, control = pnmf_control(start = few)))
    nearest <- vapply(ref_thresholds(x), function(eps) which.min(abs(thresholds(few) - eps)), integer(1))
    expect_identical(start$H, few@H[nearest])
    expect_identical(start$W, few@W[nearest])
    expect_false(start$chain)
    more <- fit_small(x, 2, c(1, 1, 0.1), max_outer = 1, tol = 0, start = few)
    expect_identical(n_scales(more), 10L)
})

test_that("random starts depend on the seed only and leave the session's generator alone", {
    x <- small_data(6)
    fit <- function(seed) fit_small(x, 3, c(1, 1, 0.1), max_outer = 3, tol = 0, start = "random", seed = seed)
    set.seed(99)
    before <- .Random.seed
    one <- fit(1)
    expect_identical(.Random.seed, before)
    stats::runif(5)
    expect_identical(fit(1)@H, one@H)
    expect_false(identical(fit(2)@H, one@H))
    expect_identical(fit(NULL)@H, fit(NULL)@H)
    start <- random_factors(x, 3, 1)
    expect_true(all(start$W > 0) && all(start$H > 0))
    expect_equal(mean(start$W %*% start$H), mean(x), tolerance = 0.5)
})

test_that("no start of any kind touches a session without a generator state", {
    x <- small_data(7)
    set.seed(1)
    rm(".Random.seed", envir = globalenv())
    for (start in list("nndsvda", "random")) fit_small(x, 2, c(1, 1, 1), max_outer = 2, tol = 0, start = start)
    expect_false(exists(".Random.seed", envir = globalenv(), inherits = FALSE))
})

test_that("starts that do not fit are refused with the reason", {
    x <- small_data(8)
    good <- random_start(8, x, 2)
    fit <- function(start) fit_small(x, 2, c(1, 1, 1), start = start)
    expect_error(fit(list(W = good$W[-1, ], H = good$H)), "'start\\$W' must be a 20 x 2 matrix, not a 19 x 2",
                 class = "pnmf_error")
    expect_error(fit(list(W = good$W, H = good$H[, -1])), "'start\\$H' must be a 2 x 10 matrix, not a 2 x 9",
                 class = "pnmf_error")
    expect_error(fit(list(W = t(good$W), H = good$H)), "'start\\$W' must be", class = "pnmf_error")
    expect_error(fit(random_start(8, x, 3)), "20 x 2 matrix, not a 20 x 3", class = "pnmf_error")
    expect_error(fit(list(W = -good$W, H = good$H)), "'start\\$W' must be nonnegative", class = "pnmf_error")
    expect_error(fit(list(W = good$W, H = -good$H)), "'start\\$H' must be nonnegative", class = "pnmf_error")
    expect_error(fit(list(W = good$W, H = good$H * NA)), "'start\\$H' must be finite", class = "pnmf_error")
    expect_error(fit(list(W = good$W / 0, H = good$H)), "'start\\$W' must be finite", class = "pnmf_error")
    expect_error(fit(list(W = "a", H = good$H)), "'start'", class = "pnmf_error")
    expect_error(fit(list(W = NULL, H = NULL)), "'start'", class = "pnmf_error")
    expect_error(fit(list(W = list(good$W, good$W), H = list(good$H, good$H))), "all 10 scales, not 2 and 2",
                 class = "pnmf_error")
    expect_error(fit(list(W = rep(list(good$W), 10), H = rep(list(good$H), 9))), "not 10 and 9", class = "pnmf_error")
    expect_error(fit(list(W = rep(list(good$W), 10), H = rep(list("a"), 10))), "'start\\$H' must be",
                 class = "pnmf_error")
    other <- fit_small(x, 3, c(1, 1, 1), max_outer = 1, tol = 0)
    expect_error(fit(other), "'start' must be a path of 20 features, 10 cells and rank 2", class = "pnmf_error")
    expect_error(fit_small(x[, -1], 3, c(1, 1, 1), start = other), "9 cells", class = "pnmf_error")
})
