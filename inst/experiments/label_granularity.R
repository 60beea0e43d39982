# Label granularity: the two closest groups of labels are merged, step by step. Every scale is scored against each set
# of labels: by k-means with one cluster per group, and by the persistent clusters of the scale, whatever their number.
# Then other orders in which clusters could merge, beyond the recommended level.
# Rscript inst/experiments/label_granularity.R [output folder] [--full] [--data=FOLDER]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

score <- function(truth, labels) mean(cluster_scores(truth, labels))

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
        data.frame(labels = name, best_scale(scores[[name]]), persistent_scale = unname(which.max(own)),
                   persistent_k = found$k[which.max(own)], persistent_score = max(own))
    })
    do.call(rbind, rows)
}

# The tree of persistent_clusters() before its coarse levels follow the genes.
graph_tree <- function(path) {
    graph <- pNMF:::neighbor_graph(pNMF:::cluster_coordinates(path), path@scales$mst)
    tree <- pNMF:::community_tree_cpp(graph, pNMF:::cluster_neighbors(dim(path)[2]))
    tree$leaf <- pNMF:::with_dust(tree, path)
    mergers <- pNMF:::merge_leaves_cpp(graph, tree$leaf, tree$leaves)
    tree[names(mergers)] <- mergers
    pNMF:::sorted_leaves(tree)
}

# The same clusters at the recommended level, merged in different orders from there on.
trees_by_order <- function(path, X) {
    tree <- graph_tree(path)
    level <- pNMF:::recommended_level(path, tree)
    merged <- function(distance_of) pNMF:::with_coarse_levels(tree, level, path, distance_of)
    means <- function(group) pNMF:::group_means(t(pNMF:::cluster_coordinates(path)), group)
    data_means <- function(group) {
        vapply(seq_len(max(group)), function(g) Matrix::rowMeans(X[, group == g, drop = FALSE]), numeric(nrow(X)))
    }
    list(graph = tree, distance = merged(function(group) as.matrix(stats::dist(means(group)))),
         pearson = merged(function(group) 1 - stats::cor(pNMF:::cluster_profiles(path, group))),
         spearman = pNMF:::with_coarse_levels(tree, level, path),
         spearman_data = merged(function(group) pNMF:::profile_distances(data_means(group))),
         spearman_all = pNMF:::with_coarse_levels(tree, 1L, path))
}

# Scores of the best level: against the labels, and on average against the coarser labels.
order_scores <- function(path, X, labels) {
    rows <- lapply(trees_by_order(path, X), function(tree) {
        members <- pNMF:::level_members(tree)
        best <- function(y) max(apply(members, 2, function(cluster) score(y, cluster[tree$leaf])))
        each <- vapply(labels, best, 1)
        data.frame(labels = each[1], coarser_labels = mean(each[-1]))
    })
    data.frame(order = names(rows), do.call(rbind, rows), row.names = NULL)
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
orders <- lapply(names(sets), function(name) {
    set <- sets[[name]]
    say("%s", name)
    path <- suppressMessages(pnmf(set$X, scales = 20))
    labels <- merged_labels(set$X, set$y)
    scores <- lapply(labels, function(y) score_path(path, y, n_start = 20, seed = 1))
    writeLines(c("", paste("data set:", name)))
    print_table(best_scales(scores, persistent_clusters(path), labels), paste0("label_granularity_", name), settings)
    draw_scores(scores, name)
    data.frame(set = name, order_scores(path, set$X, labels))
})
orders <- do.call(rbind, orders)
wide <- function(column) {
    table <- tapply(orders[[column]], orders[c("set", "order")], c)[names(sets), unique(orders$order), drop = FALSE]
    data.frame(set = c(rownames(table), "mean"), rbind(table, colMeans(table)), row.names = NULL)
}
writeLines(c("", "best level by order of the coarse mergers, against the labels:"))
print_table(wide("labels"), "coarse_orders_labels", settings)
writeLines("and on average against the coarser labels:")
print_table(wide("coarser_labels"), "coarse_orders_coarser_labels", settings)
