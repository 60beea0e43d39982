# The largest data of the paper in full: Rscript inst/benchmarks/paper_size.R [features cells rank sweeps]
# 19,189 x 758, rank 28, all canonical scales. Each fit runs in its own session, so that its peak memory can be read.
library(pNMF)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "common.R"))

arguments <- commandArgs(trailingOnly = TRUE)
child <- length(arguments) > 0 && arguments[1] == "fit"

fit_here <- function(data, rank, sweeps) {
    x <- readRDS(data)
    control <- pnmf_control(max_outer = sweeps, threads = 2, memory = Inf, verbose = FALSE)
    seconds <- elapsed(path <- suppressWarnings(pnmf(x, rank = rank, control = control)))
    list(seconds = seconds, peak = peak_memory(), objective = objective(path)$objective, converged = converged(path),
         scales = length(path))
}

if (child) {
    saveRDS(fit_here(arguments[2], as.integer(arguments[3]), as.integer(arguments[4])), arguments[5])
    quit("no")
}

size <- if (length(arguments) == 4) as.integer(arguments) else c(19189L, 758L, 28L, 10L)
p <- size[1]
n <- size[2]
rank <- size[3]
set.seed(1)
x <- matrix(rexp(p * 12), p, 12) %*% matrix(rexp(12 * n)^2, 12, n) * rexp(p * n)
x[x < median(x)] <- 0
x <- sweep(x, 2, sqrt(colSums(x^2)), "/")
data <- tempfile(fileext = ".rds")
saveRDS(x, data, compress = FALSE)
cat(sprintf("%d x %d, %.0f%% zeros, rank %d\n", p, n, 100 * mean(x == 0), rank))

W <- matrix(runif(p * rank), p)
H <- matrix(runif(rank * n), rank)
pass <- min(replicate(3, elapsed({
    x %*% t(H)
    crossprod(W, x)
})))
cat(sprintf("X %%*%% t(H) and crossprod(W, X) in R: %.2f s\n", pass))

out <- tempfile(fileext = ".rds")
run_apart("fit", data, rank, size[4], out)
fit <- readRDS(out)
objective <- fit$objective
close <- which(objective <= 1.002 * min(objective))[1]
cat(sprintf(paste0("%d scales, %d sweeps, %.0f scales converged, %.0f s, peak %.2f GB; within 0.2%% of the last ",
                   "objective after sweep %d; time / (sweeps x scales x both products in R): %.3f\n"),
            fit$scales, length(objective), sum(fit$converged), fit$seconds, fit$peak, close,
            fit$seconds / (length(objective) * fit$scales * pass)))
cat("objective:", format(objective, digits = 8), "\n")

few <- 2L
theirs <- elapsed(path <- suppressWarnings(pnmf(
    x, rank = rank, scales = few, solver = "authors",
    control = pnmf_control(max_outer = 1, max_inner = 50, tol = 0, threads = 2, verbose = FALSE)
)))
cat(sprintf(paste0("authors: %.1f s for 50 steps at %d scales; extrapolated to %d scales and 10 sweeps of 50 steps: ",
                   "%.1f h (their code makes up to 1,000 steps)\n"), theirs, few, n, theirs / few * n * 10 / 3600))
