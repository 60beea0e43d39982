# R's own generator must be where the session left it, whatever was called.
test_that("no exported function touches the session's random numbers", {
    fixtures <- call_fixtures()
    calls <- good_calls()
    suppressMessages(lapply(calls, value_of, fixtures = fixtures)) # once, because loading packages may draw
    before <- session_seed()
    on.exit({
        rm(".Random.seed", envir = globalenv())
        if (!is.null(before)) assign(".Random.seed", before, envir = globalenv())
    })
    set.seed(99)
    expected <- session_seed()
    for (k in seq_along(calls)) {
        value_of(calls[[k]], fixtures)
        same <- identical(session_seed(), expected)
        expect_true(same, label = paste(names(calls)[k], "leaves .Random.seed alone:", deparse1(calls[[k]])))
        if (!same) assign(".Random.seed", expected, envir = globalenv())
    }
})

test_that("no exported function leaves a generator behind in a session without one", {
    fixtures <- call_fixtures()
    before <- session_seed()
    on.exit(if (!is.null(before)) assign(".Random.seed", before, envir = globalenv()))
    calls <- good_calls()
    for (k in seq_along(calls)) {
        suppressWarnings(rm(".Random.seed", envir = globalenv()))
        value_of(calls[[k]], fixtures)
        expect_null(session_seed(), label = paste(names(calls)[k], "with", deparse1(calls[[k]])))
    }
})

test_that("every exported function is in the sweep", {
    skip_if_not_installed("Seurat")
    skip_if_not_installed("SingleCellExperiment")
    exported <- getNamespaceExports("pNMF")
    exported <- exported[!grepl("^\\.__", exported)]
    # explore_path() waits for a person in a browser; what it shows is made like path_report()'s page.
    expect_identical(setdiff(exported, names(good_calls())), "explore_path")
})

test_that("the session's state and its kind of generator do not change results", {
    fixtures <- call_fixtures()
    random <- good_calls()[c("pnmf", "persistence_scales", "cluster_embedding", "path_clusters", "suggest_scale",
                             "simulate_circles", "simulate_cells")]
    values <- lapply(random, value_of, fixtures = fixtures)
    kinds <- RNGkind()
    on.exit(do.call(RNGkind, as.list(kinds)))
    RNGkind("L'Ecuyer-CMRG", "Box-Muller", "Rejection")
    stats::runif(3)
    expect_identical(lapply(random, value_of, fixtures = fixtures), values)
})

test_that("another session, other thread counts and other BLAS threads give the same bits", {
    code <- quote({
        x <- normalize_counts(simulate_cells(n_cells = 60, n_genes = 80, seed = 4)$counts, method = "paper")
        fit <- function(...) pnmf(x, rank = 4, scales = 8, control = pnmf_control(max_outer = 10, tol = 0, ...))
        path <- fit(threads = 1)
        random <- fit(threads = 2, start = "random", seed = 7)
        list(path@H, path@W, objective(path), random@H, path_clusters(path, 3, n_start = 3), fit_gnmf(x, 3)$H)
    })
    here <- eval(code)
    blas <- c("OPENBLAS_NUM_THREADS=2", "OMP_NUM_THREADS=2", "MKL_NUM_THREADS=2")
    expect_identical(in_child_session(code), here)
    expect_identical(in_child_session(code, c("RCPP_PARALLEL_NUM_THREADS=1", blas)), here)
    path <- here[[1]]
    for (threads in c(2, 3, 8)) {
        x <- normalize_counts(simulate_cells(n_cells = 60, n_genes = 80, seed = 4)$counts, method = "paper")
        again <- pnmf(x, rank = 4, scales = 8, control = pnmf_control(max_outer = 10, tol = 0, threads = threads))
        expect_identical(again@H, path)
    }
})

test_that("the golden problems still have their golden values", {
    source(test_path("golden", "problems.R"), local = TRUE)
    golden <- readRDS(test_path("golden", "values.rds"))
    values <- lapply(golden_problems(), function(problem) problem())
    expect_identical(names(values), names(golden))
    # 1e-8: other processors add in another order and have other last bits of exp() and of the decomposition.
    for (name in names(golden)) expect_equal(values[[name]], golden[[name]], tolerance = 1e-8, label = name)
})
