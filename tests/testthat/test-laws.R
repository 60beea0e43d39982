# Laws of the whole pipeline on random small problems; those of the core alone are in tests/cpp/test_laws.cpp.
# PNMF_FUZZ_SEED chooses other problems; labels name the seed of a failing one.

first_seed <- function() as.integer(Sys.getenv("PNMF_FUZZ_SEED", "1"))

# A random problem: 2-40 cells, 1-30 features, duplicated cells, constant and empty features, any density, values and
# penalties over many orders of magnitude.
random_law_problem <- function(seed) {
    with_random_state(seed, {
        cells <- sample(2:40, 1)
        features <- sample(1:30, 1)
        density <- stats::runif(1, 0.2, 1)
        x <- matrix(stats::rexp(features * cells) * stats::rbinom(features * cells, 1, density), features)
        if (stats::runif(1) < 0.3) x[, sample(cells, 1)] <- x[, sample(cells, 1)]
        if (stats::runif(1) < 0.3) x[sample(features, 1), ] <- 0.5
        if (stats::runif(1) < 0.3) x[sample(features, 1), ] <- 0
        x[1, 1] <- 1
        rank <- sample(min(cells, features, 5), 1)
        draw <- function(rows, columns) matrix(stats::runif(rows * columns), rows)
        list(x = x * 10^stats::runif(1, -3, 3), rank = rank, lambdas = 10^stats::runif(3, -6, 6),
             start = list(W = draw(features, rank), H = draw(rank, cells)))
    })
}

for_law_problems <- function(n, law) {
    for (seed in first_seed() + seq_len(n) - 1L) law(random_law_problem(seed), sprintf("PNMF_FUZZ_SEED=%d", seed))
}

law_fit <- function(p, x = p$x, solver = "hals", scales = NULL, sweeps = 2, start = p$start, ...) {
    pnmf(x, rank = p$rank, scales = scales, lambda_graph = p$lambdas[1], lambda_smooth = p$lambdas[2],
         lambda_anchor = p$lambdas[3], solver = solver, ...,
         control = pnmf_control(max_outer = sweeps, max_inner = 2, tol = 0, threads = 1, start = start))
}

sound_path <- function(path) {
    numbers <- unlist(c(path@W, path@H))
    all(is.finite(numbers)) && all(numbers >= 0) && all(is.finite(objective(path)$objective))
}

test_that("paths of random problems are finite, nonnegative and no sweep raises the objective", {
    for_law_problems(80, function(p, label) {
        for (solver in c("hals", "mu")) {
            path <- law_fit(p, solver = solver)
            expect_true(sound_path(path), label = paste(solver, label))
            size <- n_scales(path) * sum(p$x^2) + max(objective(path)$objective)
            expect_lte(largest_rise(objective(path)$objective), 1e-11 * size, label = paste(solver, label))
        }
        expect_true(sound_path(law_fit(p, solver = "authors")), label = label)
    })
})

test_that("Algorithm 1 in C++ is the plain-R reference on random problems", {
    for_law_problems(40, function(p, label) {
        # A start of the data's size, and penalties that leave it in charge: beyond, rounding is amplified.
        p$x <- p$x / max(p$x)
        p$lambdas <- 10^(log10(p$lambdas) / 6)
        path <- law_fit(p, solver = "mu")
        A <- lapply(path_laplacians(path), function(L) diag(diag(L), nrow(L)) - L)
        reference <- ref_mu(p$x, p$rank, A, p$lambdas[1], p$lambdas[2], p$lambdas[3], 2, 2, start = p$start)
        expect_lt(path_difference(path, reference), 1e-8, label = label)
        expect_equal(objective(path)$objective, reference$objective, tolerance = 1e-9, label = label)
    })
})

test_that("sparse and dense input have the same scales and, for one sweep, the same objective", {
    for_law_problems(50, function(p, label) {
        dense <- law_fit(p, sweeps = 1)
        # Scales are handed over: a distance may have another last bit, and with it an edge more or less.
        sparse <- law_fit(p, as_sparse(p$x), sweeps = 1, scales = dense@scales)
        expect_equal(persistence_scales(as_sparse(p$x))$mst$length, dense@scales$mst$length, tolerance = 1e-7,
                     label = label)
        size <- n_scales(dense) * sum(p$x^2) + last_objective(dense)
        expect_lte(abs(last_objective(sparse) - last_objective(dense)), 1e-8 * size, label = label)
    })
})

test_that("1, 2 and 3 threads give the same bits", {
    for_law_problems(25, function(p, label) {
        fit <- function(threads) {
            control <- pnmf_control(max_outer = 3, tol = 0, threads = threads)
            path <- pnmf(p$x, rank = p$rank, control = control)
            list(path@W, path@H, objective(path), thresholds(path))
        }
        one <- fit(1)
        expect_identical(fit(2), one, label = label)
        expect_identical(fit(3), one, label = label)
    })
})

test_that("permuting cells permutes scales and embeddings, permuting features permutes bases", {
    for_law_problems(40, function(p, label) {
        order <- with_random_state(p$rank, list(cells = sample(ncol(p$x)), features = sample(nrow(p$x))))
        path <- law_fit(p, solver = "mu", sweeps = 1)
        moved <- p$x[order$features, order$cells, drop = FALSE]
        start <- list(W = p$start$W[order$features, , drop = FALSE], H = p$start$H[, order$cells, drop = FALSE])
        again <- law_fit(p, moved, solver = "mu", sweeps = 1, start = start)
        # Features in another order: sums of squares with another last bit.
        expect_equal(thresholds(again), thresholds(path), tolerance = 1e-12, label = label)
        expect_identical(again@scales$betti0, path@scales$betti0, label = label)
        size <- n_scales(path) * sum(p$x^2) + last_objective(path)
        expect_lte(abs(last_objective(again) - last_objective(path)), 1e-8 * size, label = label)
    })
})

test_that("multiplying the data by c multiplies thresholds and embeddings by c and the objective by c^2", {
    # With alpha = 2 weights depend on ratios of lengths only; a power of two changes no digit.
    for_law_problems(40, function(p, label) {
        factor <- 2^with_random_state(p$rank, sample(-40:40, 1))
        path <- law_fit(p, alpha = 2)
        start <- list(W = p$start$W, H = factor * p$start$H)
        again <- law_fit(p, factor * p$x, alpha = 2, start = start)
        expect_identical(again@scales$mst$length, factor * path@scales$mst$length, label = label)
        expect_equal(again@H, lapply(path@H, `*`, factor), tolerance = 1e-6, label = label)
        expect_equal(last_objective(again), factor^2 * last_objective(path), tolerance = 1e-9, label = label)
    })
})

test_that("a thousand fits leave nothing behind", {
    skip_unless_slow()
    skip_if_not(file.exists("/proc/self/statm"), "resident memory is read from /proc")
    skip_if(nzchar(Sys.getenv("ASAN_OPTIONS")), "AddressSanitizer holds freed memory back")
    # In a session of its own, where nothing else moves. Megabytes after every 400 fits.
    resident <- in_child_session(quote({
        x <- Matrix::Matrix(outer(1:30, 1:25, function(i, j) pmax(sin(i * j), 0)), sparse = TRUE)
        scales <- persistence_scales(x, n_scales = 6)
        control <- pnmf_control(max_outer = 2, tol = 0, threads = 2)
        vapply(1:4, function(round) {
            for (k in 1:400) pnmf(x, rank = 3, scales = scales, control = control)
            gc(full = TRUE)
            as.numeric(strsplit(readLines("/proc/self/statm"), " ")[[1]][2]) * 4096 / 2^20
        }, numeric(1))
    }))
    # The allocators settle in the first rounds. One arena of threads left behind per call took 70 MB a round.
    expect_lt(resident[4] - resident[3], 5)
})
