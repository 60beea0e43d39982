# Clustering scores against the scale, with the four baselines as horizontal lines.
# Rscript inst/experiments/accuracy_by_scale.R [output folder] [--full] [--data=FOLDER]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

for (name in names(sets <- labelled_sets(settings, if (settings$full) real_sets else "DC1"))) {
    set <- sets[[name]]
    path <- fit_cells(set$X, settings, quick = 30)
    scores <- score_path(path, set$y, n_start = 50, seed = 1)
    baselines <- lapply(baseline_fits(set$X), function(fit) embedding_scores(embedding(fit), set$y))
    baselines <- data.frame(method = names(baselines), do.call(rbind, baselines), row.names = NULL)
    writeLines(c("", paste("data set:", name)))
    shown <- unique(round(seq(1, nrow(scores), length.out = 10)))
    print(baselines, row.names = FALSE, digits = 3)
    print(summary(scores), row.names = FALSE, digits = 3)
    print_table(scores[shown, ], paste0("accuracy_by_scale_", name), settings)
    save_figure(plot(scores, baselines = baselines) + ggtitle(name), paste0("accuracy_by_scale_", name),
                settings, width = 8, height = 5.5)
}
