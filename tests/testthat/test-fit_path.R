# Interrupts a long fit with each solver and reports how long each took to stop, and a fit made afterwards.
interrupt_script <- function(directory) {
    c(
        sprintf("directory <- %s", deparse(directory)),
        "x <- matrix(stats::runif(3000 * 200), 3000)",
        "say <- function(name, value) {",
        "    saveRDS(value, file.path(directory, paste0(name, '.part')))",
        "    file.rename(file.path(directory, paste0(name, '.part')), file.path(directory, name))",
        "}",
        "long <- function(solver, threads) {",
        "    control <- pnmf_control(max_outer = 1e6, tol = 0, threads = threads, verbose = FALSE)",
        "    say(paste0(solver, '-started'), Sys.getpid())",
        "    outcome <- tryCatch({",
        "        pnmf(x, rank = 15, solver = solver, control = control)",
        "        'finished'",
        "    }, interrupt = function(i) 'interrupted', error = conditionMessage)",
        "    say(paste0(solver, '-ended'), list(outcome = outcome, when = Sys.time()))",
        "}",
        "long('hals', 2)",
        "long('mu', 1)",
        "small <- pnmf(x[1:20, 1:8], rank = 2, control = pnmf_control(max_outer = 5, tol = 0, threads = 2))",
        "say('afterwards', small@H)"
    )
}

test_that("an interrupt stops a fit within a second and leaves the session usable", {
    skip_on_cran()
    skip_on_os("windows")
    directory <- tempfile("interrupt")
    dir.create(directory)
    start_session(interrupt_script(directory))
    pid <- NULL
    on.exit(if (!is.null(pid)) tools::pskill(pid, tools::SIGKILL))
    for (solver in c("hals", "mu")) {
        expect_true(wait_for(file.path(directory, paste0(solver, "-started")), 60))
        pid <- readRDS(file.path(directory, paste0(solver, "-started")))
        Sys.sleep(1.5) # well into the fit
        expect_false(file.exists(file.path(directory, paste0(solver, "-ended"))))
        sent <- Sys.time()
        tools::pskill(pid, tools::SIGINT)
        expect_true(wait_for(file.path(directory, paste0(solver, "-ended")), 10))
        ended <- readRDS(file.path(directory, paste0(solver, "-ended")))
        expect_identical(ended$outcome, "interrupted")
        expect_lt(as.numeric(difftime(ended$when, sent, units = "secs")), 1)
    }
    expect_true(wait_for(file.path(directory, "afterwards"), 20))
    expect_length(readRDS(file.path(directory, "afterwards")), 8)
})

# What happens to the progress bars of a fit.
progress_events <- function(verbose, ...) {
    old <- options(cli.progress_handlers_force = "logger", cli.progress_show_after = 1e6, ...)
    on.exit(options(old))
    control <- pnmf_control(max_outer = 4, tol = 0, verbose = verbose)
    utils::capture.output(path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 5, control = control))
}

test_that("a progress bar runs over the sweeps and ends with the fit", {
    events <- progress_events(TRUE)
    # Of the scales, of the start, of the sweeps.
    created <- grep("created", events, value = TRUE)
    expect_length(created, 3L)
    expect_match(created, "0/(4|1|4) created")
    expect_match(utils::tail(events, 1), "4/4 terminated")
})

test_that("nothing is shown without verbose or in a rendered document", {
    expect_identical(progress_events(FALSE), character())
    expect_identical(progress_events(TRUE, knitr.in.progress = TRUE), character())
    control <- pnmf_control(max_outer = 3, tol = 0, verbose = FALSE)
    expect_silent(pnmf(small_data(1), rank = 2, control = control))
    expect_silent(pnmf(small_data(1), rank = 2, solver = "mu", control = control))
})

test_that("the bar ends when a fit fails", {
    control <- complete_control(pnmf_control(max_outer = 3, tol = 0, verbose = TRUE), "hals")
    x <- small_data(2)
    parameters <- list(rank = 2, lambda_graph = 1, lambda_smooth = 1, lambda_anchor = 1, alpha = 1.5, solver = "none",
                       control = control)
    old <- options(cli.progress_handlers_force = "logger", cli.progress_show_after = 1e6)
    on.exit(options(old))
    start <- initial_factors(x, persistence_scales(x), parameters)
    events <- utils::capture.output(
        expect_error(fit_path(x, persistence_scales(x), start, parameters), "unknown solver")
    )
    expect_match(utils::tail(events, 1), "terminated")
})

test_that("a start in an environment is handed over, not kept, and gives the same fit", {
    x <- small_data(3)
    scales <- persistence_scales(x)
    control <- complete_control(pnmf_control(max_outer = 3, tol = 0, verbose = FALSE), "hals")
    parameters <- list(rank = 2, lambda_graph = 1, lambda_smooth = 1, lambda_anchor = 0.1, alpha = 1.5,
                       solver = "hals", control = control)
    start <- initial_factors(x, scales, parameters)
    kept <- list2env(start, parent = emptyenv())
    expect_identical(fit_path(x, scales, kept, parameters), fit_path(x, scales, start, parameters))
    expect_length(ls(kept), 0)
})

test_that("a spanning tree names cells of the path, and a fit is finite", {
    expect_null(assert_spanning_tree(data.frame(i = 1:2, j = 2:3), 3L))
    for (bad in list(c(1, 4), c(0, 2), c(1, NA), c("1", "2"))) {
        expect_refused(assert_spanning_tree(data.frame(i = bad, j = 2:3), 3L), "a spanning tree of its 3 cells")
    }
    expect_null(assert_finite_fit(list(objective = 1, H = list(matrix(0)))))
    expect_refused(assert_finite_fit(list(objective = c(1, Inf), H = list(matrix(0)))), "the fit overflowed")
    expect_refused(assert_finite_fit(list(objective = 1, H = list(matrix(0), matrix(NaN)))), "the fit overflowed")
})

test_that("a fit takes threads and progress from its control and reads or changes no option", {
    control <- pnmf_control(max_outer = 1, tol = 0, threads = 1, verbose = FALSE)
    old <- options(pNMF.threads = "many", pNMF.progress = "perhaps")
    on.exit(options(old))
    x <- matrix(rep_len(c(0, 3, 1, 0, 2, 5, 1), 120 * 1100), 120) + diag(1, 120, 1100)
    path <- suppressMessages(pnmf(x, rank = 2, scales = 3, control = control))
    expect_identical(dim(path), c(120L, 1100L, 3L))
    expect_identical(options()[c("pNMF.threads", "pNMF.progress")],
                     list(pNMF.threads = "many", pNMF.progress = "perhaps"))
})
