#' Name the branches of a cluster tree by their genes
#'
#' For every cluster of [persistent_clusters()] that has a sibling, lists the
#' genes, and the programs that carry them, that set it apart from the sibling.
#' Both are compared as they are at the coarsest scale at which they are apart.
#' Clusters that are still apart at the coarsest scale are compared with the
#' branch that they join first beyond it, in the levels of `cut()`.
#'
#' @details
#' The graph of a coarse scale mixes a cluster with what is near it, so the genes
#' come from the fit of the finest scale, which has no graph. A program keeps its
#' number along the path. Let `d_k` be the mean embedding of the cluster there minus
#' that of the sibling, and `m_g` the mean fitted value of gene g over all cells.
#' The score of a gene is its fitted difference in units of the noise of counts,
#' \deqn{score_g = \sum_k W_{gk} d_k / \sqrt{m_g}.}{score_g = sum_k W_gk d_k /
#' sqrt(m_g).}
#' The factor of a gene is the one with the largest part in this sum. The data
#' are not needed. If several clusters join at once, a cluster is compared with
#' all of them together, and `sibling` is the largest of them.
#'
#' @inheritParams factor_markers
#' @param clusters A [persistent_clusters()] result of the same cells.
#' @param n Number of genes per cluster.
#' @param ... Not used. Unlike [factor_markers()], this function needs no data.
#' @return A data frame, best genes first: `cluster`, `sibling`, `scale`,
#'   `factor`, `feature`, `score`. Only genes with a positive score are listed.
#'   A sibling that exists only beyond the coarsest scale has the number that
#'   `cut()` gives it.
#' @seealso [persistent_clusters()], [plot_cluster_tree()], [factor_markers()]
#' @examples
#' cells <- simulate_cells(seed = 1)
#' path <- pnmf(normalize_counts(cells$counts), rank = 6)
#' cluster_programs(path, n = 3)
#' @export
cluster_programs <- function(path, clusters = persistent_clusters(path, reduction = reduction), n = 5,
                             swap_rownames = NULL, reduction = NULL, ...) {
    assert_no_dots(...)
    object <- path
    path <- as_path(object, reduction)
    n <- assert_count(n, "n")
    assert_clusters_of_path(clusters, path)
    names <- displayed_names(object, path, swap_rownames, reduction)
    finest <- list(W = unname(loading(path, 1L)), H = scale_embedding(path, 1L))
    rows <- lapply(seq_len(nrow(clusters$tree)), function(row) {
        branch_genes(finest, branch_apart(clusters, row), n, names)
    })
    none <- data.frame(cluster = integer(0), sibling = integer(0), scale = integer(0), factor = integer(0),
                       feature = character(0), score = numeric(0))
    do.call(rbind, c(list(none), rows))
}

assert_clusters_of_path <- function(clusters, path) {
    if (!inherits(clusters, "persistent_clusters")) {
        stop_pnmf("'clusters' must be a persistent_clusters() result, not ", describe(clusters))
    }
    if (nrow(clusters$clusters) != dim(path)[2] || ncol(clusters$clusters) != n_scales(path)) {
        stop_pnmf("'clusters' must be of the path's ", dim(path)[2], " cells and ", n_scales(path), " scales, not of ",
                  nrow(clusters$clusters), " and ", ncol(clusters$clusters))
    }
    names <- rownames(clusters$clusters)
    if (identical(names, as.character(seq_along(names)))) names <- NULL # of cells without names
    if (!is.null(matched_places(names, path@cell_names, nrow(clusters$clusters), "clusters", "cells", "cell"))) {
        stop_pnmf("'clusters' must have the cells of the path in the same order: run persistent_clusters() on this ",
                  "path or object")
    }
}

# A cluster and what it joins next, at the last scale t at which they are apart: the cells of both, and the number of
# the (largest) sibling. NULL if there is none.
branch_apart <- function(clusters, row) {
    tree <- clusters$tree
    cluster <- tree$cluster[row]
    if (is.na(tree$parent[row])) return(branch_beyond(clusters, cluster))
    t <- tree$death[row] - 1L
    at <- clusters$clusters[[t]]
    siblings <- tree[tree$parent %in% tree$parent[row] & tree$cluster != cluster & tree$cluster %in% at, , drop = FALSE]
    if (nrow(siblings) == 0L) return(NULL)
    list(cluster = cluster, sibling = siblings$cluster[which.max(siblings$size)], t = t, own = which(at == cluster),
         others = which(at %in% siblings$cluster))
}

# The same of a cluster at the coarsest scale: the levels beyond it merge two clusters each.
branch_beyond <- function(clusters, cluster) {
    levels <- clusters$members
    last <- max(which(colSums(levels == cluster) > 0L))
    if (last == ncol(levels)) return(NULL)
    own <- levels[, last] == cluster
    others <- levels[, last + 1L] == levels[which(own)[1L], last + 1L] & !own
    list(cluster = cluster, sibling = levels[which(others)[1L], last], t = ncol(clusters$clusters),
         own = clusters$kept[own], others = clusters$kept[others])
}

# The rows of cluster_programs() of one cluster.
branch_genes <- function(finest, branch, n, names) {
    if (is.null(branch)) return(NULL)
    parts <- branch_differences(finest$W, finest$H, branch$own, branch$others)
    score <- rowSums(parts)
    best <- utils::head(order(-score), n)
    best <- best[score[best] > 0]
    data.frame(
        cluster = rep(branch$cluster, length(best)), sibling = rep(branch$sibling, length(best)),
        scale = rep(branch$t, length(best)), factor = max.col(parts[best, , drop = FALSE], ties.method = "first"),
        feature = names[best], score = score[best]
    )
}

# Features x factors: the part of every factor in the fitted difference of two groups of cells, over sqrt(mean).
branch_differences <- function(W, H, own, others) {
    difference <- rowMeans(H[, own, drop = FALSE]) - rowMeans(H[, others, drop = FALSE])
    level <- as.vector(W %*% rowMeans(H))
    sweep(W, 2L, difference, "*") / sqrt(pmax(level, 1e-12 * max(level, 1e-300)))
}

# "CD3D IL7R LTB" for every cluster that cluster_programs() lists.
branch_names <- function(path, clusters, n, swap_rownames = NULL, reduction = NULL) {
    found <- cluster_programs(path, clusters, n = n, swap_rownames = swap_rownames, reduction = reduction)
    label <- vapply(split(short_names(found$feature), found$cluster), paste, "", collapse = " ")
    data.frame(cluster = as.integer(names(label)), label = unname(label))
}

# "ENSG..0211899": the beginning and the end of names that would run into each other.
short_names <- function(names, longest = 13L) {
    ifelse(nchar(names) <= longest, names,
           paste0(substr(names, 1L, 4L), "..", substring(names, nchar(names) - longest + 7L)))
}
