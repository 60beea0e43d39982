#' Cluster the cells of one embedding
#'
#' Clusters the rows of any cells x factors matrix: the embedding of one scale,
#' of a baseline such as [fit_nmf()], or any other. [path_clusters()] uses this
#' function at every scale.
#'
#' `method = "kmeans"` runs the algorithm of Hartigan and Wong `n_start` times
#' from k-means++ centres, until they converge, and keeps the run with the
#' smallest within-cluster sum of squares.
#'
#' `method = "graph"` builds the graph of shared nearest neighbours
#' (\code{bluster::makeSNNGraph()}) and finds communities: by Louvain at the
#' given `resolution` if `k` is `NULL`, otherwise by cutting the walktrap
#' hierarchy into `k` clusters. It needs the packages bluster and igraph.
#'
#' @param x Numeric matrix, cells x factors.
#' @param k Number of clusters; for `method = "graph"` it may be `NULL`.
#' @param method `"kmeans"` or `"graph"`.
#' @param normalize Scale the embedding of each cell to unit length first, so
#'   that only the proportions of the factors count? Cells whose embedding is 0
#'   stay 0.
#' @param n_start Number of k-means starts.
#' @param seed Seed for the random starts; `NULL` means a fixed one. The random
#'   numbers of the session are not changed.
#' @param n_neighbors,resolution Number of neighbours in the graph and
#'   resolution of the Louvain algorithm, for `method = "graph"`.
#' @return Integer vector, one cluster per cell, named by the row names of `x`.
#'   Clusters are numbered in order of first appearance. For k-means the
#'   attribute `"withinss"` is the within-cluster sum of squares.
#' @references Arthur, Vassilvitskii (2007) k-means++: the advantages of careful
#'   seeding. SODA 2007.
#' @examples
#' x <- as.matrix(iris[, 1:4])
#' labels <- cluster_embedding(x, 3)
#' table(labels, iris$Species)
#' attr(labels, "withinss")
#' cluster_scores(iris$Species, cluster_embedding(x, 3, normalize = TRUE))
#' @export
cluster_embedding <- function(x, k = NULL, method = c("kmeans", "graph"), normalize = FALSE, n_start = 50,
                              seed = NULL, n_neighbors = 10, resolution = 1) {
    x <- as_embedding(x, "x")
    settings <- clustering_settings(k, method, normalize, n_start, seed, n_neighbors, resolution)
    cluster_cells(x, settings, "'x'")
}

as_embedding <- function(x, name) {
    if (!is.matrix(x) || !is.numeric(x) || nrow(x) == 0L || ncol(x) == 0L) {
        stop_pnmf("'", name, "' must be a numeric matrix of cells x factors, not ", describe(x))
    }
    assert_finite_values(x, name)
    storage.mode(x) <- "double"
    x
}

# The validated arguments that all clusterings of one call share.
clustering_settings <- function(k, method, normalize, n_start, seed, n_neighbors, resolution) {
    method <- assert_choice(method, c("kmeans", "graph"), "method")
    if (method == "graph") assert_installed(c("bluster", "igraph"), "method = \"graph\"")
    list(
        k = if (is.null(k) && method == "graph") NULL else assert_count(k, "k"),
        method = method,
        normalize = assert_flag(normalize, "normalize"),
        n_start = assert_count(n_start, "n_start"),
        seed = assert_seed(seed),
        n_neighbors = assert_count(n_neighbors, "n_neighbors"),
        resolution = assert_number(resolution, "resolution", above = 0)
    )
}

# x: cells x factors. `where` names the embedding in errors.
cluster_cells <- function(x, settings, where) {
    if (settings$normalize) x <- unit_rows(x)
    fit <- with_random_state(settings$seed, if (settings$method == "kmeans") {
        kmeans_clusters(x, settings$k, settings$n_start, where)
    } else {
        graph_clusters(x, settings$k, settings$n_neighbors, settings$resolution, where)
    })
    labels <- match(fit$cluster, unique(fit$cluster))
    names(labels) <- rownames(x)
    attr(labels, "withinss") <- fit$withinss
    labels
}

graph_clusters <- function(x, k, n_neighbors, resolution, where) {
    if (!is.null(k) && k > nrow(x)) {
        stop_pnmf("'k' must be at most ", nrow(x), ", the number of cells in ", where, ", not ", k)
    }
    if (nrow(x) < 3L) return(list(cluster = if (is.null(k) || k == 1L) rep(1L, nrow(x)) else seq_len(nrow(x))))
    graph <- bluster::makeSNNGraph(x, k = min(n_neighbors, nrow(x) - 1L))
    if (is.null(k)) {
        communities <- igraph::cluster_louvain(graph, resolution = resolution)
        return(list(cluster = as.integer(igraph::membership(communities))))
    }
    parts <- igraph::components(graph)$no
    if (parts > k) {
        stop_pnmf("'k' must be at least ", parts, ", the number of connected parts of the neighbour graph of ", where,
                  ", not ", k, "; or raise 'n_neighbors'")
    }
    list(cluster = as.integer(igraph::cut_at(igraph::cluster_walktrap(graph), no = k)))
}
