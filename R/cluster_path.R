#' Cluster the cells at every scale of a path
#'
#' Gives one labelling of the cells per scale, by k-means or by communities of a
#' neighbour graph. See [cluster_embedding()] for the two methods.
#'
#' The labelling of a scale depends only on the embedding of that scale, on
#' `seed` and on the settings. It is the same whichever other scales you choose
#' or keep (`path[i]`), and for any number of workers.
#'
#' @inheritParams subset_cells
#' @inheritParams cluster_embedding
#' @param k Number of clusters, the same at every scale. For `method = "graph"`
#'   it may be `NULL`: the graph then determines the number at each scale.
#' @param normalize Scale the embedding of each cell to unit length first, so
#'   that clusters depend on the proportions of the factors only? `NULL` means yes
#'   if [pnmf()] measured distances on principal components, its default for
#'   expression data, or in a given `space`, and no otherwise, as in the paper.
#' @param at Scales to cluster, ascending; `NULL` means all.
#' @param BPPARAM `NULL`, or a BiocParallel backend that distributes the scales
#'   over its workers.
#' @param ... Not used.
#' @return A data frame with one row per cell (row names are the cells) and one
#'   integer column per scale, named `scale.<t>`. [cluster_tree()] and the
#'   package clustree read this format.
#' @seealso [score_path()], [cluster_tree()], [suggest_scale()]
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 6,
#'              control = pnmf_control(max_outer = 5, tol = 0))
#' clusters <- path_clusters(path, k = 4, n_start = 10)
#' head(clusters)
#' summary(cluster_tree(clusters))
#' @export
path_clusters <- function(path, k = NULL, method = c("kmeans", "graph"), normalize = NULL, n_start = 50,
                          seed = NULL, at = NULL, n_neighbors = 10, resolution = 1, BPPARAM = NULL,
                          reduction = NULL, ...) {
    path <- as_path(path, reduction)
    scales <- chosen_scales(path, several_scales(at, ...))
    # Distances came from principal components (the default for expression data) or coordinates.
    if (is.null(normalize)) normalize <- isTRUE(path@scales$measured_on %in% c("components", "space"))
    settings <- clustering_settings(k, method, normalize, n_start, seed, n_neighbors, resolution)
    if (!is.null(settings$k) && settings$k > dim(path)[2]) {
        stop_pnmf("'k' must be at most ", dim(path)[2], ", the number of cells, not ", settings$k)
    }
    tasks <- lapply(scales, function(t) list(embedding = embedding(path, t), where = paste("scale", t)))
    labels <- run_independent(tasks, cluster_one_scale, BPPARAM, settings = settings)
    names(labels) <- scale_name(scales)
    data.frame(labels, check.names = FALSE, row.names = path@cell_names)
}

cluster_one_scale <- function(task, settings) {
    as.integer(cluster_cells(task$embedding, settings, task$where))
}

# The t of columns named scale.<t>, with or without a prefix; otherwise the position of the column.
scale_numbers <- function(clusters) {
    named <- grepl("scale\\.[0-9]+$", names(clusters))
    if (!all(named)) return(seq_along(clusters))
    as.integer(sub("^.*scale\\.([0-9]+)$", "\\1", names(clusters)))
}

# Labellings of the same cells, one column per scale.
assert_clusters <- function(clusters, name, min_scales = 1L, reduction = NULL) {
    clusters <- clusters_of(clusters, reduction, name)
    if (is.matrix(clusters)) clusters <- as.data.frame(clusters)
    if (!is.data.frame(clusters)) {
        stop_pnmf("'", name, "' must be a data frame of labels, cells x scales, as path_clusters() returns, not ",
                  describe(clusters))
    }
    if (ncol(clusters) < min_scales || nrow(clusters) < 1L) {
        stop_pnmf("'", name, "' must have at least ", min_scales, if (min_scales == 1L) " scale" else " scales",
                  " and one cell, not ", ncol(clusters), " and ", nrow(clusters))
    }
    for (column in names(clusters)) label_codes(clusters[[column]], paste0(name, "$", column))
    clusters
}

# Labellings, cells x scales: a data frame, a matrix, a DFrame, the columns of FindPNMFClusters() in an object,
# otherwise the persistent clusters of the path.
clusters_of <- function(object, reduction = NULL, arg = "clusters") {
    if (is(object, "DFrame")) return(BiocGenerics::as.data.frame(object, optional = TRUE))
    if (is(object, "pNMFPath")) object <- persistent_clusters(object)
    if (inherits(object, "persistent_clusters")) { # without cells that are in no cluster
        return(object$clusters[!is.na(object$clusters[[1L]]), , drop = FALSE])
    }
    if (!is_host(object)) return(object)
    held <- held_clusters(object, path_name(object, reduction))
    if (is.null(held)) clusters_of(persistent_clusters(object, reduction = reduction)) else held
}
