skip_if_not_installed("BiocParallel")

worker_fit <- function(x, BPPARAM = NULL, sweeps = 6, keep = "all", resume = NULL, record = FALSE, tol = 0,
                       scales = 20, ...) {
    pnmf(x, rank = 3, scales = scales, BPPARAM = BPPARAM, resume = resume,
         control = pnmf_control(max_outer = sweeps, tol = tol, threads = 1, verbose = FALSE, keep = keep,
                                record = record, ...))
}

two_workers <- function() {
    started <- tryCatch(
        BiocParallel::bpstart(BiocParallel::SnowParam(2, exportglobals = FALSE, exportvariables = FALSE)),
        error = function(e) skip(paste("no worker processes can be started here:", conditionMessage(e)))
    )
    started
}

test_that("bases found on workers give the path of threads, bit for bit, and leave no file behind", {
    workers <- two_workers()
    on.exit(BiocParallel::bpstop(workers), add = TRUE)
    folder <- tempfile()
    dir.create(folder)
    x <- small_data(1, features = 30, cells = 24)
    seed <- if (exists(".Random.seed", globalenv())) get(".Random.seed", globalenv())
    for (data in list(x, as_sparse(x))) {
        here <- worker_fit(data, record = TRUE)
        there <- worker_fit(data, workers, record = TRUE, shared = folder)
        expect_identical(there@H, here@H)
        expect_identical(there@W, here@W)
        expect_identical(there@objective, here@objective)
        expect_identical(there@convergence, here@convergence)
    }
    expect_identical(list.files(folder), character(0))
    expect_identical(if (exists(".Random.seed", globalenv())) get(".Random.seed", globalenv()), seed)
    # Scales with weights.
    scales <- persistence_scales(x, n_scales = 20)
    scales$weight <- seq(1, 50, length.out = 20)
    scales$gap <- rev(scales$weight)
    serial <- BiocParallel::SerialParam()
    expect_identical(worker_fit(x, serial, scales = scales)@H, worker_fit(x, scales = scales)@H)
    # Until convergence, and by a backend that is not running yet.
    expect_identical(worker_fit(x, serial, 200, tol = 1e-3)@H, worker_fit(x, NULL, 200, tol = 1e-3)@H)
})

test_that("scales that share a basis and data on disk go to workers as well", {
    skip_if_not_installed("HDF5Array")
    x <- small_data(2, features = 30, cells = 24)
    serial <- BiocParallel::SerialParam()
    set_namespace_value("max_unkept_bases", 0)
    expect_identical(worker_fit(x, serial, keep = "embedding")@H, worker_fit(x, keep = "embedding")@H)
    file <- tempfile(fileext = ".h5")
    on.exit(unlink(file), add = TRUE)
    on_disk <- HDF5Array::writeHDF5Array(x, file, name = "x", chunkdim = c(30, 4))
    set_namespace_value("cell_grid", function(x, memory) DelayedArray::colAutoGrid(x, ncol = 10L))
    fit <- function(BPPARAM) {
        suppressWarnings(pnmf(on_disk, rank = 2, scales = 2, space = t(x), BPPARAM = BPPARAM,
                              control = pnmf_control(max_outer = 1, tol = 0, verbose = FALSE, memory = 11000)))
    }
    expect_identical(fit(serial)@H, fit(NULL)@H)
})

# In a session of its own: BiocParallel complains about a dead worker again when R ends.
test_that("a worker that dies is an error that names the scales, and a rerun goes on from the sweep before", {
    skip_on_os("windows")
    x <- small_data(3, features = 30, cells = 24)
    file <- tempfile()
    data <- tempfile()
    on.exit(unlink(c(file, data)), add = TRUE)
    saveRDS(x, data)
    whole <- worker_fit(x)
    errors <- in_child_session(bquote({
        workers <- BiocParallel::bpstart(BiocParallel::SnowParam(2, exportglobals = FALSE))
        pids <- unlist(BiocParallel::bplapply(1:2, function(i) {
            Sys.sleep(0.2)
            Sys.getpid()
        }, BPPARAM = workers))
        fit <- function(...) {
            control <- pnmf_control(max_outer = 6, tol = 0, threads = 1, verbose = FALSE, ...)
            tryCatch(pnmf(readRDS(.(data)), rank = 3, scales = 20, BPPARAM = workers, control = control),
                     pnmf_error = conditionMessage)
        }
        tools::pskill(pids[1], tools::SIGKILL)
        list(fit(), fit(checkpoint = .(file)))
    }))
    expect_match(errors[[1]], "worker of 'BPPARAM' failed: the bases of scales 1 2 3.*'checkpoint'")
    expect_match(errors[[2]], "scales 1 2 3.*resume = ")
    expect_identical(worker_fit(x, BiocParallel::SerialParam(), resume = file)@H, whole@H)
    expect_identical(worker_fit(x, resume = file)@H, whole@H)
})

test_that("a failure in the middle of a sweep loses nothing before it", {
    x <- small_data(4, features = 30, cells = 24)
    whole <- worker_fit(x)
    run_here <- run_units
    calls <- 0
    counted <- function(units, file, BPPARAM) {
        calls <<- calls + 1
        run_here(units, file, BPPARAM)
    }
    restore <- set_namespace_value("run_units", counted, environment())
    worker_fit(x, BiocParallel::SerialParam())
    restore()
    in_all <- calls
    for (fails_at in c(1, 2, 5)) {
        calls <- 0
        restore <- set_namespace_value("run_units", function(units, file, BPPARAM) {
            calls <<- calls + 1
            if (calls == fails_at) return(list(failed = "the test says so"))
            run_here(units, file, BPPARAM)
        }, environment())
        file <- tempfile()
        expect_error(worker_fit(x, BiocParallel::SerialParam(), checkpoint = file), "the test says so",
                     class = "pnmf_error")
        restore()
        calls <- 0
        restore <- set_namespace_value("run_units", counted, environment())
        resumed <- worker_fit(x, BiocParallel::SerialParam(), resume = file)
        restore()
        unlink(file)
        expect_identical(calls, in_all - (fails_at - 1))
        expect_identical(resumed@H, whole@H)
        expect_identical(resumed@objective, whole@objective)
    }
})

test_that("what no backend can do is said by name", {
    x <- small_data(5)
    expect_error(pnmf(x, 2, BPPARAM = 2), "'BPPARAM' must be NULL or a BiocParallelParam", class = "pnmf_error")
    expect_error(pnmf(x, 2, solver = "mu", BPPARAM = BiocParallel::SerialParam()), "'BPPARAM' must be NULL for solver",
                 class = "pnmf_error")
    expect_error(pnmf_control(shared = 3), "'shared' must be", class = "pnmf_error")
    expect_error(pnmf_control(shared = tempfile()), "'shared' must be a folder", class = "pnmf_error")
})
