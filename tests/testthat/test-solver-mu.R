test_that("the C++ path equals the plain-R Algorithm 1, dense and sparse", {
    for (seed in 1:2) {
        x <- small_data(seed)
        reference <- ref_mu(x, 3, ref_adjacencies(x), 2, 3, 0.5, max_outer = 5, max_inner = 4)
        for (data in list(x, as_sparse(x))) {
            path <- fit_small(data, 3, c(2, 3, 0.5), "mu", max_outer = 5, max_inner = 4, tol = 0)
            expect_lt(path_difference(path, reference), 1e-10)
            expect_equal(objective(path)$objective, reference$objective, tolerance = 1e-10)
        }
    }
})

test_that("paths of one, two and three scales treat the boundary scales as the reference does", {
    x <- small_data(3)
    for (kept in list(5, c(1, 10), c(1, 6, 10))) {
        scales <- persistence_scales(x, n_scales = length(kept), thin = "index")
        A <- ref_adjacencies(x)[kept]
        reference <- ref_mu(x, 2, A, 1, 10, 1, max_outer = 6, max_inner = 3)
        path <- fit_small(x, 2, c(1, 10, 1), "mu", scales = scales, max_outer = 6, max_inner = 3, tol = 0)
        expect_lt(path_difference(path, reference), 1e-10)
    }
})

test_that("zeros of the start are lifted where the gradient is negative, as in the reference", {
    x <- small_data(4)
    start <- random_start(4, x, 3, zeros = 0.5)
    reference <- ref_mu(x, 3, ref_adjacencies(x), 1, 1, 1, max_outer = 3, max_inner = 2, start = start)
    path <- fit_small(x, 3, c(1, 1, 1), "mu", max_outer = 3, max_inner = 2, tol = 0, start = start)
    expect_lt(path_difference(path, reference), 1e-10)
    expect_gt(sum(path@H[[1]][start$H == 0] > 0), 0)
})

test_that("tol = 0 gives exact numbers of sweeps and steps", {
    x <- small_data(5, cells = 6)
    path <- fit_small(x, 2, c(1, 1, 1), "mu", max_outer = 7, max_inner = 3, tol = 0, record = TRUE)
    n <- n_scales(path)
    expect_identical(nrow(objective(path)), 7L)
    expect_identical(objective(path)$outer, 1:7)
    expect_true(all(path@convergence$scales$steps == 3))
    updates <- path@convergence$updates
    expect_identical(nrow(updates), as.integer(7 * n * 3 * 2))
    expect_identical(updates$block, rep(c("H", "W"), 7 * n * 3))
    expect_identical(updates$t, rep(rep(seq_len(n), each = 6), 7))
    expect_identical(updates$outer, rep(1:7, each = 6 * n))
})

test_that("tol stops steps and sweeps where the reference stops them", {
    x <- small_data(6)
    reference <- ref_mu(x, 3, ref_adjacencies(x), 1, 1, 1, max_outer = 100, max_inner = 10, tol = 1e-3)
    path <- fit_small(x, 3, c(1, 1, 1), "mu", max_outer = 100, max_inner = 10, tol = 1e-3)
    expect_identical(nrow(objective(path)), length(reference$objective))
    expect_lt(nrow(objective(path)), 100)
    expect_lt(path_difference(path, reference), 1e-8) # hundreds of steps amplify rounding
})

test_that("the recorded objective after every update is the reference's", {
    x <- small_data(7, cells = 6)
    reference <- ref_mu(x, 2, ref_adjacencies(x), 1, 2, 1, max_outer = 3, max_inner = 2, record = TRUE)
    path <- fit_small(x, 2, c(1, 2, 1), "mu", max_outer = 3, max_inner = 2, tol = 0, record = TRUE)
    expect_equal(path@convergence$updates$objective, reference$trace[-1], tolerance = 1e-10)
})

test_that("the objective never rises, at any single update or sweep", {
    for (lambdas in list(c(0, 0, 0), c(1, 1, 1), c(100, 100, 1), c(0, 10, 0), c(10, 0, 0))) {
        x <- small_data(8)
        path <- fit_small(x, 3, lambdas, "mu", max_outer = 30, max_inner = 5, tol = 0, record = TRUE)
        slack <- rounding_of_objective(path, x)
        expect_lte(largest_rise(path@convergence$updates$objective), slack)
        expect_lte(largest_rise(objective(path)$objective), slack)
        expect_gt(-sum(diff(objective(path)$objective)), 0)
    }
})

test_that("on the simulation the objective falls at each of the 80 x 10 x 2 updates of every sweep", {
    x <- shared_data("concentric_circles")$X
    path <- fit_circles(x, "mu", max_outer = 10, max_inner = 10, tol = 0, record = TRUE, threads = 1)
    updates <- path@convergence$updates
    expect_identical(nrow(updates), 16000L)
    expect_lte(largest_rise(updates$objective), rounding_of_objective(path, x))
    expect_lte(largest_rise(objective(path)$objective), 0)
})

test_that("at the end the columns of W sum to 1 and W H is what it was", {
    x <- small_data(9)
    before <- ref_mu(x, 3, ref_adjacencies(x), 1, 1, 1, max_outer = 4, max_inner = 3, normalize = FALSE)
    path <- fit_small(x, 3, c(1, 1, 1), "mu", max_outer = 4, max_inner = 3, tol = 0)
    for (t in seq_len(n_scales(path))) {
        expect_equal(colSums(path@W[[t]]), rep(1, 3), tolerance = 1e-13)
        product <- before$W[[t]] %*% before$H[[t]]
        expect_equal(path@W[[t]] %*% path@H[[t]], product, tolerance = 1e-10)
    }
})

test_that("the default anchor is 1 and every scale starts from NNDSVDA", {
    x <- small_data(10)
    path <- pnmf(x, rank = 2, solver = "mu", control = pnmf_control(max_outer = 1, max_inner = 1, tol = 0))
    expect_identical(path@parameters$lambda_anchor, 1)
    reference <- ref_mu(x, 2, ref_adjacencies(x), 1, 1, 1, max_outer = 1, max_inner = 1)
    expect_lt(path_difference(path, reference), 1e-10)
})

test_that("the numbers of threads and the class of the data do not change the path", {
    x <- small_data(11, features = 60, cells = 25)
    fit <- function(data, threads) {
        pnmf(data, rank = 3, solver = "mu",
             control = pnmf_control(max_outer = 3, max_inner = 2, tol = 0, threads = threads))
    }
    one <- fit(x, 1)
    expect_identical(fit(x, 2)@H, one@H)
    expect_identical(fit(x, 4)@W, one@W)
    expect_lt(path_difference(fit(as_sparse(x), 2), list(W = one@W, H = one@H)), 1e-10)
})
