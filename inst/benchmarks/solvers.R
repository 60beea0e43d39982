# Speed of the solvers, as ratios in one run:   Rscript inst/benchmarks/solvers.R [data set ...]
# Data: RDS lists with X (features x cells) in $PNMF_SHARED/data (yan and DC1 by default), else simulated cells.
library(pNMF)

load_set <- function(name) {
    file <- file.path(Sys.getenv("PNMF_SHARED"), "data", paste0(name, ".rds"))
    if (file.exists(file)) return(readRDS(file)$X)
    message(name, " is not there: simulated cells instead")
    normalize_counts(simulate_cells(n_cells = 150, n_genes = 4000)$counts)
}

elapsed <- function(expr) system.time(expr)[["elapsed"]]

# Seconds and sweeps until `hals` is below an objective, by fits of growing length.
time_to_reach <- function(x, scales, start, target, threads) {
    for (sweeps in c(1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 200)) {
        seconds <- elapsed(path <- pnmf(x, scales = scales, lambda_anchor = 1, solver = "hals", control = pnmf_control(
            max_outer = sweeps, tol = 0, threads = threads, start = start, verbose = FALSE)))
        if (min(objective(path)$objective) <= target) return(list(seconds = seconds, sweeps = sweeps))
    }
    list(seconds = NA, sweeps = NA)
}

compare_solvers <- function(name) {
    x <- load_set(name)
    scales <- persistence_scales(x)
    start <- nndsvda(x, ceiling(sqrt(ncol(x))))
    seconds <- elapsed(authors <- pnmf(x, scales = scales, solver = "authors", control = pnmf_control(
        threads = 1, start = start, verbose = FALSE)))
    target <- tail(objective(authors)$objective, 1)
    hals <- time_to_reach(x, scales, start, target, threads = 1)
    cat(sprintf("%-8s authors %.2f s, ends at %.6g; hals below it in %.2f s (%d sweeps): %.1f times shorter\n", name,
                seconds, target, hals$seconds, hals$sweeps, seconds / hals$seconds))
}

# Share of a sweep spent in the two passes over the data, their rate against R's crossprod, and two threads.
sweep_anatomy <- function(name, x) {
    rank <- ceiling(sqrt(ncol(x)))
    scales <- persistence_scales(x, n_scales = min(40, length(persistence_scales(x)$threshold)))
    start <- nndsvda(x, rank)
    fit <- function(sweeps, threads) {
        elapsed(pnmf(x, rank = rank, scales = scales, control = pnmf_control(
            max_outer = sweeps, tol = 0, threads = threads, start = start, extrapolate = FALSE, verbose = FALSE)))
    }
    per_sweep <- function(threads) {
        min(vapply(1:3, function(k) fit(9, threads) - fit(1, threads), numeric(1))) / 8
    }
    one <- per_sweep(1)
    two <- per_sweep(2)
    pass <- min(vapply(1:3, function(k) {
        pNMF:::data_pass_seconds_cpp(x, start$W, start$H, 20L, 1L) / 20
    }, numeric(1)))
    in_r <- min(vapply(1:5, function(k) elapsed(for (i in 1:5) Matrix::crossprod(start$W, x)) / 5, numeric(1)))
    cat(sprintf(paste0("%-8s sweep %.3f s, %.0f%% of it data passes; W'X takes %.2f times R's crossprod(W, X); ",
                       "2 threads %.2f times faster\n"), name, one,
                100 * pass * length(scales$threshold) / one, (pass / 2) / in_r, one / two))
}

sets <- commandArgs(trailingOnly = TRUE)
if (length(sets) == 0L) sets <- c("yan", "DC1")
for (name in sets) compare_solvers(name)
for (name in sets) sweep_anatomy(name, load_set(name))
dense <- matrix(stats::rexp(6e6), 20000, 300) * (matrix(stats::runif(6e6), 20000, 300) < 0.5)
sweep_anatomy("dense", dense)
