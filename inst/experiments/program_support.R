# Which programs are supported: at the right rank, at higher ones, and in data of noise.
# Rscript inst/experiments/program_support.R [output folder] [--full]
# Six simulated types and pbmc_sorted, and both with every gene permuted over the cells. --full: more ranks.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

permuted <- function(x) {
    set.seed(1)
    t(apply(x, 1L, sample))
}
sets <- list(types = as.matrix(normalize_counts(simulate_cells(seed = 1)$counts)),
             pbmc_sorted = as.matrix(normalize_counts(sorted_cells()$counts)))
sets <- c(sets, lapply(stats::setNames(sets, paste(names(sets), "permuted")), permuted))
ranks <- if (settings$full) c(2L, 3L, 4L, 6L, 10L, 12L, 18L, 30L) else c(3L, 6L, 12L)

support <- asNamespace("pNMF")$program_support
rows <- lapply(names(sets), function(name) {
    do.call(rbind, lapply(ranks, function(rank) {
        say("%s, rank %d", name, rank)
        path <- suppressMessages(suppressWarnings(pnmf(sets[[name]], rank = rank)))
        at <- c(finest = 1L, default = active_scale(path), coarsest = n_scales(path))
        data.frame(data = name, rank = rank,
                   t(vapply(at, function(t) sum(support(sets[[name]], path, t)), integer(1))))
    }))
})
print_table(do.call(rbind, rows), "program_support", settings)
