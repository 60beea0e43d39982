skip_if_not_installed("BiocParallel")

test_that("every worker has neighbouring shards, about as many as the others", {
    expect_identical(shard_owners(8, 3), list(1:2, 3:5, 6:8))
    expect_identical(shard_owners(2, 5), list(1L, 2L))
})

test_that("a worker that is started anew finds its state in the shared folder, or the fit goes back to where it is", {
    x <- shard_data(1)
    whole <- shard_fit(x, tol = 1e-9, sweeps = 13)
    set_namespace_value("sweeps_between_states", 3L)
    set_namespace_value("save_plan", function(control, BPPARAM) list(every = sweeps_between_states, at_ends = FALSE))
    for (number in c(3, 30, 36, 41)) {
        restore <- before_call(number, forget_shards, environment())
        path <- shard_fit(x, tol = 1e-9, sweeps = 13)
        restore()
        expect_identical(path@H, whole@H)
        expect_identical(path@objective, whole@objective)
    }
})

test_that("a fit goes on from its checkpoint with any number of workers, as if it had not stopped", {
    x <- shard_data(2)
    file <- tempfile()
    on.exit(unlink(c(file, paste0(file, ".shards")), recursive = TRUE))
    whole <- shard_fit(x, sweeps = 9, tol = 1e-9)
    shard_fit(x, sweeps = 4, tol = 1e-9, checkpoint = file)
    expect_identical(dir(paste0(file, ".shards")), sort(c(sprintf("shard-%03d.0", 1:8), sprintf("shard-%03d.1", 1:8))))
    two <- processes(2)
    on.exit(BiocParallel::bpstop(two), add = TRUE)
    path <- shard_fit(x, two, sweeps = 9, tol = 1e-9, resume = file)
    expect_identical(path@H, whole@H)
    expect_identical(path@objective, whole@objective)
    expect_identical(is.na(path@convergence$shards$traffic$sent), rep(c(TRUE, FALSE), c(4, 5)))
    expect_error(shard_fit(x, NULL, resume = file), "checkpoint of the same 'BPPARAM'", class = "pnmf_error")
    unlink(file.path(paste0(file, ".shards"), "shard-003.*"))
    expect_error(shard_fit(x, resume = file), "states of its shards", class = "pnmf_error")
})

# In a session of its own: BiocParallel complains about a dead worker again when R ends.
test_that("a killed worker is an error within a minute, and a rerun goes on from the last sweep", {
    skip_unless_slow()
    skip_on_os("windows")
    x <- shard_data(3)
    file <- tempfile()
    data <- tempfile()
    on.exit(unlink(c(data, file, paste0(file, ".shards")), recursive = TRUE))
    saveRDS(x, data)
    whole <- shard_fit(x)
    found <- in_child_session(bquote({
        assignInNamespace("cells_per_shard", 10, "pNMF")
        workers <- BiocParallel::bpstart(BiocParallel::SnowParam(2, exportglobals = FALSE))
        pids <- unlist(BiocParallel::bplapply(1:2, function(i) {
            Sys.sleep(0.2)
            Sys.getpid()
        }, BPPARAM = workers))
        run <- pNMF:::run_units
        saves <- 0
        assignInNamespace("run_units", function(units, BPPARAM) {
            saves <<- saves + (units[[1]]$what == "save")
            # While the workers store the third sweep or compute the fourth.
            if (saves == 4) system(paste("(sleep 0.02; kill -9", pids[1], ")"), wait = FALSE)
            run(units, BPPARAM)
        }, "pNMF")
        control <- pnmf_control(max_outer = 6, tol = 0, threads = 1, verbose = FALSE, checkpoint = .(file))
        begun <- proc.time()[["elapsed"]]
        message <- tryCatch(pnmf(readRDS(.(data)), rank = 3, scales = 6, BPPARAM = workers, control = control),
                            pnmf_error = conditionMessage)
        list(message = message, seconds = proc.time()[["elapsed"]] - begun)
    }))
    expect_match(found$message, "worker of 'BPPARAM' failed: shards of cells were lost .*resume = ")
    expect_lt(found$seconds, 60)
    path <- shard_fit(x, resume = file)
    expect_identical(path@H, whole@H)
    expect_gte(sum(is.na(path@convergence$shards$traffic$sent)), 2)
})

test_that("a killed driver loses at most the sweep that it was in", {
    skip_on_os("windows")
    x <- shard_data(4)
    file <- tempfile()
    data <- tempfile()
    on.exit(unlink(c(data, file, paste0(file, ".shards")), recursive = TRUE))
    saveRDS(x, data)
    whole <- shard_fit(x)
    killed <- function(at_save) {
        expect_error(in_child_session(bquote({
            assignInNamespace("cells_per_shard", 10, "pNMF")
            saves <- 0
            saved <- pNMF:::saved_shards
            # In the middle of writing the states of one sweep.
            assignInNamespace("saved_shards", function(held, files) {
                saves <<- saves + 1
                if (saves == .(at_save)) {
                    saved(held[1:3], files[1:3])
                    tools::pskill(Sys.getpid(), tools::SIGKILL)
                }
                saved(held, files)
            }, "pNMF")
            control <- pnmf_control(max_outer = 6, tol = 0, threads = 1, verbose = FALSE, checkpoint = .(file))
            pnmf(readRDS(.(data)), rank = 3, scales = 6, BPPARAM = BiocParallel::SerialParam(), control = control)
        })), "child session failed")
    }
    killed(5)
    path <- shard_fit(x, resume = file, checkpoint = file)
    expect_identical(path@H, whole@H)
    expect_identical(sum(is.na(path@convergence$shards$traffic$sent)), 3L)
})

test_that("MPI processes give the same path", {
    skip_unless_slow()
    skip_if_not(nzchar(Sys.which("mpirun")), "no mpirun (Debian: openmpi-bin)")
    skip_if_not(nzchar(system.file(package = "Rmpi")), "no Rmpi (Debian: r-cran-rmpi and libopenmpi-dev)")
    x <- shard_data(5)
    files <- tempfile(c("data", "result", "script", "log"))
    on.exit(unlink(files))
    saveRDS(x, files[1])
    writeLines(c(
        sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(pNMF)",
        "assignInNamespace('cells_per_shard', 10, 'pNMF')",
        "workers <- BiocParallel::SnowParam(2, type = 'MPI')",
        sprintf("path <- pnmf(readRDS('%s'), 3, scales = 2, BPPARAM = workers,", files[1]),
        "             control = pnmf_control(max_outer = 2, tol = 0, threads = 1, verbose = FALSE))",
        sprintf("saveRDS(path@H, '%s.part')", files[2]), sprintf("file.rename('%s.part', '%s')", files[2], files[2])
    ), files[3])
    # Idle processes give way: there are more of them than cores.
    options <- c("180", "mpirun", "--allow-run-as-root", "--oversubscribe", "--mca mpi_yield_when_idle 1", "-np 1")
    system2("timeout", c(options, file.path(R.home("bin"), "Rscript"), files[3]), stdout = files[4], stderr = files[4],
            wait = FALSE)
    expect_true(wait_for(files[2], 180), info = paste(readLines(files[4]), collapse = "\n"))
    expect_identical(readRDS(files[2]), shard_fit(x, sweeps = 2, scales = 2)@H)
})
