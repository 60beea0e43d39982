# Effective cells: their share of the time of a default fit of simulated cells, and their errors on real ones.
#   Rscript inst/benchmarks/effective_cells.R [CELLS ...]      (4000 100000)
# Errors are relative to the eigenvalues of the Laplacians, at all scales of default paths of the sets in
# $PNMF_SHARED/data (pbmc_facs: 1,800 of its cells). Two threads, processor time.
library(pNMF)

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "common.R"))

all_scales <- function(x) {
    pNMF:::found_scales(pNMF:::principal_components(x, 20L, 2L)$coordinates, "adaptive", "knn", 15L,
                        if (ncol(x) > 50000) "approximate" else "exact", 2L, verbose = FALSE)
}

effective_scales <- function(scales) pNMF:::even_scales(scales, 12L, 3, NULL, 2, 2L)

print_share <- function(n) {
    x <- simulate_sparse_cells(n, 2000)
    scales <- all_scales(x)
    ours <- spent(effective_scales(scales))[["cpu"]]
    control <- pnmf_control(threads = 2, verbose = FALSE)
    fit <- spent(path <- suppressMessages(pnmf(x, control = control)))[["cpu"]]
    step <- -diff(log(effective_cells(path)))
    writeLines(sprintf("%7d cells: effective cells %.1f s of a fit of %.1f s, %.0f%%; longest step %.2f of the mean", n,
                       ours, fit, 100 * ours / fit, max(step) / mean(step)))
}

print_error <- function(name) {
    x <- load_set(name)
    if (ncol(x) > 1800) x <- x[, round(seq(1, ncol(x), length.out = 1800))]
    scales <- effective_scales(all_scales(as.matrix(x)))
    exact <- vapply(seq_along(scales$threshold), function(t) {
        L <- as.matrix(laplacian(scale_graph(scales, t, 2)))
        values <- eigen(L, symmetric = TRUE, only.values = TRUE)$values
        sum((1 + scales$lambda_graph * pmax(values, 0))^-2)
    }, numeric(1))
    step <- -diff(log(exact))
    writeLines(sprintf("%-10s %4d cells: largest error %.1f%%; longest step %.2f of the mean", name, ncol(x),
                       100 * max(abs(scales$effective_cells / exact - 1)), max(step) / mean(step)))
}

if (nzchar(Sys.getenv("PNMF_SHARED"))) {
    for (name in c("RNAmix", "tms_liver", "ginhoux", "Pollen", "pollenRG", "DC1", "pbmc_facs")) print_error(name)
}
cells <- as.integer(commandArgs(trailingOnly = TRUE))
for (n in if (length(cells)) cells else c(4000L, 100000L)) print_share(n)
