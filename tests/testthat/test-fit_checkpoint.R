solvers <- c("hals", "mu", "authors")

# One thread, so that forks can run it; a given start, because forks should not need the BLAS.
fit_rings <- function(x, solver, sweeps, checkpoint = NULL, resume = NULL, ...) {
    control <- pnmf_control(max_outer = sweeps, max_inner = 5, tol = 0, threads = 1, verbose = FALSE, start = "random",
                            seed = 1, checkpoint = checkpoint, ...)
    pnmf(x, rank = 3, scales = 6, lambda_graph = 100, solver = solver, control = control, resume = resume)
}

# Everything a fit computes.
expect_same_fit <- function(path, reference) {
    for (slot in c("scales", "W", "H", "objective", "convergence")) {
        expect_identical(methods::slot(path, slot), methods::slot(reference, slot))
    }
}

sweeps_of <- function(path) nrow(objective(path))

test_that("a resumed fit is the uninterrupted one, bit for bit, for every solver and kind of data", {
    x <- simulate_circles(seed = 1)
    for (solver in solvers) {
        for (data in list(x, as_sparse(x * (x > 10)))) {
            whole <- fit_rings(data, solver, 9, record = TRUE)
            for (sweeps in c(1, 5, 9)) {
                file <- new_file()
                fit_rings(data, solver, sweeps, checkpoint = file, record = TRUE)
                expect_same_fit(fit_rings(data, solver, 9, resume = file, record = TRUE), whole)
                expect_identical(list.files(dirname(file), basename(file)), basename(file))
                unlink(file)
            }
        }
    }
})

test_that("a fit killed at a random moment, 20 times, goes on bit for bit", {
    skip_on_cran()
    x <- simulate_circles(seed = 1)
    delays <- with_random_state(7, stats::runif(20, 0, 0.15))
    for (k in seq_along(delays)) {
        solver <- solvers[k %% 3 + 1]
        file <- new_file()
        endless <- in_fork(fit_rings(x, solver, 1e6, checkpoint = file))
        # Some are killed while the start is made, when there may be nothing to resume from.
        if (k > 3) expect_true(wait_for(file, 60))
        Sys.sleep(delays[k])
        end_fork(endless)
        if (!file.exists(file)) next
        reached <- sweeps_of(fit_rings(x, solver, 1, resume = file))
        resumed <- fit_rings(x, solver, reached + 3, checkpoint = file, resume = file)
        expect_same_fit(resumed, fit_rings(x, solver, reached + 3))
        unlink(c(file, paste0(file, ".part")))
    }
})

test_that("resuming a converged fit returns its path, and a smaller tolerance goes on from there", {
    x <- simulate_circles(seed = 1)
    file <- new_file()
    fit <- function(tol, resume = NULL, ...) {
        control <- pnmf_control(tol = tol, max_outer = 1000, verbose = FALSE, ...)
        pnmf(x, 2, scales = 5, lambda_graph = 100, control = control, resume = resume)
    }
    path <- fit(1e-3, checkpoint = file)
    expect_true(all(converged(path)))
    expect_same_fit(fit(1e-3, resume = file), path)
    further <- fit(1e-7, resume = file)
    expect_gt(sweeps_of(further), sweeps_of(path))
    expect_same_fit(further, fit(1e-7))
})

test_that("a checkpoint is written after every so many sweeps, and an error between them leaves it usable", {
    x <- small_data(1)
    scales <- persistence_scales(x)
    parameters <- list(lambda_graph = 1, lambda_smooth = 1, lambda_anchor = 1, max_inner = 5L, tol = 0, record = FALSE,
                       chain_start = TRUE, start_sweeps = 300L, refining_sweeps = 0L, extrapolate = TRUE,
                       weight = numeric(0), gap = numeric(0), threads = 1L, max_outer = 9L)
    start <- lapply(random_start(1, x, 2), list)
    for (every in c(1L, 3L, 100L)) {
        file <- new_file()
        failing <- function(sweep, objective) if (sweep == 8) stop("enough") else TRUE
        target <- list(file = file, every = every, labels = c(x = "a"))
        fit <- function(from, on_sweep) {
            fit_path_cpp(x, scales$edges, scales$threshold, 1.5, from, "hals", parameters, on_sweep, target)
        }
        expect_error(fit(start, failing), "enough")
        found <- read_checkpoint_cpp(file)
        sweeps <- integer()
        fit(found$state, function(sweep, objective) length(sweeps <<- c(sweeps, sweep)) > 0)
        expect_identical(sweeps, seq.int((7L %/% every) * every + 1L, 9L))
        unlink(file)
    }
})

test_that("a time limit returns the path so far with a warning that names the remedy, and the fit can go on", {
    x <- simulate_circles(seed = 1)
    for (solver in solvers) {
        file <- new_file()
        expect_warning(path <- fit_rings(x, solver, 8, time_limit = 1e-9),
                       "not converged: stopped after 1 sweep by 'time_limit'.*pnmf_control\\(start",
                       class = "pnmf_warning")
        expect_warning(fit_rings(x, solver, 8, checkpoint = file, time_limit = 1e-9, every = 50),
                       "'time_limit'.*resume = ", class = "pnmf_warning")
        expect_false(any(converged(path)))
        expect_identical(sweeps_of(path), 1L)
        expect_same_fit(fit_rings(x, solver, 8, resume = file), fit_rings(x, solver, 8))
        expect_silent(fit_rings(x, solver, 8, time_limit = 3600))
        # Nothing was cut short.
        expect_silent(fit_rings(x, solver, 1, time_limit = 1e-9))
        unlink(file)
    }
})

test_that("a checkpoint of other data or other parameters is refused, naming what differs", {
    x <- simulate_circles(seed = 1)
    colnames(x) <- paste0("c", seq_len(ncol(x)))
    scales <- persistence_scales(x, n_scales = 4)
    file <- new_file()
    fit <- function(data = x, rank = 2, scales = 4, resume = file, lambda_smooth = 1, alpha = 1.5, solver = "hals",
                    lambda_graph = 1, lambda_anchor = 0.1, ...) {
        pnmf(data, rank, scales, lambda_graph, lambda_smooth = lambda_smooth, lambda_anchor = lambda_anchor,
             alpha = alpha, solver = solver, resume = resume,
             control = pnmf_control(max_outer = 3, tol = 0, verbose = FALSE, ...))
    }
    fit(resume = NULL, checkpoint = file)
    before <- read_bytes(file)
    refused <- function(expr, pattern) {
        expect_error(expr, paste0("'resume' must be.*same ", pattern), class = "pnmf_error")
    }
    refused(fit(replace(x, 5, x[5] * (1 + 1e-15))), "'x'")
    refused(fit(x[, rev(seq_len(ncol(x)))]), "'x'")
    refused(fit(unname(x)), "'x'")
    refused(fit(as_sparse(x)), "'x'")
    refused(fit(x[-1, ]), "'x'")
    refused(fit(rank = 3), "'rank', but it was written with 2, not 3")
    refused(fit(scales = 5), "'scales'")
    refused(fit(scales = persistence_scales(x, n_scales = 4, metric = "cosine")), "'scales'")
    weighted <- scales
    weighted$weight <- c(1, 2, 2, 1)
    refused(fit(scales = weighted), "'scales'")
    refused(fit(lambda_graph = 1 + 1e-15), "'lambda_graph'")
    refused(fit(lambda_smooth = 2), "'lambda_smooth', but it was written with 1, not 2")
    refused(fit(lambda_anchor = 0.2), "'lambda_anchor'")
    refused(fit(alpha = 1), "'alpha'")
    refused(fit(solver = "mu"), "'solver', but it was written with hals, not mu")
    refused(fit(max_inner = 3), "'max_inner'")
    refused(fit(start = "random"), "'start', but it was written with nndsvda, not random")
    refused(fit(start = random_start(1, x, 2)), "'start'.*other values")
    refused(fit(record = TRUE), "'record'")
    refused(fit(extrapolate = FALSE), "'extrapolate'")
    # What does not change the result may change.
    expect_silent(fit(threads = 1, seed = 5, every = 7, time_limit = 100))
    expect_silent(fit(scales = scales))
    expect_identical(read_bytes(file), before)
    fit(resume = NULL, checkpoint = file <- new_file(), start = "random", seed = 1)
    refused(fit(start = "random", seed = 2), "'seed', but it was written with 1, not 2")
})

test_that("a truncated, damaged or foreign file is refused and left alone", {
    x <- small_data(1)
    file <- new_file()
    fit <- function(resume = NULL, ...) {
        pnmf(x, 2, control = pnmf_control(max_outer = 2, tol = 0, verbose = FALSE, ...), resume = resume)
    }
    fit(checkpoint = file)
    whole <- read_bytes(file)
    damaged <- new_file()
    refused <- function(bytes, pattern) {
        writeBin(bytes, damaged)
        expect_error(fit(resume = damaged), paste0("'resume' must be a checkpoint.*", pattern), class = "pnmf_error")
        expect_identical(read_bytes(damaged), bytes)
    }
    for (n in c(0, 4, 8, 30, 200, length(whole) - 1)) refused(utils::head(whole, n), "truncated|is not a checkpoint")
    for (at in with_random_state(1, sample(length(whole), 40))) {
        refused(replace(whole, at, xor(whole[at], as.raw(16))), "damaged|truncated|not a checkpoint|version")
    }
    refused(c(whole, as.raw(0)), "longer than it was written")
    refused(replace(whole, 13, as.raw(9)), "format version 9")
    saveRDS(fit(), damaged)
    expect_error(fit(resume = damaged), "is not a checkpoint of pnmf", class = "pnmf_error")
    for (bad in list(1, NA_character_, c("a", "b"), TRUE, list(file), tempdir(), file.path(tempdir(), "none"))) {
        expect_error(fit(resume = bad), "'resume' must be", class = "pnmf_error")
    }
})

test_that("sizes that do not fit the call are refused even when the labels agree", {
    x <- small_data(1)
    file <- new_file()
    pnmf(x, 2, control = pnmf_control(max_outer = 2, tol = 0, verbose = FALSE, checkpoint = file))
    found <- read_checkpoint_cpp(file)
    expect_identical(unname(found$size[2:4]), c(2L, dim(x)))
    expect_error(assert_state_size(found$size, found$size + c(0L, 1L, 0L, 0L)), "'resume'", class = "pnmf_error")
    expect_null(assert_state_size(found$size, found$size))
})

test_that("functions that make several fits refuse a checkpoint", {
    x <- small_data(1)
    control <- pnmf_control(checkpoint = new_file(), verbose = FALSE)
    expect_error(suggest_rank(x, ranks = 1:2, control = control), "'control' must have no 'checkpoint'",
                 class = "pnmf_error")
    expect_error(parameter_analysis(x, rep(1:2, 5), control = control), "'checkpoint'", class = "pnmf_error")
    expect_false(file.exists(control$checkpoint))
})

test_that("names are told apart by their letters, not their encoding", {
    latin <- "caf\xe9"
    Encoding(latin) <- "latin1"
    expect_identical(digest_cpp(list(latin)), digest_cpp(list(enc2utf8(latin))))
    expect_false(digest_cpp(list(c("ab", "c"))) == digest_cpp(list(c("a", "bc"))))
    expect_false(digest_cpp(list(1L, NULL)) == digest_cpp(list(NULL, 1L)))
    expect_match(digest_cpp(list()), "^[0-9a-f]{16}$")
})

test_that("the container verbs pass 'resume' on", {
    skip_if_not_installed("SingleCellExperiment")
    x <- small_data(1, cells = 12)
    dimnames(x) <- list(paste0("g", seq_len(nrow(x))), paste0("c", seq_len(ncol(x))))
    file <- new_file()
    control <- function(sweeps, ...) pnmf_control(max_outer = sweeps, tol = 0, threads = 1, verbose = FALSE, ...)
    sce <- SingleCellExperiment::SingleCellExperiment(list(logcounts = x))
    run <- function(...) PNMFPath(runPNMF(sce, ncomponents = 2, n_scales = 3, ...))
    run(control = control(2, checkpoint = file))
    expect_same_fit(run(control = control(5), resume = file), run(control = control(5)))
    skip_if_not_installed("SeuratObject")
    file <- new_file()
    run <- function(...) RunPNMF(x, rank = 2, n.scales = 3, verbose = FALSE, ...)@misc$path
    run(control = control(2, checkpoint = file))
    expect_same_fit(run(control = control(5), resume = file), run(control = control(5)))
})

test_that("a checkpoint of another run is refused with the difference", {
    expected <- c(x = "a", solver = "hals", rank = "2")
    expect_null(assert_same_labels(list(labels = expected), expected))
    expect_null(assert_same_labels(list(labels = rev(expected)), expected))
    expect_refused(assert_same_labels(list(labels = replace(expected, "x", "b")), expected),
            "same 'x', but it was written for another one")
    expect_refused(assert_same_labels(list(labels = replace(expected, "solver", "mu")), expected),
            "same 'solver', but it was written with .*mu.*, not .*hals")
    expect_refused(assert_same_labels(list(labels = expected[-3]), expected),
                   "same 'rank', but it was written for another")
    expect_null(assert_state_size(c(3L, 2L, 10L, 5L), c(3, 2, 10, 5)))
    expect_refused(assert_state_size(c(3L, 2L, 10L, 6L), c(3, 2, 10, 5)),
            "checkpoint of 3 x 2 x 10 x 5 .* not of 3 x 2 x 10 x 6")
})
