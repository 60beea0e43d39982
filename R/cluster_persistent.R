#' Find clusters that persist along the scales
#'
#' Finds the clusters that each scale still tells apart. You do not choose their
#' number: there are many at fine scales and few at coarse ones, and each cluster
#' lies inside a cluster of the next coarser scale. Says which splits are gaps
#' between the cells, which are cuts through a continuum, and how well each
#' cluster comes back if cells are left out. Recommends the clusters of one scale.
#'
#' @section What it does:
#' 1. *Leaves.* Cells that share neighbours are joined, by average linkage of
#'    modularity, into the communities of resolution 1. The neighbours are those
#'    in the space of the distances.
#' 2. *Scales.* The penalty of the graph at scale t smooths any function of the
#'    cells by `S_t = (I + lambda_graph L_t)^-1`. A cluster exists at that scale
#'    as long as it keeps at least half of its own smoothing,
#'    `(1_A' S_t 1_A / |A| - a) / (1 - a)` with `a = |A| / n`. A cluster that keeps
#'    less joins the one with which its cells are mixed most. A small group
#'    therefore cannot decide which large ones merge.
#' 3. *Tests.* Every split is compared with those of one cloud that follows the
#'    same curve through the cells, with the same spread around it, but has no gap
#'    (`p_value`, adjusted by Holm's method over all splits). Splits that such a
#'    cloud would have, but not a normal one with the covariance of the cells, are
#'    cuts through a continuum (`continuum`). Splits that are neither are left out,
#'    unless one below them is shown.
#' 4. *Recommendation.* The scale whose clusters have the largest modularity, at
#'    the resolution at which a normal cloud with the covariance of all cells
#'    falls in two.
#'
#' No step depends on the order of the cells.
#'
#' @section When to trust it:
#' Two things are said, and they answer different questions. Is the split real?
#' One with a `p_value` of .05 or less is a gap. `supported` has the clusters if
#' only gaps, and the splits above them, are made; `cut(x, k = )` follows the
#' order of the mergers, which may be another. Are the borders right? That is
#' `support`, which `supported` does not look at. At .75 or more the cluster is
#' found again when half of the cells are left out; below .6 its border depends on
#' which cells were measured. Where `continuum` is `TRUE`, the clusters are
#' stages, and the border between them is a convention: they may be recommended,
#' because stages are useful, but they are not gaps.
#' Labels of experts have a granularity of their own: look at the scales around
#' the recommended one. Cells with a low `confidence` lie between two clusters.
#' Some are doublets; packages made to find those are scDblFinder and
#' DoubletFinder.
#'
#' Leaves, tests and support need only the coordinates of the cells. The clusters
#' of a scale also need its graph and the strength of the penalty. None of them
#' uses the factors, so [persistence_scales()] is enough, without a path. Where
#' no coordinates were kept (distances in more than 100 dimensions), the
#' embedding of the finest scale replaces them.
#'
#' @param x A [pNMFPath-class], a Seurat object or SingleCellExperiment that
#'   contains one, or a [persistence_scales()] object.
#' @param min_size Minimum number of cells in a cluster; `NULL` means the number
#'   of neighbours, log2(cells) and at least 5. With a smaller number, isolated
#'   groups of that size are clusters, too.
#' @param support Whether to test the splits and to resample the cells, which
#'   takes seconds for some thousand cells and up to a minute for 100,000. `FALSE`
#'   is faster, shows all splits, and leaves `support` and `p_value` empty.
#' @param all_splits Whether to also show splits that are neither gaps nor cuts
#'   through a continuum.
#' @param seed Seed of the samples behind `support`; `NULL` means a fixed
#'   one. The random numbers of the session are not changed.
#' @param reduction Name of the reduction that holds the path, if the object has
#'   several.
#' @param threads Number of threads. The result does not depend on it.
#' @param verbose Whether to show progress.
#' @param ... Not used.
#' @return An object of class `"persistent_clusters"`, a list with
#'   * `clusters`: data frame, cells x scales, one integer column `scale.<t>`
#'     per scale; the integers are the numbers in `tree`. Cells without counts
#'     are in no cluster, `NA`;
#'   * `k`: the number of clusters at every scale;
#'   * `tree`: data frame with one row per cluster: `cluster`; `parent`, the
#'     cluster it merges into (`NA`: none); `birth`, its finest scale; `death`,
#'     the first coarser scale at which it is part of its parent (`NA`: never);
#'     `size`, its cells; `persistence`, the share of the scales at which it
#'     exists; `support`, the mean Jaccard index under resampling, 0 to 1;
#'     `p_value` and `continuum`, of the split from its sibling;
#'   * `flat`: the recommended labels, named by cell: the clusters of
#'     `flat_scale`, 1 is the largest. The same numbers are used in `tree` and at
#'     all scales;
#'   * `flat_k`: the number of recommended clusters; 1 means that no structure
#'     was found;
#'   * `supported`: the labels if only gaps (see `p_value`) are made, named by
#'     cell, and `supported_k`, their number; `NA` if nothing was tested;
#'   * `flat_scale`: the scale of these clusters; `NA` if no structure was found;
#'   * `confidence`: 0 to 1, named by cell: 1/2 is halfway between the means of two
#'     recommended clusters;
#'   * `modularity`: of the clusters of every scale, see the recommendation.
#'
#'   It has `print()` and `plot()` methods. `summary()` returns the rows of the
#'   tree of the recommended clusters, `as.data.frame()` the tree, `cut()` the
#'   labels of a scale or of a number of clusters, also of levels
#'   coarser than the coarsest scale.
#' @references Bonald, Charpentier, Galland, Hollocou (2018) Hierarchical graph
#'   clustering using node pair sampling. arXiv:1806.01664.
#'
#'   Delvenne, Yaliraki, Barahona (2010) Stability of graph communities across
#'   time scales. PNAS 107, 12755-12760.
#' @seealso [plot_cluster_tree()], [suggest_scale()], [FindPNMFClusters()]
#' @examples
#' cells <- simulate_cells(seed = 1)
#' x <- normalize_counts(cells$counts)
#' found <- persistent_clusters(pnmf(x, rank = 6))
#' found
#' table(found$flat, cells$type)
#' head(cut(found, k = 2))
#' @export
persistent_clusters <- function(x, min_size = NULL, support = TRUE, all_splits = FALSE, seed = NULL, reduction = NULL,
                                threads = default_threads(), verbose = default_verbose(), ...) {
    assert_no_k("x", ...)
    assert_no_dots(...)
    all_splits <- assert_flag(all_splits, "all_splits")
    seed <- assert_seed(seed)
    cells <- clustered_cells(x, reduction, assert_count(threads, "threads"))
    n <- length(cells$kept)
    if (!is.null(min_size)) min_size <- assert_count(min_size, "min_size", min = 2, max = max(n %/% 2L, 2L))
    support <- assert_flag(support, "support")
    step <- progress_steps("finding clusters", 4, at_once = n > many_cells, verbose = assert_flag(verbose, "verbose"))
    tree <- step(grown_leaves(cells, min_size))
    tree[c("a", "b", "at")] <- step(merge_along_scales(tree, cells))
    tests <- step(if (support) merger_tests(tree, cells$coordinates, cells$threads))
    if (support && !all_splits) {
        shown <- shown_mergers(tree, tests$supported | tests$continuum)
        tests <- tests[shown, ]
        tree <- without_mergers(tree, shown)
    }
    found <- if (support) cluster_support(tree, cells$coordinates, seed, cells$threads)
    step(new_persistent_clusters(tree, cells, tests, found))
}

assert_no_k <- function(object, ...) {
    for (name in intersect(c("k", "resolution"), ...names())) {
        stop_pnmf("'", name, "' is found from the data; for another number of clusters, use cut(persistent_clusters(",
                  object, "), k = )")
    }
}

# What the clusters are made of: the scales, the strength of their graphs, the names of all cells, and of those that
# have counts (`kept`) coordinates and a spanning tree; and the threads to use.
clustered_cells <- function(x, reduction, threads) {
    if (inherits(x, "persistence_scales")) {
        cells <- list(scales = x, alpha = default_alpha(x),
                      coordinates = if (is.null(x$coordinates)) x$components else x$coordinates,
                      names = if (is.null(x$cell_names)) as.character(seq_len(x$n_cells)) else x$cell_names)
        if (is.null(cells$coordinates)) {
            stop_pnmf("'x' must have coordinates of its cells, and these scales have none: they are of a dist object ",
                      "or of more than ", max_kept_dimensions, " dimensions; give a path of these scales, or compute ",
                      "them with persistence_scales(graph = \"knn\")")
        }
        cells$lambda <- x$lambda_graph
        if (is.null(cells$lambda)) { # as pnmf() would choose it
            cells$lambda <- solved_lambda(x, assert_coarsest(NULL, x$n_cells), cells$alpha,
                                          effective_measure(x, cells$alpha, threads))
        }
        empty <- integer(0)
    } else {
        path <- as_path(x, reduction, "x", also = ", or persistence_scales()")
        assert_no_reference(path, "x")
        cells <- list(scales = path@scales, alpha = path@parameters$alpha, lambda = path@parameters$lambda_graph,
                      coordinates = path@scales$coordinates, names = path@cell_names)
        if (is.null(cells$coordinates)) cells$coordinates <- unit_columns(scale_embedding(path, 1L))
        empty <- which(empty_cells(path))
    }
    cells$threads <- threads
    if (cells$scales$metric == "cosine") cells$coordinates <- unit_columns(cells$coordinates)
    without_empty_cells(cells, empty)
}

# read_reference() returns landmarks: their clusters are not those of all cells.
assert_no_reference <- function(path, arg) {
    if (nrow(path@objective) > 0L) return(invisible())
    stop_pnmf("'", arg, "' is a reference, which has only some of the cells and neither the sweeps nor the distances ",
              "of its fit: use the path itself")
}

default_alpha <- function(scales) if (is.null(scales$alpha)) 2 else scales$alpha

without_empty_cells <- function(cells, empty) {
    n <- cells$scales$n_cells
    cells$kept <- setdiff(seq_len(n), empty)
    if (length(cells$kept) < 2L) {
        stop_pnmf("'x' must have at least two cells with counts, not ", length(cells$kept))
    }
    assert_spanning_tree(cells$scales$mst, n)
    cells$scales <- with_edges(cells$scales)
    cells$links <- cells$scales$mst
    if (length(empty) == 0L) return(cells)
    inform_pnmf("persistent_clusters: cells without counts are in no cluster: ", abbreviated(cells$names[empty]))
    cells$coordinates <- cells$coordinates[, cells$kept, drop = FALSE]
    cells$links <- spanning_tree_cpp(cells$coordinates, "euclidean", numeric(), cells$threads)$edges
    cells
}

cluster_neighbors <- function(n) min(max(5L, as.integer(round(log2(n)))), n - 1L)

# Leaves, largest first, and the weights between them. `rare`: leaves smaller than the number of neighbours
grown_leaves <- function(cells, min_size) {
    n <- length(cells$kept)
    usual <- cluster_neighbors(n)
    graph <- neighbor_graph(cells$coordinates, cells$links, cells$threads)
    tree <- community_tree_cpp(graph, if (is.null(min_size)) usual else max(min_size, usual))
    leaf <- if (tree$leaves == 0L) rep(1L, n) else with_dust(tree$leaf, cells$coordinates)
    rare <- if (!is.null(min_size) && min_size < usual) isolated_groups(cells, min_size, usual)
    leaf <- by_size(ifelse(seq_len(n) %in% which(rare > 0L), max(leaf) + rare, leaf))
    leaves <- max(leaf)
    list(leaves = leaves, leaf = leaf, weight = leaf_weights_cpp(graph, leaf, leaves),
         rare = sort(unique(leaf[rare > 0L])))
}

# Leaves and mergers of the trees of several sets of cells, each dimensions x cells; leaf 0 is dust.
grown_trees <- function(coordinates, threads) {
    grown_trees_cpp(coordinates, vapply(coordinates, function(x) cluster_neighbors(ncol(x)), integer(1)), threads)
}

# The graph of shared neighbours, in the core.
neighbor_graph <- function(coordinates, links, threads) {
    near <- cell_neighbors(coordinates, cluster_neighbors(ncol(coordinates)), threads)
    similarity_graph_cpp(near$index, near$distance, as.list(links))
}

cell_neighbors <- function(coordinates, k, threads) {
    nearest_neighbors(coordinates, k, ncol(coordinates) > max_cells_for_exact_tree, threads)
}

# Groups of min_size to usual - 1 cells whose nearest min_size - 1 neighbours are all in the group, and which are no
# neighbour of any other cell: 1, 2, ..., and 0 for all other cells.
isolated_groups <- function(cells, min_size, usual) {
    n <- ncol(cells$coordinates)
    near <- cell_neighbors(cells$coordinates, min_size - 1L, cells$threads)$index
    component <- edge_components(rep(seq_len(n), ncol(near)), as.vector(near), n)
    small <- tabulate(component)[component] < usual
    match(component, unique(component[small]), nomatch = 0L)
}

# Mergers of an isolated group, which a test of all its neighbours would not see.
joins_rare <- function(tree) tree$a %in% tree$rare | tree$b %in% tree$rare

# Dust (leaf 0) goes to the leaf with the nearest mean.
with_dust <- function(leaf, coordinates) {
    dust <- which(leaf == 0L)
    if (length(dust) == 0L) return(leaf)
    points <- t(coordinates)
    centers <- group_means(points[-dust, , drop = FALSE], leaf[-dust])
    distance <- outer(rep(1, length(dust)), rowSums(centers^2)) - 2 * tcrossprod(points[dust, , drop = FALSE], centers)
    leaf[dust] <- max.col(-distance, ties.method = "first")
    leaf
}

# Means of the rows of x in groups 1, 2, ..., none of them empty.   groups x columns
group_means <- function(x, group) rowsum(x, group) / tabulate(group)

# Labels 1, 2, ... by size, largest first; ties keep their order.
by_size <- function(labels) {
    size <- table(labels)
    match(labels, as.integer(names(size))[order(-as.integer(size), as.integer(names(size)))])
}

# mst: edges of a spanning tree, with 'i' and 'j'.
assert_spanning_tree <- function(mst, n_cells) {
    ends <- c(mst$i, mst$j)
    if (!is.numeric(ends) || anyNA(ends) || any(ends < 1 | ends > n_cells)) {
        stop_pnmf("'x' must have a spanning tree of its ", n_cells,
                  " cells in 'scales', but its edges name other cells")
    }
}
