# A default path beside one RcppML::nmf() of the same rank, both on two threads, in one run:
#   Rscript inst/benchmarks/default_fit.R [names of data]
# Processor time of this process counts both threads, whatever else the machine does.
# Data: pbmc_sorted is shipped (panel_100: 100 of its genes); pbmc_facs and RNAmix are in $PNMF_SHARED/data; the others
# are simulated.
library(pNMF)
library(Matrix)  # RcppML looks for its classes on the search path

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "common.R"))

variable_rows <- function(x, n) {
    variance <- Matrix::rowMeans(x^2) - Matrix::rowMeans(x)^2
    x[sort(order(-variance)[seq_len(min(n, nrow(x)))]), ]
}

sorted_cells <- function() {
    held <- new.env()
    utils::data("pbmc_sorted", package = "pNMF", envir = held)
    normalize_counts(held$pbmc_sorted$counts)
}

sets <- list(
    pbmc_sorted = sorted_cells,
    panel_100 = function() as.matrix(variable_rows(sorted_cells(), 100)),
    pbmc_facs_2000 = function() as.matrix(variable_rows(load_set("pbmc_facs"), 2000)),
    RNAmix_300 = function() as.matrix(load_set("RNAmix")[, 1:300]),
    sparse_4000 = function() simulate_sparse_cells(16000, 4000),
    cells_100000 = function() simulate_sparse_cells(1e5, 2000)
)

# Processor time when the rank is known, when the scales are, when the sweeps over all of them begin, and when they end.
# The last sweep of the start is the one that the progress bar calls 0.
at <- new.env()
mark <- function(stage) at[[stage]] <- sum(proc.time()[c("user.self", "sys.self")])
mark_calls <- function(name, stage, after = TRUE) {
    plain <- utils::getFromNamespace(name, "pNMF")
    utils::assignInNamespace(name, function(...) {
        if (after) on.exit(mark(stage)) else mark(stage)
        plain(...)
    }, "pNMF")
}
mark_calls("default_rank", "rank")
mark_calls("with_effective_cells", "scales")
mark_calls("fit_path", "start", after = FALSE)
utils::assignInNamespace("sweep_progress", function(control) {
    list(on_sweep = function(sweep, ...) if (sweep == 0) mark("start"), done = function() mark("sweeps"))
}, "pNMF")

compare <- function(name) {
    x <- sets[[name]]()
    control <- pnmf_control(threads = 2, verbose = FALSE)
    mark("begin")
    ours <- spent(path <- suppressMessages(pnmf(x, control = control)))
    stages <- diff(unlist(mget(c("begin", "rank", "scales", "start", "sweeps"), at)))
    RcppML::setRcppMLthreads(2)
    theirs <- spent(RcppML::nmf(x, n_factors(path), verbose = FALSE, seed = 1))
    print(data.frame(data = name, features = nrow(x), cells = ncol(x), rank = n_factors(path), scales = n_scales(path),
                     sweeps = nrow(objective(path)), converged = all(converged(path)), cpu = ours[["cpu"]],
                     RcppML = theirs[["cpu"]], ratio = ours[["cpu"]] / theirs[["cpu"]],
                     wall_ratio = ours[["wall"]] / theirs[["wall"]],
                     ratio_per_scale = ours[["cpu"]] / theirs[["cpu"]] / n_scales(path)),
          digits = 3, row.names = FALSE)
    writeLines(paste0("    CPU time: ", paste(names(stages), sprintf("%.1f s", stages), collapse = ", ")))
}

chosen <- commandArgs(trailingOnly = TRUE)
for (name in if (length(chosen)) chosen else names(sets)) {
    compare(name)
}
