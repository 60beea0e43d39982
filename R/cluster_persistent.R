#' Find clusters that persist along a path
#'
#' Finds the clusters of the cells at every scale of a path. You do not choose
#' their number: there are many at fine scales and few at coarse ones, and each
#' cluster lies inside a cluster of the next coarser scale. Reports how long each
#' cluster persists, and recommends one clustering.
#'
#' @section Method:
#' 1. *Neighbours.* Each cell has its log2(cells) nearest neighbours (at least
#'    5) in the space in which the path's distances were measured. The
#'    similarity of two cells is the share of neighbours that they have in
#'    common (Tanimoto coefficient). The spanning tree of the scales keeps the
#'    graph connected. If that space is sparse or has more than 100 dimensions,
#'    as with `scales = "paper"` on expression data, the embedding of the finest
#'    scale is used instead, each cell divided by its length.
#' 2. *Tree.* Clusters are merged by average linkage. The first pair to merge is
#'    the one that modularity would merge at the highest resolution, w(a, b) W /
#'    (vol(a) vol(b)). Here w(a, b) is the weight between two clusters, vol the
#'    total weight at a cluster, and W the weight of the whole graph. Groups that
#'    a gap in H0 separates merge late. Where cells form a continuum there are no
#'    gaps, and the method still finds its parts.
#' 3. *Dust.* A cluster has at least `min_size` cells. Cells that join only after
#'    two such clusters have merged are outliers. Each goes to the cluster whose
#'    mean embedding at the finest scale is nearest.
#' 4. *Scales.* A scale at which the n cells form b components has the resolution
#'    r^(1 - log(b) / log(n)), where r is the resolution of the last merge. This
#'    is 1 at the finest scale, and gives one cluster at the coarsest.
#' 5. *Is there structure at all?* The resolution of the last merge is compared
#'    with those of the last merges in nine simulated normal data sets with the
#'    same covariance; of more than 2,000 cells, 2,000 are used. If it is not
#'    below half of their median, no structure was found, and there is one
#'    cluster. If the path's distances were measured on principal components that
#'    [pnmf()] computed, this test first subtracts each cell's mean from its
#'    features, because cells whose values were shuffled may still differ in
#'    their means.
#' 6. *Levels.* The remaining clusters merge in the order of w(a, b) /
#'    min(vol(a), vol(b)), the share of the smaller cluster's weight that leads
#'    to the other one. Modularity alone would merge two small clusters before it
#'    merges a small one with the large one next to it.
#' 7. *The recommended clustering* is the level of this tree with the largest
#'    mean silhouette of the cells, by squared distances in the space of step 1.
#' 8. *Coarser levels follow the genes.* From the recommended level on, clusters
#'    with similar profiles merge, because the graph has only few edges between
#'    them. The profile of a cluster is the mean of the fit at the finest scale,
#'    W_1 times the mean embedding. Clusters merge by average linkage of 1 -
#'    Spearman's correlation of their profiles; every cell counts the same. The
#'    number of clusters at a scale does not change.
#'
#' No step depends on a seed or on the order of the cells.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one.
#' @param min_size Minimum number of cells in a cluster; `NULL` means the number
#'   of neighbours in step 1 of the method.
#' @param reduction Name of the reduction that holds the path, if the object has
#'   several.
#' @param ... Not used.
#' @return An object of class `"persistent_clusters"`, a list with
#'   * `clusters`: data frame, cells x scales, one integer column `scale.<t>`
#'     per scale, as [path_clusters()] returns; the integers are the cluster
#'     numbers in `tree`;
#'   * `k`: the number of clusters at every scale;
#'   * `tree`: data frame with one row per cluster: `cluster`; `parent`, the
#'     cluster it merges into (`NA` for the last one); `birth`, its finest scale;
#'     `death`, the first coarser scale at which it is part of its parent (`NA`:
#'     never); `size`, its cells; `persistence`, the share of the path's
#'     resolutions over which it exists, from 0 to 1;
#'   * `flat`: the recommended labels, named by cell; cluster 1 is the largest;
#'   * `flat_k`: the number of recommended clusters; 1 means that no structure
#'     was found;
#'   * `flat_scale`: the scale whose clusters are those of `flat`, or closest to
#'     them; `NA` if `flat_k` is 1;
#'   * `levels`: data frame with one row per level of the tree: `k`,
#'     `resolution` (the lowest one at which it exists) and `silhouette`. A
#'     level coarser than the recommended one may have a larger silhouette,
#'     because step 8 comes after step 7.
#'
#'   It has `print()` and `plot()` methods. `as.data.frame()` returns the tree,
#'   `cut()` the labels of a scale or of a number of clusters.
#' @references Bonald, Charpentier, Galland, Hollocou (2018) Hierarchical graph
#'   clustering using node pair sampling. arXiv:1806.01664.
#'
#'   Rousseeuw (1987) Silhouettes. Journal of Computational and Applied
#'   Mathematics 20, 53-65.
#' @seealso [plot_cluster_tree()], [suggest_scale()], [FindPNMFClusters()]
#' @examples
#' cells <- simulate_cells(seed = 1)
#' path <- pnmf(normalize_counts(cells$counts), rank = 6)
#' found <- persistent_clusters(path)
#' found
#' found$k
#' table(found$flat, cells$type)
#' head(cut(found, k = 2))
#' @export
persistent_clusters <- function(path, min_size = NULL, reduction = NULL, ...) {
    assert_no_dots(...)
    path <- as_path(path, reduction)
    n <- dim(path)[2]
    if (n < 2L) stop_pnmf("'path' must have at least two cells, not ", n)
    neighbors <- cluster_neighbors(n)
    min_size <- if (is.null(min_size)) neighbors else assert_count(min_size, "min_size", min = 2)
    coordinates <- cluster_coordinates(path)
    assert_spanning_tree(path@scales$mst, n)
    step <- progress_steps("finding clusters", 5, at_once = n > many_cells)
    graph <- step(neighbor_graph(coordinates, path@scales$mst))
    tree <- step(community_tree_cpp(graph, min_size))
    if (!step(has_structure(tree, path, min_size))) tree <- single_leaf(n)
    tree$leaf <- with_dust(tree, path)
    mergers <- step(merge_leaves_cpp(graph, tree$leaf, tree$leaves))
    tree[names(mergers)] <- mergers
    step(new_persistent_clusters(path, sorted_leaves(tree), min_size))
}

cluster_neighbors <- function(n) min(max(5L, as.integer(round(log2(n)))), n - 1L)

# Dimensions x cells: the coordinates of the path's distances, otherwise its finest embedding at unit length.
cluster_coordinates <- function(path, kept = path@scales$coordinates) {
    if (is.null(kept)) return(t(unit_rows(t(scale_embedding(path, 1L)))))
    if (path@scales$metric == "cosine") unit_columns(kept) else kept
}

# Leaves and mergers of the tree; leaf 0 is dust. links: the edges of a spanning tree of the cells
grown_tree <- function(coordinates, min_size,
                       links = spanning_tree_cpp(coordinates, "euclidean", numeric(), threads)$edges,
                       threads = default_threads()) {
    community_tree_cpp(neighbor_graph(coordinates, links, threads), min_size)
}

# The graph of shared neighbours, in the core.
neighbor_graph <- function(coordinates, links, threads = default_threads()) {
    n <- ncol(coordinates)
    search <- list(BNPARAM = NULL, approximate = n > max_cells_for_exact_tree)
    near <- nearest_neighbors(coordinates, cluster_neighbors(n), search, threads)
    similarity_graph_cpp(near$index, near$distance, as.list(links))
}

single_leaf <- function(n) {
    list(leaves = 1L, leaf = rep(1L, n), a = integer(0), b = integer(0), resolution = numeric(0))
}

# Assigns dust to the leaf with the nearest mean embedding at the finest scale.
with_dust <- function(tree, path) {
    leaf <- tree$leaf
    dust <- which(leaf == 0L)
    if (length(dust) == 0L) return(leaf)
    cells <- t(scale_embedding(path, 1L))
    core <- leaf > 0L
    centers <- group_means(cells[core, , drop = FALSE], leaf[core])
    distance <- outer(rowSums(cells[dust, , drop = FALSE]^2), rowSums(centers^2), `+`) -
        2 * tcrossprod(cells[dust, , drop = FALSE], centers)
    leaf[dust] <- max.col(-distance, ties.method = "first")
    leaf
}

# Leaves numbered by size, largest first; ties by their position in the tree.
sorted_leaves <- function(tree) {
    size <- tabulate(tree$leaf, tree$leaves)
    merged_at <- vapply(seq_len(tree$leaves), function(leaf) {
        at <- which(tree$a == leaf | tree$b == leaf)
        if (length(at) == 0L) 0 else tree$resolution[at[1]]
    }, numeric(1))
    number <- order(order(-size, -merged_at))
    renumber <- function(cluster) ifelse(cluster <= tree$leaves, number[pmin(cluster, tree$leaves)], cluster)
    tree$leaf <- number[tree$leaf]
    tree$a <- renumber(tree$a)
    tree$b <- renumber(tree$b)
    tree
}

new_persistent_clusters <- function(path, tree, min_size) {
    resolution <- scale_resolutions(path@scales, tree)
    level <- scale_levels(resolution, tree)
    best <- recommended_level(path, tree)
    tree <- with_coarse_levels(tree, best, path)
    members <- level_members(tree)
    clusters <- lapply(level, function(l) members[tree$leaf, l])
    names(clusters) <- scale_name(seq_along(level))
    flat <- by_size(members[tree$leaf, best])
    names(flat) <- path@cell_names
    structure(
        list(
            clusters = data.frame(clusters, check.names = FALSE, row.names = path@cell_names),
            k = tree$leaves + 1L - level, tree = visible_tree(tree, members, level, resolution),
            flat = flat, flat_k = max(flat),
            flat_scale = if (max(flat) == 1L) NA_integer_ else flat_scale(best, level, resolution, tree$resolution),
            levels = level_table(tree, level_silhouettes(path, tree)), threshold = thresholds(path),
            resolution = resolution, leaf = tree$leaf, members = members, min_size = min_size
        ),
        class = "persistent_clusters"
    )
}

# Level l of the tree is the result of l - 1 mergers. Cluster of every leaf at every level: leaves x levels
level_members <- function(tree) {
    members <- matrix(seq_len(tree$leaves), tree$leaves, length(tree$a) + 1L)
    for (m in seq_along(tree$a)) {
        joined <- members[, m]
        joined[joined == tree$a[m] | joined == tree$b[m]] <- tree$leaves + m
        members[, seq.int(m + 1L, ncol(members))] <- joined
    }
    members
}

# From 1 with one component per cell to that of the last merger with one component.
scale_resolutions <- function(scales, tree) {
    last_resolution(tree)^(1 - log(scales$betti0) / log(max(2, scales$n_cells)))
}

scale_levels <- function(resolution, tree) {
    1L + vapply(resolution, function(r) sum(tree$resolution >= r * (1 - 1e-9)), integer(1))
}

# Mean silhouette of every level except the last, which is one cluster. On seven labelled sets silhouettes in the space
# of the distances chose better levels than those in the embeddings, or the mean of both.
level_silhouettes <- function(path, tree) {
    if (length(tree$a) == 0L) return(numeric(0))
    mean_silhouettes_cpp(cluster_coordinates(path), tree)
}

recommended_level <- function(path, tree) {
    silhouette <- level_silhouettes(path, tree)
    if (length(silhouette) == 0L) tree$leaves else which.max(silhouette)
}

level_table <- function(tree, silhouette) {
    data.frame(k = tree$leaves - seq_len(length(tree$a) + 1L) + 1L, resolution = c(tree$resolution, 0),
               silhouette = c(silhouette, NA_real_))
}

# The middle scale of those at the recommended level, otherwise the scale with the nearest resolution.
flat_scale <- function(best, level, resolution, mergers) {
    same <- which(level == best)
    if (length(same) > 0L) return(same[(length(same) + 1L) %/% 2L])
    bounds <- c(1, mergers)[best + 0:1]
    which.min(abs(log(resolution) - mean(log(bounds))))
}

# One row per cluster that exists at some scale.
visible_tree <- function(tree, members, level, resolution) {
    shown <- unique(level)
    cluster <- sort(unique(as.vector(members[, shown])))
    at <- function(c) vapply(level, function(l) c %in% members[, l], logical(1))
    first_leaf <- vapply(cluster, function(c) which(members == c, arr.ind = TRUE)[1L, 1L], integer(1))
    lives <- vapply(cluster, at, logical(length(level)))
    lives <- matrix(lives, length(level))
    birth <- apply(lives, 2L, function(l) which(l)[1L])
    death <- apply(lives, 2L, function(l) utils::tail(which(l), 1L)) + 1L
    ended <- death <= length(level)
    parent <- rep(NA_integer_, length(cluster))
    parent[ended] <- members[cbind(first_leaf[ended], level[death[ended]])]
    size <- vapply(cluster, function(c) {
        leaves <- which(rowSums(members == c) > 0L)
        sum(tree$leaf %in% leaves)
    }, integer(1))
    data.frame(cluster = cluster, parent = parent, birth = birth, death = ifelse(ended, death, NA_integer_),
               size = size, persistence = persistence_of(cluster, tree))
}

# Share of the resolutions between 1 and that of the last merger over which a cluster exists.
persistence_of <- function(cluster, tree) {
    if (length(tree$a) == 0L) return(rep(1, length(cluster)))
    depth <- log(tree$resolution) / log(last_resolution(tree))
    born <- c(rep(0, tree$leaves), depth)[cluster]
    died <- vapply(cluster, function(c) {
        m <- which(tree$a == c | tree$b == c)
        if (length(m) == 0L) 1 else depth[m[1L]]
    }, numeric(1))
    died - born
}

# Labels 1, 2, ... by size, largest first; ties keep their order.
by_size <- function(labels) {
    size <- table(labels)
    match(labels, as.integer(names(size))[order(-as.integer(size), as.integer(names(size)))])
}

# mst: edges of a spanning tree, with 'i' and 'j'.
assert_spanning_tree <- function(mst, n_cells) {
    ends <- c(mst$i, mst$j)
    if (!is.numeric(ends) || anyNA(ends) || any(ends < 1 | ends > n_cells)) {
        stop_pnmf("'path' must have a spanning tree of its ", n_cells,
                  " cells in 'scales', but its edges name other cells")
    }
}
