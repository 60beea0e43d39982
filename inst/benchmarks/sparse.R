# Sparse data against RcppML, as ratios in one run:   Rscript inst/benchmarks/sparse.R
# Data: pbmc_facs.rds in $PNMF_SHARED/data, else simulated counts of that shape.
library(pNMF)
library(Matrix)  # RcppML looks for its classes on the search path

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "common.R"))

# RcppML at its defaults, and `hals` on one scale without penalties from a random start, until it is as good.
against_rcppml <- function(A, rank, turns = 3) {
    scale <- list(edges = list(i = integer(0), j = integer(0), length = numeric(0)), threshold = 1)
    RcppML::setRcppMLthreads(1)
    ratios <- vapply(seq_len(turns), function(seed) {
        theirs <- elapsed(model <- RcppML::nmf(A, rank, verbose = FALSE, seed = seed))
        target <- squared_error(A, model$w %*% diag(model$d, length(model$d)), model$h)
        begun <- proc.time()[["elapsed"]]
        start <- pNMF:::random_factors(A, rank, seed)
        prepared <- proc.time()[["elapsed"]] - begun
        reached <- NULL
        timed_fit(A, scale, start, "hals", 0, 500L, 10L, 0, 1L, function(sweep, objective, seconds) {
            if (objective <= target) reached <<- c(sweep, seconds)
            is.null(reached)
        }, penalties = 0, chain = FALSE)
        if (is.null(reached)) stop("never as good as RcppML at rank ", rank)
        ours <- reached[2] + prepared
        cat(sprintf("rank %d, seed %d: RcppML %.2f s (%d iterations), hals as good in %.2f s (%d sweeps)\n", rank, seed,
                    theirs, model$iter, ours, reached[1]))
        theirs / ours
    }, numeric(1))
    cat(sprintf("rank %d: hals takes 1/%.2f of RcppML's time (median of %d)\n", rank, stats::median(ratios), turns))
}

# A whole path on two threads, per scale, against one fit of RcppML of the same rank.
path_against_one_fit <- function(A, rank, n_scales) {
    RcppML::setRcppMLthreads(1)
    one <- elapsed(RcppML::nmf(A, rank, verbose = FALSE, seed = 1))
    scales <- persistence_scales(A, graph = "knn", n_scales = n_scales, threads = 2)
    seconds <- elapsed(path <- suppressWarnings(pnmf(A, rank = rank, scales = scales, control = pnmf_control(
        threads = 2, verbose = FALSE))))
    cat(sprintf("%d scales, rank %d, neighbour graph, 2 threads: %.2f s a scale (%d sweeps); one RcppML fit %.2f s\n",
                n_scales, rank, seconds / n_scales, nrow(objective(path)), one))
}

# Density above which the dense kernels are faster, rank by rank: seconds of a sweep of one scale without a graph.
crossover <- function(rows = 8000, columns = 600, ranks = c(5, 10, 20, 40)) {
    for (rank in ranks) {
        scale <- list(edges = list(i = integer(0), j = integer(0), length = numeric(0)), threshold = 1)
        start <- list(W = matrix(stats::runif(rows * rank), rows), H = matrix(stats::runif(rank * columns), rank))
        sweep_seconds <- function(x) {
            at <- numeric(0)
            timed_fit(x, scale, start, "hals", 0, 40L, 10L, 0, 1L, function(sweep, objective, seconds) {
                at[sweep] <<- seconds
                TRUE
            }, penalties = 0, chain = FALSE)
            diff(range(at)) / (length(at) - 1)
        }
        dense <- sweep_seconds(matrix(stats::runif(rows * columns), rows))
        densities <- c(0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)
        sparse <- vapply(densities, function(density) {
            sweep_seconds(abs(Matrix::rsparsematrix(rows, columns, density)))
        }, numeric(1))
        cat(sprintf("rank %d: sparse over dense time %s\n", rank,
                    paste(sprintf("%.2f at %g%%", sparse / dense, 100 * densities), collapse = ", ")))
    }
}

A <- load_set("pbmc_facs", n_cells = 3774, n_genes = 16791)
for (rank in c(10, 30)) against_rcppml(A, rank)
path_against_one_fit(A, 20, 30)
crossover()
