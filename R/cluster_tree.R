#' Build the tree of clusters across scales
#'
#' Shows how clusters split and merge along a path: one node per cluster and
#' scale, one edge between clusters of neighbouring scales that share cells.
#'
#' Of separate clusterings, the result is a layered graph and need not be a tree: a
#' cluster may get its cells from several others.
#'
#' @param clusters A data frame or `DFrame` of labellings, cells x scales, as
#'   [path_clusters()] returns; or a [persistent_clusters()] result or a path, for
#'   its persistent clusters; or a Seurat object or SingleCellExperiment with the
#'   columns of [FindPNMFClusters()].
#' @param reduction Name of the path, if the object holds several.
#' @return An object of class `cluster_tree`, a list with
#'   * `nodes`: data frame `node` (`"<scale>.<cluster>"`), `scale`, `cluster`,
#'     `size` (cells);
#'   * `edges`: data frame `from`, `to` (nodes), `from_scale`, `from_cluster`,
#'     `to_scale`, `to_cluster`, `cells` (shared), `from_share` (of the cells of
#'     `from`), `to_share` (of the cells of `to`);
#'   * `clusters`: the labellings.
#'
#'   `as.data.frame()` returns the edges or the nodes, `plot()` calls
#'   [plot_cluster_tree()]. `summary()` compares every scale with the next: `t`,
#'   `t_next`; `ari`, `nmi` and `accuracy` as in [cluster_scores()]; `moved`, the
#'   number of cells that the best matching of the clusters leaves out. A run of
#'   scales with high agreement is a clustering that persists.
#' @seealso [plot_cluster_tree()]
#' @examples
#' clusters <- data.frame(
#'     scale.1 = c(1, 1, 1, 2, 2, 3, 3, 3),
#'     scale.2 = c(1, 1, 1, 1, 2, 2, 2, 2),
#'     scale.3 = c(1, 1, 1, 1, 1, 1, 1, 1)
#' )
#' tree <- cluster_tree(clusters)
#' tree
#' as.data.frame(tree)
#' summary(tree)
#' plot(tree)
#' @export
cluster_tree <- function(clusters, reduction = NULL) {
    clusters <- assert_clusters(clusters, "clusters", 2L, reduction)
    scale <- scale_numbers(clusters)
    if (anyDuplicated(scale)) {
        stop_pnmf("'clusters' must have each scale once, but scale ", scale[duplicated(scale)][1], " appears twice")
    }
    clusters[] <- lapply(clusters, as.character)
    layers <- seq_along(scale)
    nodes <- do.call(rbind, lapply(layers, function(j) layer_nodes(clusters[[j]], scale[j])))
    edges <- do.call(rbind, lapply(layers[-1], function(j) {
        layer_edges(clusters[[j - 1L]], clusters[[j]], scale[j - 1L], scale[j])
    }))
    structure(list(nodes = nodes, edges = edges, clusters = clusters), class = "cluster_tree")
}

layer_nodes <- function(labels, scale) {
    size <- table(factor(labels, levels = label_order(labels)))
    cluster <- names(size)
    data.frame(node = paste0(scale, ".", cluster), scale = scale, cluster = cluster, size = as.integer(size))
}

layer_edges <- function(from, to, from_scale, to_scale) {
    counts <- table(factor(from, levels = label_order(from)), factor(to, levels = label_order(to)))
    shared <- which(counts > 0, arr.ind = TRUE)
    shared <- shared[order(shared[, 1], shared[, 2]), , drop = FALSE]
    cells <- counts[shared]
    from_cluster <- rownames(counts)[shared[, 1]]
    to_cluster <- colnames(counts)[shared[, 2]]
    data.frame(
        from = paste0(from_scale, ".", from_cluster), to = paste0(to_scale, ".", to_cluster),
        from_scale = from_scale, from_cluster = from_cluster, to_scale = to_scale, to_cluster = to_cluster,
        cells = as.integer(cells), from_share = as.numeric(cells / rowSums(counts)[shared[, 1]]),
        to_share = as.numeric(cells / colSums(counts)[shared[, 2]])
    )
}

#' @rdname cluster_tree
#' @param x,object A `cluster_tree`.
#' @param row.names,optional As in [as.data.frame()].
#' @param what `"edges"` or `"nodes"`.
#' @param ... For `plot()`, arguments of [plot_cluster_tree()]; otherwise not used.
#' @export
# nolint start: object_name_linter.
as.data.frame.cluster_tree <- function(x, row.names = NULL, optional = FALSE, what = c("edges", "nodes"), ...) {
    # nolint end
    what <- assert_choice(what, c("edges", "nodes"), "what")
    as.data.frame(x[[what]], row.names = row.names, optional = optional)
}

#' @rdname cluster_tree
#' @export
summary.cluster_tree <- function(object, ...) {
    assert_no_dots(...)
    clusters <- object$clusters
    first <- seq_len(ncol(clusters) - 1L)
    scores <- vapply(first, function(j) {
        cluster_scores(clusters[[j]], clusters[[j + 1L]])[c("ari", "nmi", "accuracy")]
    }, numeric(3))
    t <- scale_numbers(clusters)
    data.frame(t = t[first], t_next = t[first + 1L], t(scores),
               moved = as.integer(round((1 - scores["accuracy", ]) * nrow(clusters))))
}

#' @rdname cluster_tree
#' @export
print.cluster_tree <- function(x, ...) {
    per_scale <- table(factor(x$nodes$scale, levels = unique(x$nodes$scale)))
    kept <- stats::weighted.mean(x$edges$from_share, x$edges$cells)
    writeLines(c(
        sprintf("cluster_tree: %d cells, %d scales, %d nodes, %d edges", nrow(x$clusters), ncol(x$clusters),
                nrow(x$nodes), nrow(x$edges)),
        sprintf("scales: %s", abbreviated(names(per_scale))),
        sprintf("clusters: %s", abbreviated(as.integer(per_scale))),
        sprintf("on average, %.0f%% of a cell's cluster stays with it at the next scale", 100 * kept),
        "use: plot(tree), as.data.frame(tree), tree$nodes, tree$edges"
    ))
    invisible(x)
}
