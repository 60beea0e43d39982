# Increments of thresholds, Laplacians and embeddings from scale to scale: Pearson's r and p for the three pairs, on
# the path of the default solver and, if available, on the published path.
# Rscript inst/experiments/increments.R [output folder]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
circles <- circles_data()
paths <- list(hals = fit_circles(circles$X), authors = fit_circles(circles$X, "authors"))
if (!is.null(circles$H)) {
    published <- paths$authors
    published@H <- lapply(seq_len(dim(circles$H)[3]), function(t) circles$H[, , t])
    paths$published <- published
}
steps <- lapply(paths, increments)
rows <- lapply(names(paths), function(name) data.frame(path = name, increment_correlations(steps[[name]])))
table <- do.call(rbind, rows)
table$p <- signif(table$p, 3)
print_table(table, "increments", settings, digits = 4)
if (!is.null(paths$published)) {
    difference <- max(mapply(function(a, b) max(abs(a - b)), paths$authors@H, paths$published@H))
    writeLines(sprintf("solver \"authors\" against the published path: largest difference %.2g", difference))
}
last <- names(paths)[length(paths)]
save_figure(plot(steps[[last]]), "increments", settings, width = 10, height = 3.8)
