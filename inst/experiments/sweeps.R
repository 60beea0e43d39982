# Many cells start from a fit of 3,000 of them: what do more sweeps over all cells add?
# Rscript inst/experiments/sweeps.R [output folder] [--full] [--threads=N]
# The simulated hierarchy at rank 16 (11,000 cells; 15,000 and more sweeps with --full). Rows: the correlation of the
# best factor with every known program, mean by kind, at the finest, the middle and the coarsest scales.
# RcppML::nmf() runs beside it.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
options(pNMF.progress = FALSE, RcppML.threads = settings$threads)

cells <- simulated_hierarchy(1, n_cells = if (settings$full) 15000 else 11000)
X <- methods::as(cells$X, "CsparseMatrix")
rows <- lapply(if (settings$full) c(1, 2, 8, 16, 64) else c(1, 2, 8), function(sweeps) {
    path <- suppressMessages(suppressWarnings(pnmf(X, rank = 16, control = pnmf_control(max_outer = sweeps))))
    at <- c(1L, 7L, 10L, 12L)
    scores <- lapply(at, function(t) program_scores(loading(path, t), embedding(path, t), cells))
    data.frame(fit = paste(sweeps, "sweeps"), scale = at, do.call(rbind, scores),
               objective = utils::tail(objective(path)$objective, 1L))
})
if (requireNamespace("RcppML", quietly = TRUE)) {
    suppressPackageStartupMessages(library(Matrix)) # RcppML expects it to be attached
    found <- RcppML::nmf(X, 16, seed = 1, verbose = FALSE)
    scores <- program_scores(found$w, t(found$d * found$h), cells)
    rows <- c(rows, list(data.frame(fit = "RcppML", scale = NA, t(scores), objective = NA)))
}
print_table(do.call(rbind, rows), "sweeps", settings, digits = 2)
