small_problem <- function(features = 12, cells = 20, rank = 3) {
    with_random_state(1, list(
        x = matrix(stats::rexp(features * cells), features, cells), rank = rank,
        start = list(W = matrix(stats::runif(features * rank), features), H = matrix(stats::runif(rank * cells), rank))
    ))
}
weights <- c(1, 0, 1, 0, 1, 0, 1, 1)
# The four methods with the settings of the paper's comparison, on data with enough cells.
all_methods <- function(x, rank, ...) {
    list(NMF = fit_nmf(x, rank, ...), GNMF = fit_gnmf(x, rank, 15, 0.1, ...),
         TNMF = fit_tnmf(x, rank, 10, weights, 0.1, ...), kTNMF = fit_ktnmf(x, rank, weights, 1, ...))
}
loss_of <- function(fit, x) {
    penalty <- if (is.null(fit$graph)) 0 else ref_roughness(fit$H, ref_laplacian(unname(as.matrix(fit$graph))))
    ref_fit(unname(as.matrix(x)), fit$W, fit$H) + fit$parameters$lambda * penalty
}

test_that("from the authors' start all four embeddings are the authors'", {
    x <- shared_data("DC1.rds")$X
    authors <- shared_data("DC1_authors_baselines.rds")
    start <- list(W = authors$W0, H = authors$H0)
    fits <- all_methods(x, 17, start = start)
    # 1e-7 is required; the same operations in another order agree to about 3e-15
    for (method in names(fits)) expect_lt(max(abs(fits[[method]]$H - authors[[method]])), 1e-10)
    expect_identical(vapply(fits, `[[`, integer(1), "steps"), c(NMF = 38L, GNMF = 26L, TNMF = 32L, kTNMF = 23L))
    own_start <- fit_gnmf(x, 17, 15, 0.1)
    expect_lt(max(abs(own_start$H - authors$GNMF)), 1e-7)
})

test_that("the multiplicative solver equals the plain-R reference step by step", {
    p <- small_problem()
    fits <- all_methods(p$x, p$rank, start = p$start)
    for (fit in fits) {
        A <- if (!is.null(fit$graph)) unname(as.matrix(fit$graph))
        wanted <- ref_baseline(p$x, p$start$W, p$start$H, A, fit$parameters$lambda)
        expect_equal(fit$W, wanted$W, tolerance = 1e-10)
        expect_equal(fit$H, wanted$H, tolerance = 1e-10)
        expect_equal(fit$steps, wanted$steps)
    }
    seven <- fit_gnmf(p$x, p$rank, 5, 10, start = p$start, tol = 0, max_steps = 7)
    wanted <- ref_baseline(p$x, p$start$W, p$start$H, ref_gnmf_graph(p$x, 5), 10, tol = 0, max_steps = 7)
    expect_equal(seven$H, wanted$H, tolerance = 1e-10)
    expect_identical(c(seven$steps, seven$converged), c(7L, FALSE))
})

test_that("the loss is that of the factors returned, whose basis has unit columns, for both solvers", {
    p <- small_problem()
    for (solver in c("mu", "hals")) {
        for (fit in all_methods(p$x, p$rank, solver = solver)) {
            expect_equal(fit$loss, loss_of(fit, p$x), tolerance = 1e-10)
            expect_equal(colSums(fit$W^2), rep(1, p$rank), tolerance = 1e-12)
            expect_true(all(fit$W >= 0) && all(fit$H >= 0))
            expect_true(fit$converged)
        }
    }
})

test_that("hals never raises the loss and ends below the multiplicative solver", {
    p <- small_problem()
    after <- function(steps) {
        fit_gnmf(p$x, p$rank, 5, 2, start = p$start, solver = "hals", tol = 0, max_steps = steps)$loss
    }
    losses <- vapply(1:30, after, numeric(1))
    expect_true(all(diff(losses) <= 1e-10 * losses[1]))
    slow <- all_methods(p$x, p$rank, start = p$start, tol = 1e-6)
    fast <- all_methods(p$x, p$rank, start = p$start, tol = 1e-4, solver = "hals")
    for (method in names(slow)) {
        # both stop near a local minimum; hals must not stop short of it
        expect_lt(fast[[method]]$loss, 1.001 * slow[[method]]$loss)
        expect_lt(fast[[method]]$steps, slow[[method]]$steps)
    }
})

test_that("hals ends where no entry of H can lower the loss", {
    p <- small_problem()
    # the residual that tol bounds is quadratic in the gradient
    fit <- fit_gnmf(p$x, p$rank, 5, 2, start = p$start, solver = "hals", tol = 1e-6, max_steps = 5000)
    L <- ref_laplacian(unname(as.matrix(fit$graph)))
    gradient <- ref_gradient_h(p$x, fit$W, fit$H, L, list(), 2, 0, 0)
    size <- sqrt(sum(p$x^2))
    expect_gt(min(gradient), -1e-5 * size)
    expect_lt(max(abs(gradient * (fit$H > 0))), 1e-5 * size)
})

test_that("lambda = 0 is plain NMF", {
    p <- small_problem()
    for (solver in c("mu", "hals")) {
        plain <- fit_nmf(p$x, p$rank, solver = solver)
        expect_equal(fit_gnmf(p$x, p$rank, 5, lambda = 0, solver = solver)$H, plain$H)
    }
})

test_that("sparse and dense data give the same fits, and any number of threads identical ones", {
    p <- small_problem()
    p$x[p$x < 0.7] <- 0
    for (solver in c("mu", "hals")) {
        dense <- all_methods(p$x, p$rank, solver = solver, threads = 1)
        sparse <- all_methods(Matrix::Matrix(p$x, sparse = TRUE), p$rank, solver = solver, threads = 1)
        threaded <- all_methods(p$x, p$rank, solver = solver, threads = 4)
        for (method in names(dense)) {
            # another order of summation; an active set could differ only in entries of that size
            expect_equal(sparse[[method]]$H, dense[[method]]$H, tolerance = 1e-6)
            expect_identical(threaded[[method]]$H, dense[[method]]$H)
        }
    }
})

test_that("permuting cells permutes the embedding", {
    p <- small_problem()
    order <- with_random_state(2, sample(ncol(p$x)))
    start <- list(W = p$start$W, H = p$start$H[, order])
    fit <- fit_ktnmf(p$x, p$rank, c(2, 1), start = p$start)
    permuted <- fit_ktnmf(p$x[, order], p$rank, c(2, 1), start = start)
    expect_equal(permuted$H, fit$H[, order], tolerance = 1e-9)
})

test_that("rank defaults to the root of the number of cells, and a limit of steps warns", {
    p <- small_problem()
    expect_identical(n_factors(fit_nmf(p$x)), 5L)
    expect_warning(fit <- fit_gnmf(p$x, 3, 5, max_steps = 2, tol = 1e-12), "GNMF did not converge in 2 steps",
                   class = "pnmf_warning")
    expect_false(converged(fit))
    expect_no_warning(fit_nmf(p$x, 3, max_steps = 2, tol = 0))
})

test_that("the defaults are the settings of the paper's comparison", {
    p <- small_problem()
    wanted <- all_methods(p$x, p$rank)
    expect_identical(fit_gnmf(p$x, p$rank), wanted$GNMF)
    expect_identical(fit_tnmf(p$x, p$rank), wanted$TNMF)
    expect_identical(fit_ktnmf(p$x, p$rank), wanted$kTNMF)
})

test_that("the session's random numbers are left alone", {
    p <- small_problem()
    set.seed(1)
    before <- .Random.seed
    all_methods(p$x, p$rank)
    expect_identical(.Random.seed, before)
})

test_that("bad arguments are refused with the argument named", {
    p <- small_problem()
    refused <- function(expr, message) expect_error(expr, message, class = "pnmf_error")
    refused(fit_nmf(p$x, 0), "'rank' must be a whole number between 1 and 12, not 0")
    refused(fit_nmf(p$x, 13), "'rank'")
    refused(fit_nmf(p$x, 2.5), "'rank'")
    refused(fit_gnmf(p$x, 3, lambda = -1), "'lambda' must be a finite number of at least 0, not -1")
    refused(fit_gnmf(p$x, 3, lambda = NA), "'lambda'")
    refused(fit_gnmf(p$x, 3, lambda = Inf), "'lambda'")
    refused(fit_gnmf(p$x, 3, n_neighbors = 20), "'n_neighbors' must be a whole number between 1 and 19, not 20")
    refused(fit_gnmf(p$x, 3, n_neighbors = 0), "'n_neighbors'")
    refused(fit_tnmf(p$x, 3, n_neighbors = 20), "'n_neighbors'")
    for (bad in list(c(1, -1), c(0, 0), numeric(), c(1, NA), c(1, Inf), "a", NULL)) {
        refused(fit_tnmf(p$x, 3, weights = bad), "'weights' must be finite numbers of at least 0, not all of them 0")
        refused(fit_ktnmf(p$x, 3, weights = bad), "'weights'")
    }
    refused(fit_ktnmf(p$x, 3, weights = rep(1, 20)),
            "'weights' must have at most 19 entries, one less than the number of cells")
    refused(fit_nmf(replace(p$x, 5, NA), 3), "'x' must be finite, but 1 entry is NA")
    refused(fit_nmf(-p$x, 3), "'x' must be nonnegative")
    refused(fit_nmf(0 * p$x, 3), "'x' must have a positive entry")
    refused(fit_nmf(p$x[, 1, drop = FALSE], 1), "'x' must have at least two cells")
    refused(fit_nmf("a", 3), "'x' must be a numeric matrix")
    refused(fit_nmf(p$x, 3, start = p$start$W), "'start' must be NULL or a list with W and H")
    refused(fit_nmf(p$x, 2, start = p$start), "'start\\$W' must be a 12 x 2 matrix, not a 12 x 3 matrix")
    refused(fit_nmf(p$x, 3, start = list(W = p$start$W, H = t(p$start$H))), "'start\\$H' must be a 3 x 20 matrix")
    refused(fit_nmf(p$x, 3, start = list(W = -p$start$W, H = p$start$H)), "'start\\$W' must be nonnegative")
    refused(fit_nmf(p$x, 3, max_steps = 0), "'max_steps'")
    refused(fit_nmf(p$x, 3, tol = -1), "'tol'")
    refused(fit_nmf(p$x, 3, threads = 0), "'threads'")
    refused(fit_nmf(p$x, 3, solver = "authors"), "'solver' must be one of \"mu\", \"hals\"")
})
