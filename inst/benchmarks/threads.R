# How many cores a fit on two threads uses, and what another BLAS changes.
#   [PNMF_SHARED=folder] Rscript threads.R [FOLDER ...]
# Each FOLDER holds a libblas.so.3 (and liblapack.so.3) to use in place of the system's, for example OpenBLAS:
#   apt-get download libopenblas0-pthread && dpkg -x libopenblas0-pthread_*.deb openblas
#   Rscript threads.R openblas/usr/lib/x86_64-linux-gnu/openblas-pthread
#   Rscript threads.R --cells [CELLS]     two threads against one on many cells (100000) and 5 scales, three times each
# Every measurement runs in its own process. On a shared machine, CPU time over wall time is too low. CPU time over that
# of one thread still shows threads that spin or block each other. Linux only.

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "common.R"))

# In the child: the start, the scales and ten sweeps of a fit, and a product in R's BLAS.
run_fit <- function(threads) {
    suppressPackageStartupMessages(library(pNMF))
    x <- as.matrix(load_set("yan"))
    scales <- persistence_scales(x, n_scales = 40, threads = threads)
    control <- pnmf_control(max_outer = 10, tol = 0, threads = threads, verbose = FALSE)
    fit <- spent(pnmf(x, rank = 10, scales = scales, control = control))
    start <- spent(nndsvda(x, 10))
    product <- spent(for (k in 1:5) crossprod(x))
    writeLines(paste(c("measured", extSoftVersion()[["BLAS"]], sprintf("%.3f", c(fit, start, product))),
                     collapse = " "))
}

# Simulated cells, 2,000 genes, 10% nonzero, rank 20. Each number of threads in turn, so that all see the same noise.
report_cells <- function(n_cells, sweeps = 10L, times = 3L) {
    suppressPackageStartupMessages({
        library(Matrix)
        library(pNMF)
    })
    x <- simulate_sparse_cells(n_cells, 2000)
    few <- suppressMessages(pnmf(x, rank = 20, scales = 5, control = pnmf_control(max_outer = 1, tol = 0)))
    scales <- pNMF:::with_edges(few@scales)
    start <- list(W = loading(few, 1), H = t(embedding(few, 1)))
    sweep <- function(threads) {
        at <- numeric()
        timed_fit(x, scales, start, "hals", 0.1, sweeps, 10L, 0, threads, function(sweep, objective, seconds) {
            at[sweep] <<- seconds
            TRUE
        })
        stats::median(diff(at))
    }
    whole <- function(threads) {
        control <- pnmf_control(max_outer = sweeps, tol = 0, threads = threads, verbose = FALSE)
        elapsed(suppressMessages(pnmf(x, rank = 20, scales = 5, control = control)))
    }
    for (task in c("sweep", "whole")) {
        seconds <- vapply(seq_len(times), function(k) vapply(1:2, get(task), 0), numeric(2))
        writeLines(sprintf("%s: one thread %.2f s, two threads %.2f s, ratios %s (wanted: 1.7)",
                           c(sweep = "a sweep",
                             whole = paste("components, scales, start and", sweeps, "sweeps"))[[task]],
                           stats::median(seconds[1, ]), stats::median(seconds[2, ]),
                           paste(sprintf("%.2f", seconds[1, ] / seconds[2, ]), collapse = " ")))
    }
}

measured <- function(threads, folder) {
    # R's start-up script puts the system folders first, so a search path would not work.
    libraries <- paste(file.path(folder, c("libblas.so.3", "liblapack.so.3")), collapse = ":")
    fields <- measured_apart("--run", threads,
                             env = if (is.null(folder)) character() else paste0("LD_PRELOAD=", libraries))
    used <- as.numeric(fields[2:7])
    data.frame(blas = basename(dirname(fields[1])), threads = threads, fit = used[1], fit_cpu = used[2],
               cores = used[2] / used[1], start_cpu = used[4], crossprod = used[5], crossprod_cores = used[6] / used[5])
}

arguments <- commandArgs(trailingOnly = TRUE)
if (identical(arguments[1], "--run")) {
    run_fit(as.integer(arguments[2]))
} else if (identical(arguments[1], "--cells")) {
    report_cells(if (length(arguments) > 1) as.integer(arguments[2]) else 100000L)
} else {
    folders <- c(list(NULL), as.list(normalizePath(arguments)))
    rows <- do.call(rbind, lapply(folders, function(folder) {
        do.call(rbind, lapply(1:2, measured, folder = folder))
    }))
    rows$cpu_over_one_thread <- rows$fit_cpu / rows$fit_cpu[1]
    options(width = 160)
    writeLines(c("seconds of ten sweeps over 40 scales",
                 "cores: CPU time over wall time (wanted: at most 2.2 on two threads)"))
    print(rows, row.names = FALSE, digits = 3)
}
