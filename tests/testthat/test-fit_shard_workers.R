skip_if_not_installed("BiocParallel")

test_that("every worker has neighbouring shards, about as many as the others", {
    expect_identical(shard_owners(8, 3), list(1:2, 3:5, 6:8))
    expect_identical(shard_owners(2, 5), list(1L, 2L))
})

test_that("a worker that is started anew finds its state in the shared folder, or the fit goes back to where it is", {
    x <- shard_data(1)
    whole <- shard_fit(x, tol = 1e-9, sweeps = 13)
    set_namespace_value("sweeps_between_states", 3L)
    set_namespace_value("sweeps_between_saves", function(BPPARAM) sweeps_between_states)
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
        message <- tryCatch(pnmf(readRDS(.(data)), rank = 3, scales = 6, lambda_graph = 1, BPPARAM = workers,
                                 control = control),
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
            pnmf(readRDS(.(data)), rank = 3, scales = 6, lambda_graph = 1, BPPARAM = BiocParallel::SerialParam(),
                 control = control)
        })), "child session failed")
    }
    killed(5)
    path <- shard_fit(x, resume = file, checkpoint = file)
    expect_identical(path@H, whole@H)
    expect_identical(sum(is.na(path@convergence$shards$traffic$sent)), 3L)
})

# Runs lines of R under mpirun. Returns its exit status and its output.
mpi_job <- function(lines) {
    skip_if_not(nzchar(Sys.which("mpirun")), "no mpirun (Debian: openmpi-bin)")
    skip_if_not(nzchar(system.file(package = "Rmpi")), "no Rmpi (Debian: r-cran-rmpi and libopenmpi-dev)")
    files <- tempfile(c("script", "log", "ended"))
    on.exit(unlink(files))
    writeLines(c(sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(pNMF)",
                 "assignInNamespace('cells_per_shard', 10, 'pNMF')", lines), files[1])
    # Idle processes give way: there are more of them than cores.
    job <- paste("timeout 180 mpirun --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 -np 1",
                 file.path(R.home("bin"), "Rscript"), files[1], ">", files[2], "2>&1")
    system(sprintf("(%s; echo $? > %s.part; mv %s.part %s) &", job, files[3], files[3], files[3]))
    wait_for(files[3], 200)
    list(status = scan(files[3], quiet = TRUE), log = paste(readLines(files[2]), collapse = "\n"))
}

mpi_fit <- function(data, sweeps, more = "") {
    c("workers <- BiocParallel::bpstart(BiocParallel::SnowParam(2, type = 'MPI'))",
      sprintf("fit <- function() pnmf(readRDS('%s'), 3, scales = 2, lambda_graph = 1, BPPARAM = workers,", data),
      sprintf("    control = pnmf_control(max_outer = %d, tol = 0, threads = 1, verbose = FALSE%s))", sweeps, more))
}

test_that("MPI processes give the same path", {
    skip_unless_slow()
    x <- shard_data(5)
    files <- tempfile(c("data", "result"))
    on.exit(unlink(files))
    saveRDS(x, files[1])
    job <- mpi_job(c(mpi_fit(files[1], 2), sprintf("saveRDS(fit()@H, '%s')", files[2]),
                     "BiocParallel::bpstop(workers)"))
    expect_true(file.exists(files[2]), info = job$log)
    expect_identical(readRDS(files[2]), shard_fit(x, sweeps = 2, scales = 2)@H)
})

# MPI itself ends all processes of a job when one dies.
test_that("a killed MPI worker ends the job with a message, and a rerun goes on from the last sweep", {
    skip_unless_slow()
    x <- shard_data(6)
    files <- tempfile(c("data", "checkpoint", "killed"))
    on.exit(unlink(c(files, paste0(files[2], ".shards")), recursive = TRUE))
    saveRDS(x, files[1])
    job <- mpi_job(c(
        mpi_fit(files[1], 50, sprintf(", checkpoint = '%s'", files[2])),
        "pid <- BiocParallel::bplapply(1, function(i) Sys.getpid(), BPPARAM = workers)[[1]]",
        "run <- pNMF:::run_units",
        "saves <- 0",
        "assignInNamespace('run_units', function(units, BPPARAM) {",
        "    saves <<- saves + (units[[1]]$what == 'save')",
        sprintf("    if (saves == 4 && !file.exists('%s')) {", files[3]),
        sprintf("        saveRDS(Sys.time(), '%s')", files[3]),
        "        tools::pskill(pid, tools::SIGKILL)",
        "    }",
        "    run(units, BPPARAM)",
        "}, 'pNMF')",
        "fit()"
    ))
    ended <- Sys.time()
    expect_true(file.exists(files[3]), info = job$log)
    expect_lt(as.numeric(ended - readRDS(files[3]), units = "secs"), 60)
    expect_false(job$status %in% c(0, 124), info = job$log)
    expect_match(job$log, "Killed|terminated|disconnected")
    path <- shard_fit(x, sweeps = 6, scales = 2, resume = files[2])
    expect_identical(path@H, shard_fit(x, sweeps = 6, scales = 2)@H)
    expect_gte(sum(is.na(path@convergence$shards$traffic$sent)), 2)
})

test_that("a worker without the package says so", {
    sent <- work_on_shards
    environment(sent) <- globalenv()
    expect_error(sent(list(what = "forget")), "pNMF is not in the library of the worker")
})
