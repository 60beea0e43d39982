test_that("settings that are not given take the solver's defaults", {
    for (solver in c("hals", "mu", "authors")) {
        control <- complete_control(pnmf_control(), solver)
        expect_identical(unclass(control)[names(solver_defaults[[solver]])], solver_defaults[[solver]])
    }
    control <- complete_control(pnmf_control(max_outer = 3, tol = 0), "mu")
    expect_identical(control$max_outer, 3L)
    expect_identical(control$tol, 0)
    expect_identical(control$max_inner, solver_defaults$mu$max_inner)
})

test_that("the path stores the settings it was made with, but not a start given as factors", {
    x <- small_data(1)
    path <- fit_small(x, 2, c(1, 1, 1), max_outer = 2, tol = 0, start = random_start(1, x, 2))
    expect_identical(path@parameters$control$max_outer, 2L)
    expect_identical(path@parameters$control$start, "given")
})

test_that("threads default to at most two, unless RcppParallel or the option pNMF.threads say otherwise", {
    before <- Sys.getenv("RCPP_PARALLEL_NUM_THREADS", NA)
    old <- options(pNMF.threads = NULL)
    on.exit({
        options(old)
        if (is.na(before)) Sys.unsetenv("RCPP_PARALLEL_NUM_THREADS")
        else Sys.setenv(RCPP_PARALLEL_NUM_THREADS = before)
    })
    for (unset in c("", "auto", "-1")) {
        Sys.setenv(RCPP_PARALLEL_NUM_THREADS = unset)
        expect_lte(pnmf_control()$threads, 2L)
    }
    RcppParallel::setThreadOptions(numThreads = 5)
    expect_identical(pnmf_control()$threads, 5L)
    options(pNMF.threads = 3)
    expect_identical(pnmf_control()$threads, 3L)
    options(pNMF.threads = "many")
    expect_error(pnmf_control(), "pNMF.threads", class = "pnmf_error")
})

test_that("printing shows every setting on a line of its own", {
    lines <- utils::capture.output(shown <- print(pnmf_control(max_outer = 7)))
    expect_length(lines, length(pnmf_control()))
    expect_match(lines[1], "max_outer +7")
    expect_s3_class(shown, "pnmf_control")
})

test_that("'keep', which earlier versions had, is taken with a warning", {
    expect_warning(control <- pnmf_control(keep = "embedding"), "'keep' no longer has an effect", class = "pnmf_warning")
    expect_identical(control, pnmf_control())
    expect_error(pnmf_control(keep = "all", tols = 1), "unknown argument", class = "pnmf_error")
})

test_that("unsuitable settings are refused with their name", {
    bad <- list(
        max_outer = list(0, -1, 1.5, NA, Inf, "10", 1:2), max_inner = list(0, 2.5, NA, "a"),
        tol = list(-1, NA, Inf, "a", c(0, 1)), threads = list(0, 1.5, NA, NULL, "2"),
        seed = list(-1, 1.5, NA, "a"), verbose = list(NA, 1, "yes", NULL),
        record = list(NA, 1), extrapolate = list(NA, "no"), checkpoint = list(1, NA_character_, "", c("a", "b"), TRUE),
        every = list(0, 1.5, NA, Inf, "1", NULL), time_limit = list(0, -1, NA, NaN, "1", NULL, -Inf, 1:2),
        start = list("svd", 1, NULL, list(W = 1), list(1, 2), matrix(1, 2, 2), c("random", "random"))
    )
    for (name in names(bad)) {
        for (value in bad[[name]]) {
            arguments <- stats::setNames(list(value), name)
            expect_error(do.call(pnmf_control, arguments), paste0("'", name, "'"), class = "pnmf_error")
        }
    }
    expect_error(pnmf(small_data(1), control = list(max_outer = 3)), "'control' must be made by pnmf_control",
                 class = "pnmf_error")
    expect_error(pnmf_control(max_iterations = 3))
})
