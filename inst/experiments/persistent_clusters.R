# Clusters without a given number: persistent_clusters() beside communities of a neighbour graph, Seurat's default,
# HDBSCAN, and k-means with the known number; and the same on fewer principal components. Then k-means with the known
# number at every scale, and how long everything takes compared with the fit. With --full also the means with
# each set left out, and the levels of the blood cells in a Seurat object.
# Rscript inst/experiments/persistent_clusters.R [output folder] [--full] [--data=FOLDER] [--threads=N]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

components <- function(path) t(path@scales$coordinates)

louvain <- function(points) {
    if (!requireNamespace("bluster", quietly = TRUE)) return(NULL)
    cluster_embedding(points, method = "graph")
}

# Noise points go to the nearest centre.
hdbscan <- function(points) {
    if (!requireNamespace("dbscan", quietly = TRUE)) return(NULL)
    labels <- dbscan::hdbscan(points, minPts = 5)$cluster
    if (all(labels == 0)) return(rep(1L, length(labels)))
    centers <- rowsum(points[labels > 0, ], labels[labels > 0]) / tabulate(labels[labels > 0])
    stray <- which(labels == 0)
    distance <- vapply(stray, function(i) which.min(colSums((t(centers) - points[i, ])^2)), 1L)
    labels[stray] <- distance
    labels
}

# The same with fewer principal components.
with_components <- function(path, dimensions) {
    points <- components(path)[, seq_len(dimensions)]
    path@scales <- persistence_scales(t(points), metric = "adaptive", graph = "knn", n_scales = n_scales(path))
    persistent_clusters(path)$flat
}

scores_of_set <- function(set) {
    fit_time <- seconds(path <- suppressMessages(pnmf(set$X)))
    cluster_time <- seconds(found <- persistent_clusters(path)) + seconds(suggest_scale(path))
    points <- components(path)
    k <- length(unique(set$y))
    told <- score_path(path, set$y, n_start = 20, seed = 1)$average
    data.frame(
        persistent = score(set$y, found$flat), k = found$flat_k, classes = k,
        best_level = max(vapply(seq_len(ncol(found$members)), function(k) score(set$y, cut(found, k = k)), 1)),
        louvain = score(set$y, louvain(points)), seurat = score(set$y, seurat_default(points)),
        hdbscan = score(set$y, hdbscan(points)),
        kmeans_told_k = score(set$y, cluster_embedding(points, k, n_start = 20)),
        components_10 = score(set$y, with_components(path, 10)),
        components_15 = score(set$y, with_components(path, 15)),
        told_finest = told[1], told_mean = mean(told[-length(told)]), fit_seconds = fit_time,
        cluster_seconds = cluster_time
    )
}

sets <- labelled_sets(settings, if (settings$full) ten_sets else "none")
rows <- lapply(names(sets), function(name) {
    say("%s", name)
    data.frame(set = name, scores_of_set(sets[[name]]))
})
table <- do.call(rbind, rows)
means <- as.list(c(set = NA, colMeans(table[-1])))
means$set <- "mean"
print_table(rbind(table, as.data.frame(means)), "persistent_clusters", settings)
if (nrow(table) > 1L) {
    others <- vapply(seq_len(nrow(table)), function(row) mean(table$persistent[-row]), 1)
    writeLines(c("mean of 'persistent' over the other sets if one is left out:",
                 paste(sprintf("%s %.3f", table$set, others), collapse = ", ")))
}
long <- do.call(rbind, lapply(c("persistent", "louvain", "seurat", "hdbscan", "kmeans_told_k"), function(method) {
    data.frame(set = table$set, method = method, score = table[[method]])
}))
save_figure(
    ggplot(long[!is.na(long$score), ], aes(score, method)) + geom_point() + facet_wrap(~set) +
        labs(x = "mean of ARI, NMI, purity and accuracy", y = NULL) + plain_theme(),
    "persistent_clusters", settings
)

# The levels of the blood cells in a Seurat object, with default settings throughout.

seurat_path <- function(set) {
    object <- Seurat::CreateSeuratObject(round(expm1(set$X)))
    object <- Seurat::FindVariableFeatures(Seurat::NormalizeData(object, verbose = FALSE), verbose = FALSE)
    object <- Seurat::RunPCA(Seurat::ScaleData(object, verbose = FALSE), verbose = FALSE)
    PNMFPath(RunPNMF(object, verbose = FALSE))
}

# Types of which most cells are in the same cluster: "NK cell + T cell"
joined_types <- function(types, labels) {
    main <- vapply(split(labels, types), function(l) names(which.max(table(l))), "")
    joined <- vapply(split(names(main), main), paste, "", collapse = " + ")
    paste(joined[grepl("+ ", joined, fixed = TRUE)], collapse = "; ")
}

level_rows <- function(found, types) {
    rows <- lapply(rev(seq_len(ncol(found$members))), function(k) {
        labels <- cut(found, k = k)
        scales <- which(found$k == k)
        data.frame(k = k, scales = if (length(scales) == 0L) "none" else paste(unique(range(scales)), collapse = "-"),
                   ari = cluster_scores(types, labels)[["ari"]],
                   recommended = k == found$flat_k, joined = joined_types(types, labels))
    })
    do.call(rbind, rows)
}

if ("pbmc_facs" %in% names(sets) && requireNamespace("Seurat", quietly = TRUE)) {
    found <- suppressMessages(persistent_clusters(seurat_path(sets$pbmc_facs)))
    writeLines(c("", sprintf("pbmc_facs in a Seurat object: %d clusters at the finest scale", found$k[1])))
    print_table(level_rows(found, sets$pbmc_facs$y), "persistent_clusters_seurat", settings)
}
