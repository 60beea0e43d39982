# The clustering table: mean of ARI, NMI, purity and accuracy of k-means on the embeddings of the baselines, of the
# released code's arithmetic and of the default solver (finest scale; best scale, chosen with the labels; the scale
# that suggest_scale() finds without them).
# Rscript inst/experiments/clustering_table.R [output folder] [--full] [--data=FOLDER]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

path_rows_of <- function(path, y, label, suggested) {
    scores <- score_path(path, y, n_start = 50, seed = 1)
    t <- c(1, if (suggested) c(which.max(scores$average), suggest_scale(path, seed = 1)$t))
    method <- c(paste(label, "t = 1"), if (suggested) paste(label, c("best", "suggested")))
    data.frame(method = method, t = t, scores[t, c("ari", "nmi", "purity", "accuracy", "average")])
}

rows_of_set <- function(name, set) {
    X <- set$X
    say("%s: %d features, %d cells, %d classes", name, nrow(X), ncol(X), length(unique(set$y)))
    baselines <- lapply(baseline_fits(X), function(fit) embedding_scores(embedding(fit), set$y))
    baselines <- data.frame(method = names(baselines), t = NA, do.call(rbind, baselines))
    baselines$average <- rowMeans(baselines[, c("ari", "nmi", "purity", "accuracy")])
    say("%s: baselines done", name)
    scales <- scales_of(X, settings)
    hals <- pnmf(X, scales = scales)
    say("%s: hals done", name)
    authors <- pnmf(X, scales = scales, solver = "authors")
    say("%s: authors done", name)
    rows <- rbind(baselines, path_rows_of(authors, set$y, "authors", FALSE), path_rows_of(hals, set$y, "hals", TRUE))
    data.frame(data = name, rows, row.names = NULL)
}

sets <- labelled_sets(settings)
results <- do.call(rbind, Map(rows_of_set, names(sets), sets))
results$data <- factor(results$data, names(sets))
results$method <- factor(results$method, unique(results$method))
utils::write.csv(results, file.path(settings$folder, "clustering_scores.csv"), row.names = FALSE)

wide <- as.data.frame.matrix(xtabs(average ~ data + method, results))
print_table(data.frame(data = rownames(wide), wide, check.names = FALSE), "clustering_table", settings)
save_figure(
    ggplot(results, aes(average, method)) +
        geom_segment(aes(x = 0, xend = average, yend = method), colour = "grey80") +
        geom_point(size = 2, colour = okabe_ito[1]) +
        facet_wrap(~data, nrow = 1) + scale_y_discrete(limits = rev) +
        labs(x = "mean of ARI, NMI, purity and accuracy", y = NULL) + theme_bw(base_size = 11),
    "clustering_table", settings, width = 3 + 2 * length(sets), height = 3.5
)
