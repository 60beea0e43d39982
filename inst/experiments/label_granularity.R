# Label granularity: the two closest groups of labels are merged, step by step. Every scale is scored against each set
# of labels: by k-means with one cluster per group, and by the persistent clusters of the scale, whatever their number.
# Rscript inst/experiments/label_granularity.R [output folder] [--full] [--data=FOLDER]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

# A list of labellings with K, K - 1, ..., 2 groups: sorted blood cells by lineage, other cells by average linkage of
# the mean profiles of the groups.
merged_labels <- function(X, y) {
    y <- factor(y)
    if (all(c("T cell", "NK cell", "CD34+") %in% levels(y))) return(blood_lineages(y))
    centers <- vapply(levels(y), function(group) Matrix::rowMeans(X[, y == group, drop = FALSE]), numeric(nrow(X)))
    tree <- stats::hclust(stats::dist(t(centers)), "average")
    counts <- seq(nlevels(y), 2)
    labels <- lapply(counts, function(k) factor(stats::cutree(tree, k)[as.character(y)]))
    stats::setNames(labels, paste(counts, "classes"))
}

blood_lineages <- function(y) {
    t_and_nk <- ifelse(y %in% c("T cell", "NK cell"), "T and NK", as.character(y))
    lymphocytes <- ifelse(t_and_nk == "B cell", "T and NK", t_and_nk)
    list("sorted types" = y, "T and NK joined" = factor(t_and_nk), "lymphocytes joined" = factor(lymphocytes))
}

# scores: of k-means, from score_path(), one data frame per element of labels
best_scales <- function(scores, found, labels) {
    rows <- lapply(names(labels), function(name) {
        own <- vapply(found$clusters, function(clusters) score(labels[[name]], clusters), 1)
        data.frame(labels = name, summary(scores[[name]]), persistent_scale = unname(which.max(own)),
                   persistent_k = found$k[which.max(own)], persistent_score = max(own))
    })
    do.call(rbind, rows)
}

draw_scores <- function(scores, name) {
    rows <- do.call(rbind, lapply(names(scores), function(labels) data.frame(labels = labels, scores[[labels]])))
    rows$labels <- factor(rows$labels, names(scores))
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

sets <- labelled_sets(settings, if (settings$full) c(real_sets, "mECS", "Pollen", "pbmc_facs") else "none")
for (name in names(sets)) {
    set <- sets[[name]]
    say("%s", name)
    path <- suppressMessages(pnmf(set$X))
    labels <- merged_labels(set$X, set$y)
    scores <- lapply(labels, function(y) score_path(path, y, n_start = 20, seed = 1))
    writeLines(c("", paste("data set:", name)))
    print_table(best_scales(scores, persistent_clusters(path), labels), paste0("label_granularity_", name), settings)
    draw_scores(scores, name)
}
