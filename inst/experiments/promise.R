# Does a converged fit stay where it is? Default fits make as many sweeps again, from their checkpoints: no embedding
# may move by more than 3%.
# Rscript inst/experiments/promise.R [output folder] [--full]
# pbmc_sorted, simulated cells and, with PNMF_SHARED set, the ten labelled sets with 2,000 genes; --full: and with all.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

sets <- list(pbmc_sorted = normalize_counts(sorted_cells()$counts),
             types = normalize_counts(simulate_cells(seed = 1)$counts), hierarchy = simulated_hierarchy(1)$X)
if (!is.null(shared_file("yan")) || !is.null(settings$data)) {
    all <- labelled_sets(settings, ten_sets)
    sets <- c(sets, lapply(all, function(set) variable_rows(set$X, 2000L)),
              if (settings$full) stats::setNames(lapply(all, `[[`, "X"), paste(names(all), "(all genes)")))
}

moves <- function(name) {
    file <- tempfile(fileext = ".pnmf")
    on.exit(unlink(file))
    x <- sets[[name]]
    time <- system.time(
        path <- suppressMessages(pnmf(x, control = pnmf_control(checkpoint = file, every = 1e6, verbose = FALSE)))
    )
    sweeps <- nrow(objective(path))
    say("%s: %d sweeps", name, sweeps)
    further <- suppressMessages(
        pnmf(x, resume = file, control = pnmf_control(tol = 0, max_outer = 2 * sweeps, verbose = FALSE))
    )
    moved <- mapply(function(H, later) sqrt(sum((H - later)^2) / sum(H^2)), path@H, further@H)
    data.frame(data = name, features = nrow(x), cells = ncol(x), rank = n_factors(path), sweeps = sweeps,
               converged = all(converged(path)), moved_percent = 100 * max(moved), cpu = time[[1]] + time[[2]])
}
print_table(do.call(rbind, lapply(names(sets), moves)), "promise", settings)
