# Label granularity: the two closest groups of labels are merged, step by step. Every scale is scored against each set
# of labels: by k-means with one cluster per group, and by the persistent clusters of the scale, whatever their number.
# Rscript inst/experiments/label_granularity.R [output folder] [--full] [--data=FOLDER]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

# A list of labellings with K, K - 1, ..., 2 groups, from average linkage of the mean profiles of the groups.
merged_labels <- function(X, y) {
    y <- factor(y)
    centers <- vapply(levels(y), function(group) Matrix::rowMeans(X[, y == group, drop = FALSE]), numeric(nrow(X)))
    tree <- stats::hclust(stats::dist(t(centers)), "average")
    counts <- seq(nlevels(y), 2)
    labels <- lapply(counts, function(k) factor(stats::cutree(tree, k)[as.character(y)]))
    stats::setNames(labels, paste(counts, "classes"))
}

for (name in names(sets <- labelled_sets(settings, if (settings$full) real_sets else "none"))) {
    set <- sets[[name]]
    path <- fit_cells(set$X, settings, quick = 30)
    scores <- lapply(merged_labels(set$X, set$y), function(y) score_path(path, y, n_start = 20, seed = 1))
    rows <- do.call(rbind, lapply(names(scores), function(labels) data.frame(labels = labels, scores[[labels]])))
    rows$labels <- factor(rows$labels, names(scores))
    found <- persistent_clusters(path)
    granularities <- merged_labels(set$X, set$y)
    best <- lapply(names(scores), function(labels) {
        own <- vapply(found$clusters, function(clusters) mean(cluster_scores(granularities[[labels]], clusters)), 1)
        data.frame(labels = labels, best_scale(scores[[labels]]), persistent_scale = unname(which.max(own)),
                   persistent_k = found$k[which.max(own)], persistent_score = max(own))
    })
    writeLines(c("", paste("data set:", name)))
    print_table(do.call(rbind, best), paste0("label_granularity_", name), settings)
    long <- do.call(rbind, lapply(c("ari", "nmi", "purity", "accuracy"), function(metric) {
        data.frame(rows[c("labels", "t")], metric = factor(metric, c("ari", "nmi", "purity", "accuracy")),
                   score = rows[[metric]])
    }))
    save_figure(
        ggplot(long, aes(t, score, colour = labels)) + geom_line() + facet_wrap(~metric, nrow = 1) +
            labs(x = "scale (fine to coarse)", colour = NULL, title = name) + plain_theme(),
        paste0("label_granularity_", name), settings, width = 11, height = 3.5
    )
}
