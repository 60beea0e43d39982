# Other R processes, for tests of what kills or interrupts one.

# Runs a script in a separate R process with this package, without waiting for it.
start_session <- function(script) {
    library_path <- dirname(find.package("pNMF"))
    skip_if_not(file.exists(file.path(library_path, "pNMF", "Meta", "package.rds")), "the package is not installed")
    file <- tempfile(fileext = ".R")
    log <- tempfile(fileext = ".log")
    paths <- paste(deparse(c(library_path, .libPaths())), collapse = "")
    writeLines(c(sprintf(".libPaths(%s)", paths), "library(pNMF)", script), file)
    rscript <- file.path(R.home("bin"), "Rscript")
    # Background processes of a shell ignore interrupts, and recent versions of R do not change that.
    if (identical(Sys.info()[["sysname"]], "Linux")) rscript <- c("env", "--default-signal=INT", rscript)
    system2(rscript[1], c(rscript[-1], shQuote(file)), stdout = log, stderr = log, wait = FALSE)
}

wait_for <- function(file, seconds) {
    deadline <- Sys.time() + seconds
    while (!file.exists(file) && Sys.time() < deadline) Sys.sleep(0.02)
    file.exists(file)
}

# Evaluates an expression in a fork of this process. It must use one thread: the threads of this process do not exist
# in the fork.
in_fork <- function(expr) {
    skip_on_os("windows")
    skip_if_not_installed("parallel")
    eval(bquote(parallel::mcparallel(.(substitute(expr)), silent = TRUE)), parent.frame())
}

# Kills a fork and waits until it is gone.
end_fork <- function(fork) {
    tools::pskill(fork$pid, tools::SIGKILL)
    suppressWarnings(parallel::mccollect(fork)) # that there is no result
    invisible()
}

# --- Checkpoints ------------------------------------------------------------------------------------------------------

new_file <- function() tempfile("fit", fileext = ".ckpt")

read_bytes <- function(file) readBin(file, "raw", file.size(file))
