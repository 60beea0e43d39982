# Shards of cells on worker processes: time of a sweep with 1, 2 and 4 processes, what is sent, the share of edges
# between shards, and the objective beside that of a fit on threads.
#   Rscript shards.R [CELLS] [SCALES] [SWEEPS]      (100000, 20 and 4)
# Simulated clusters, 2,000 genes, 10% nonzero, rank 20.

arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
setting <- function(k, default) if (length(arguments) >= k) arguments[k] else default
n_cells <- setting(1, 100000)
n_scales <- setting(2, 20)
sweeps <- setting(3, 4)
n_genes <- 2000
rank <- 20

suppressPackageStartupMessages(library(pNMF))
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "common.R"))

fit <- function(x, scales, sweeps, BPPARAM = NULL, tol = 0, threads = 1) {
    control <- pnmf_control(max_outer = sweeps, tol = tol, threads = threads, verbose = FALSE)
    suppressWarnings(pnmf(x, rank, scales = scales, BPPARAM = BPPARAM, control = control))
}

backend <- function(workers) {
    BiocParallel::SnowParam(workers, exportglobals = FALSE, exportvariables = FALSE)
}

# The first sweep includes the start.
timed_fit <- function(x, scales, workers) {
    path <- fit(x, scales, 1 + sweeps, backend(workers))
    list(seconds = stats::median(path@convergence$shards$traffic$seconds[-1]), path = path)
}

# Processor seconds of a sweep in this session and in one worker, which other work on the machine changes little.
processor_seconds <- function(x, scales) {
    worker <- BiocParallel::bpstart(backend(1))
    on.exit(BiocParallel::bpstop(worker))
    now <- function() {
        there <- BiocParallel::bplapply(1, function(i) sum(proc.time()[1:2]), BPPARAM = worker)[[1]]
        c(driver = sum(proc.time()[1:2]), worker = there)
    }
    spent <- function(sweeps) {
        before <- now()
        fit(x, scales, sweeps, worker)
        now() - before
    }
    few <- spent(1)
    (spent(1 + sweeps) - few) / sweeps
}

# Bytes of a sweep: what does not depend on the cells, 8 T d (workers p + shards (p + d)), and the embeddings of cells
# at borders, which grow with them.
fixed_bytes <- function(n_scales, workers, shards) 8 * n_scales * rank * (workers * n_genes + shards * (n_genes + rank))

x <- simulate_sparse_cells(n_cells, n_genes, varied = FALSE)
threads <- fit(x, n_scales, 1, threads = 2)
scales <- threads@scales
one <- timed_fit(x, scales, 1)
two <- timed_fit(x, scales, 2)
four <- timed_fit(x, scales, 4)
used <- processor_seconds(x, scales)
shards <- two$path@convergence$shards
same <- function(path) identical(pNMF:::all_embeddings(path), pNMF:::all_embeddings(one$path))
bytes <- sum(tail(shards$traffic, 1)[c("sent", "received")])
at_borders <- bytes - fixed_bytes(length(scales$threshold), 2, length(shards$cells))
scaled <- fixed_bytes(20, 2, length(shards$cells)) + at_borders * 1e6 / n_cells * 20 / length(scales$threshold)

cat(sprintf("%d cells, %d scales, %d shards, %.1f%% of the edges between shards\n", n_cells,
            length(scales$threshold), length(shards$cells), 100 * shards$crossing))
cat(sprintf("one process %.2f s a sweep, two %.2f s (%.2f times as fast), four %.2f s (%.2f); the same result: %s\n",
            one$seconds, two$seconds, one$seconds / two$seconds, four$seconds, one$seconds / four$seconds,
            same(two$path) && same(four$path)))
cat(sprintf("processor time of a sweep: driver %.2f s, worker %.2f s; two workers on idle cores %.2f times as fast\n",
            used[["driver"]], used[["worker"]], sum(used) / (used[["driver"]] + used[["worker"]] / 2)))
cat(sprintf("%.1f MB a sweep are sent and received, %.1f MB at borders; at 1,000,000 cells and 20 scales %.2f GB\n",
            bytes / 1e6, at_borders / 1e6, scaled / 1e9))

few <- x[, seq_len(min(5000, n_cells))]
here <- fit(few, 5, 1000, tol = 0.003)
there <- fit(few, 5, 1000, BiocParallel::SerialParam(), tol = 0.003)
last <- function(path) tail(objective(path)$objective, 1)
cat(sprintf("%d cells until convergence: objective %.2g of itself from that on threads, %d sweeps instead of %d\n",
            ncol(few), last(there) / last(here) - 1, nrow(objective(there)), nrow(objective(here))))
