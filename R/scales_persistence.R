#' Find the scales of the data by persistent homology
#'
#' Computes the distances at which groups of cells merge, and the nested graphs
#' at these scales. The connected components of the Vietoris-Rips filtration
#' change exactly at the edge lengths of the minimum spanning tree. These
#' lengths and one last threshold above every distance are the canonical minimal
#' sufficient scale set.
#'
#' @details
#' The edges of the graph at a threshold are the pairs *strictly* closer than
#' it, so the finest canonical scale has no edges and one component per cell.
#' Equal deaths (ties, duplicate cells) give one scale; the result stores its
#' multiplicity.
#'
#' The tree needs no n x n matrix. With `graph = "knn"`, the edges are the union
#' of the k-nearest-neighbour graph and the tree, in O(n k) memory, and the
#' components at every threshold are exactly those of the full filtration. The
#' exact tree takes minutes above about 100,000 cells; thresholds of
#' `tree = "approximate"` are never below the exact ones, and were at most 1.007
#' times as long (see the vignette "The method").
#'
#' @param x Coordinates of the cells: a matrix or sparse Matrix, features x
#'   cells, any finite values; or a `dist` object.
#' @param select The thresholds to use: `"canonical"` (the deaths), `"uniform"`
#'   and `"random"` (from all pairwise distances, smallest and largest
#'   included), `"minimal"` (one drawn in each canonical interval).
#' @param n_scales Number of scales to keep; `NULL` keeps all. If there are
#'   fewer distinct thresholds, all are kept, with a message.
#' @param thin How to thin: `"betti"` evenly in the logarithm of the number of
#'   components, `"index"` evenly along the sequence, `"gap"` those with the
#'   longest intervals. The finest and the coarsest scale are always kept (a
#'   single scale is the middle one). The result stores how many scales each
#'   kept scale represents (`weight`) and how far apart kept neighbours are
#'   (`gap`), so that [pnmf()] approximates the full path at the kept scales.
#'   `"effective"`, the default of [pnmf()], spreads `n_scales` (12 if `NULL`)
#'   thresholds evenly in the logarithm of the [effective_cells()]; they may lie
#'   between deaths, and each counts once.
#' @param metric `"euclidean"`, `"cosine"` (1 - cos), or one of two metrics that
#'   let dense and sparse regions merge at comparable scales. Let `s_i` be the
#'   distance from cell i to its 7th neighbour. `"local"` divides the Euclidean
#'   distance by the geometric mean of `s_i` and `s_j`, `"adaptive"` by the
#'   larger of them (both multiplied by the mean of all `s_i`). With
#'   `"adaptive"`, outlying cells do not stay alone until the end.
#' @param graph `"full"`: all pairs; `"knn"`: nearest neighbours and the tree.
#' @param n_neighbors Number of neighbours per cell for `graph = "knn"`.
#' @param seed Seed for `select = "random"` and `"minimal"`; `NULL` means a
#'   fixed seed. The random numbers of the session are not changed.
#' @param threads Number of threads. The result does not depend on it.
#' @param tree `"exact"`: the minimum spanning tree and exact neighbours;
#'   `"approximate"`: a tree close to it and nearly all neighbours, for many cells
#'   and only with `graph = "knn"`; see Details.
#' @param coarsest For `thin = "effective"`: the effective cells of the coarsest
#'   scale, which set the penalty `lambda_graph` of the result; see [pnmf()].
#' @return An object of class `"persistence_scales"`: a list with `threshold`
#'   (ascending), `betti0` (number of components at each), `n_edges`,
#'   `multiplicity` (number of tree edges of that length), `weight` and `gap`
#'   (see `thin`), for `thin = "effective"` also `effective_cells`,
#'   `lambda_graph` and `alpha`, `mst` (data frame `i`, `j`, `length`), `coordinates` (up to
#'   100 dimensions; above, with `graph = "knn"`, the first 20 principal
#'   `components` of the cells, for [persistent_clusters()]), and the settings. It has `print()` and `plot()` methods.
#' @seealso [scale_graph()], [pnmf()]
#' @examples
#' x <- simulate_circles(seed = 1)
#' scales <- persistence_scales(x)
#' scales
#' persistence_scales(x, n_scales = 6, thin = "betti")$betti0
#' plot(scales)
#' @export
persistence_scales <- function(x, select = c("canonical", "uniform", "random", "minimal"), n_scales = NULL,
                               thin = c("betti", "index", "gap", "effective"),
                               metric = c("euclidean", "cosine", "local", "adaptive"),
                               graph = c("full", "knn"), n_neighbors = 15, seed = NULL,
                               threads = default_threads(), tree = c("exact", "approximate"), coarsest = NULL) {
    select <- assert_choice(select, c("canonical", "uniform", "random", "minimal"), "select")
    thin <- assert_choice(thin, thin_choices, "thin")
    graph <- assert_choice(graph, c("full", "knn"), "graph")
    metric <- assert_choice(metric, metric_choices, "metric")
    seed <- assert_seed(seed)
    tree <- assert_tree(tree, graph)
    threads <- assert_count(threads, "threads")
    if (!is.null(n_scales)) n_scales <- assert_count(n_scales, "n_scales")
    scales <- found_scales(x, metric, graph, n_neighbors, tree, threads, select, seed)
    scales$components <- kept_components(x, scales, threads)
    if (thin != "effective") return(thin_scales(scales, n_scales, thin))
    even_scales(scales, if (is.null(n_scales)) default_scales else n_scales, assert_coarsest(coarsest, scales$n_cells),
                lambda = NULL, alpha = 2, threads = threads)
}

# As many principal components are computed where none are given.
default_components <- 20L

# In place of coordinates of too many dimensions, for persistent_clusters().   dimensions x cells
kept_components <- function(x, scales, threads) {
    if (inherits(x, "dist") || nrow(x) <= max_kept_dimensions || scales$graph == "full" || scales$metric == "cosine") {
        return(NULL)
    }
    principal_components(as_data_matrix(x, nonnegative = FALSE), default_components, threads)$coordinates
}


# All scales, before thinning.
found_scales <- function(x, metric, graph, n_neighbors, tree, threads, select = "canonical", seed = NULL,
                         verbose = default_verbose()) {
    step <- progress_steps("finding scales", 4, at_once = has_many_cells(x), verbose)
    space <- step(as_distance_space(x, metric, threads))
    if (graph == "knn") n_neighbors <- assert_neighbors(n_neighbors, space)
    near <- step(neighbors_in_space(space, neighbors_needed(graph, n_neighbors, tree, space), tree == "approximate"))
    space$local_scale <- local_scales(space, near$distance)
    spanning <- step(spanning_tree(space, tree, near$index))
    canonical <- canonical_thresholds(spanning)
    threshold <- with_random_state(seed, selected_thresholds(canonical, select, spanning, space))
    edges <- if (graph == "knn") neighbor_edges(space, spanning$edges, near$index[, seq_len(n_neighbors), drop = FALSE])
    if (is.null(edges) && space$n <= eager_cells) edges <- all_edges(space)
    scales <- step(new_scales(threshold, spanning, space, select, graph, edges, tree))
    if (graph == "knn") scales[c("n_neighbors", "radius")] <- list(n_neighbors, near$distance[, n_neighbors])
    scales
}

has_many_cells <- function(x) isTRUE(ncol(x) > many_cells)

thin_choices <- c("betti", "index", "gap", "effective")
metric_choices <- c("euclidean", "cosine", "local", "adaptive")

# Up to this many cells, the list of all pairs is made at once (16 bytes per pair); above, when a graph is needed.
eager_cells <- 2000L

# The approximate tree uses at least this many neighbours of each cell; with fewer it would be less accurate.
min_tree_neighbors <- 20L

# One search serves the graph, the approximate tree and the metrics with local scales. 0: nothing needs neighbours
neighbors_needed <- function(graph, n_neighbors, tree, space) {
    needed <- c(if (graph == "knn") n_neighbors, if (tree == "approximate") min_tree_neighbors,
                if (has_local_scales(space)) local_scale_neighbor)
    min(max(needed, 0L), space$n - 1L)
}

# edges: those of the tree, ascending; longest: the longest distance, or close to it. near: cells x k, for an
# approximate tree
spanning_tree <- function(space, tree, near) {
    if (tree == "exact") return(spanning_tree_cpp(space$x, space$metric, space$local_scale, space$threads))
    approximate_tree_cpp(space$x, space$metric, space$local_scale, near, space$threads)
}

# The cells with their metric, ready for the core.
as_distance_space <- function(x, metric, threads) {
    if (inherits(x, "dist")) {
        return(as_dist_space(x, metric, threads))
    }
    x <- as_data_matrix(x, nonnegative = FALSE)
    if (ncol(x) < 2L) stop_pnmf("'x' must have at least two cells (columns), not ", ncol(x))
    assert_squares_exist(x)
    if (metric == "cosine") assert_nonzero_cells(x)
    list(x = x, metric = metric, local_scale = numeric(), n = ncol(x), threads = threads, cell_names = colnames(x))
}

has_local_scales <- function(space) space$metric %in% c("local", "adaptive")

as_dist_space <- function(x, metric, threads) {
    if (metric != "euclidean") {
        stop_pnmf("'metric' must be \"euclidean\" (the default) when 'x' is a dist object: its distances are taken ",
                  "as they are")
    }
    n <- attr(x, "Size")
    if (is.null(n) || n < 2L) stop_pnmf("'x' must have at least two cells, not ", describe(n))
    if (length(x) != n * (n - 1) / 2) stop_pnmf("'x' must be a complete dist object for its ", n, " cells")
    assert_finite_values(x, "x")
    if (min(x) < 0) stop_pnmf("'x' must have nonnegative distances, not ", format(min(x)))
    storage.mode(x) <- "double"
    list(x = x, metric = "euclidean", local_scale = numeric(), n = n, threads = threads,
         cell_names = attr(x, "Labels"))
}

all_edges <- function(space, below = Inf) {
    edges_below_cpp(space$x, space$metric, space$local_scale, below, space$threads)
}

# Coordinates of up to this many dimensions are kept with the scales.
max_kept_dimensions <- 100L

new_scales <- function(threshold, tree, space, select, graph, edges, tree_kind = "exact") {
    n_edges <- if (is.null(edges)) {
        count_edges_cpp(space$x, space$metric, space$local_scale, threshold, space$threads)
    }
    structure(
        c(scale_counts(threshold, space$n, tree$edges$length, edges$length, n_edges), list(
            mst = as.data.frame(tree$edges),
            full_scales = length(threshold), place = seq_along(threshold),
            weight = rep(1, length(threshold)), gap = rep(1, length(threshold)),
            select = select, metric = space$metric, graph = graph, tree = tree_kind,
            coordinates = if (is.matrix(space$x) && nrow(space$x) <= max_kept_dimensions) unname(space$x),
            local_scale = if (has_local_scales(space)) space$local_scale,
            n_cells = space$n, cell_names = space$cell_names,
            edges = edges, space = if (is.null(edges)) space
        )),
        class = "persistence_scales"
    )
}

# What there is at every threshold: components, edges, and components that die there. deaths: lengths of the edges of
# the spanning tree of n cells; lengths: of all edges, unless `n_edges` is known
scale_counts <- function(threshold, n, deaths, lengths, n_edges = NULL) {
    below <- function(lengths) findInterval(threshold, lengths, left.open = TRUE)
    list(threshold = threshold, betti0 = n - below(deaths),
         n_edges = if (is.null(n_edges)) as.numeric(below(lengths)) else n_edges,
         multiplicity = multiplicities(threshold, deaths))
}

# Components that die after the previous threshold, up to and including this one.
multiplicities <- function(threshold, deaths) {
    up_to <- findInterval(threshold, deaths)
    as.integer(diff(c(0L, up_to)))
}

# The list of edges, made now if it does not exist yet.
scale_edges <- function(scales) {
    if (!is.null(scales$edges)) return(scales$edges)
    all_edges(scales$space)
}

# The same scales with the list of edges and without the coordinates.
with_edges <- function(scales) {
    if (is.null(scales$edges)) {
        scales$edges <- scale_edges(scales)
        scales["space"] <- list(NULL)
    }
    scales
}

subset_scales <- function(scales, i) {
    for (field in c("threshold", "betti0", "n_edges", "place", "effective_cells")) {
        scales[[field]] <- scales[[field]][i]
    }
    scales$multiplicity <- multiplicities(scales$threshold, scales$mst$length)
    scales[c("weight", "gap")] <- if (is.null(scales$effective_cells)) {
        thinning_weights(scales$place, max(scales$full_scales, scales$place))
    } else {
        list(rep(1, length(scales$threshold)), rep(1, length(scales$threshold)))
    }
    scales
}

# place: positions of the kept scales among all `total` ones. A kept scale represents the scales that are nearer to it
# than to any other kept one (scales in the middle count half), and `gap` is the distance to the previous kept scale.
thinning_weights <- function(place, total) {
    n <- length(place)
    if (n == 0L) return(list(weight = numeric(0), gap = numeric(0)))
    middle <- (place[-1] + place[-n]) / 2
    list(weight = diff(c(0.5, middle, total + 0.5)), gap = c(1, diff(place)))
}

#' @export
print.persistence_scales <- function(x, ...) {
    writeLines(c(
        sprintf("persistence scales of %d cells: %d (%s, %s metric, %s graph%s)", x$n_cells, length(x$threshold),
                scale_kind(x), x$metric, x$graph, if (identical(x$tree, "approximate")) ", approximate tree" else ""),
        sprintf("thresholds: %s", abbreviated(format(x$threshold, digits = 4, trim = TRUE))),
        sprintf("components: %s", abbreviated(x$betti0)),
        sprintf("edges:      %s", abbreviated(format(x$n_edges, trim = TRUE, scientific = FALSE))),
        if (!is.null(x$effective_cells)) {
            sprintf("effective cells: %s", abbreviated(format_effective(x$effective_cells)))
        }
    ))
    invisible(x)
}

# Otherwise squared distances would overflow, or all underflow to zero.
assert_squares_exist <- function(x) {
    values <- if (is(x, "dgCMatrix")) x@x else x
    largest <- max(-min(values, 0), max(values, 0))
    if (largest > 1e150 || (largest > 0 && largest < 1e-150)) {
        stop_pnmf("'x' must have a largest entry between 1e-150 and 1e150 in size, not ", format(largest),
                  ": rescale it, because squared distances could not be represented")
    }
}

assert_nonzero_cells <- function(x) {
    empty <- Matrix::colSums(x != 0) == 0
    if (any(empty)) {
        stop_pnmf("'x' has ", counted(sum(empty), "cell"), " without any nonzero entry (the first is ", which(empty)[1],
                  "): the cosine distance is undefined there")
    }
}

assert_neighbors <- function(n_neighbors, space) {
    if (inherits(space$x, "dist")) {
        stop_pnmf("'graph' must be \"full\" when 'x' is a dist object: the search for neighbours needs coordinates")
    }
    assert_count(n_neighbors, "n_neighbors", max = space$n - 1L)
}

assert_tree <- function(tree, graph) {
    tree <- assert_choice(tree, c("exact", "approximate"), "tree")
    if (tree == "approximate" && graph != "knn") {
        stop_pnmf("'tree' must be \"exact\" with graph = \"full\": the approximate tree belongs to the neighbour ",
                  "graph, and the components of the full graph would differ")
    }
    tree
}
