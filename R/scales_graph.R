#' Compute the graph of one scale, its Laplacian and its spectrum
#'
#' `scale_graph()` returns the weighted graph at scale `t`:
#' `A_ij = exp(-d_ij^2 / threshold^alpha)` for pairs strictly closer than the
#' threshold. `laplacian()` returns `D - A`. `laplacian_spectrum()` returns the
#' smallest `k` eigenvalues; zero appears exactly once per connected component. On
#' the canonical scales of all pairs, no eigenvalue falls from one scale to the
#' next.
#'
#' @param scales A [persistence_scales()] object, a [pNMFPath-class], or a Seurat
#'   object or SingleCellExperiment that contains a path.
#' @param t The scale: a whole number, 1 is the finest. `NULL` means all scales.
#' @param alpha Decay of the weights, positive; `NULL` means that of the fit or of
#'   the scales, and 1.5, as in the paper, if they have none.
#' @param graph The result of `scale_graph()`.
#' @param k Number of eigenvalues; `NULL` means all of one scale, and 10 of each of
#'   all scales.
#' @return `scale_graph()`: a list with `adjacency` (sparse symmetric),
#'   `degree` and `threshold`. `laplacian()`: a sparse symmetric matrix.
#'   `laplacian_spectrum()`: ascending eigenvalues; for all scales a data frame
#'   with `t`, `index` (1 is the smallest) and `eigenvalue`, which has a `plot()`
#'   method.
#' @seealso [plot()][plot.eigenvalue_paths]
#' @examples
#' scales <- persistence_scales(simulate_circles(seed = 1))
#' graph <- scale_graph(scales, t = 70)
#' sum(graph$adjacency > 0) / 2
#' laplacian(graph)[1:3, 1:3]
#' laplacian_spectrum(scales, t = 75, k = 8)
#' plot(laplacian_spectrum(scales, k = 8))
#' @export
scale_graph <- function(scales, t, alpha = NULL) {
    scales <- as_scales(scales)
    t <- assert_count(t, "t", max = length(scales$threshold))
    alpha <- graph_decay(scales, alpha)
    threshold <- scales$threshold[t]
    assert_edges_fit(scales, t)
    edges <- edges_at(scales, t)
    weight <- edge_weights(edges$length, threshold, alpha)
    adjacency <- Matrix::sparseMatrix(
        i = edges$i, j = edges$j, x = weight, symmetric = TRUE,
        dims = c(scales$n_cells, scales$n_cells), dimnames = list(scales$cell_names, scales$cell_names)
    )
    list(adjacency = adjacency, degree = unname(Matrix::rowSums(adjacency)), threshold = threshold)
}

# The given scales, or those of a path with the decay of its fit; the method for paths is in path_containers.R.
as_scales <- function(scales) UseMethod("as_scales")

as_scales.persistence_scales <- function(scales) {
    assert_scales(scales, "scales")
    assert_graphs(scales, "scales")
    scales
}

graph_decay <- function(scales, alpha) {
    if (is.null(alpha)) alpha <- if (is.null(scales$alpha)) 1.5 else scales$alpha
    assert_number(alpha, "alpha", above = 0)
}

# Duplicates have weight 1 for any threshold, even if its power underflows to zero.
edge_weights <- function(length, threshold, alpha) {
    weight <- exp(-length^2 / threshold^alpha)
    weight[length == 0] <- 1
    weight
}

# The edges of scale t: a prefix of the sorted list.
edges_at <- function(scales, t) {
    if (is.null(scales$edges)) {
        return(all_edges(scales$space, below = scales$threshold[t]))
    }
    lapply(scales$edges, utils::head, n = scales$n_edges[t])
}

#' @rdname scale_graph
#' @export
laplacian <- function(graph) {
    if (!is.list(graph) || !is(graph$adjacency, "Matrix") || !is.numeric(graph$degree)) {
        stop_pnmf("'graph' must be a list with 'adjacency' and 'degree', as scale_graph() returns, not ",
                  describe(graph))
    }
    if (any(dim(graph$adjacency) != length(graph$degree))) {
        stop_pnmf("'graph' must have as many rows and columns of 'adjacency' as entries of 'degree' (",
                  length(graph$degree), "), not ", describe(graph$adjacency))
    }
    Matrix::forceSymmetric(Matrix::Diagonal(x = graph$degree) - graph$adjacency)
}

#' @rdname scale_graph
#' @export
laplacian_spectrum <- function(scales, t = NULL, k = NULL, alpha = NULL) {
    scales <- as_scales(scales)
    n <- scales$n_cells
    if (is.null(t)) {
        return(spectra_along(scales, seq_along(scales$threshold), if (is.null(k)) min(10L, n) else k, alpha))
    }
    graph <- scale_graph(scales, t, alpha)
    k <- if (is.null(k)) n else assert_count(k, "k", max = n)
    components <- graph_components(graph$adjacency)
    sort(unlist(lapply(split(seq_len(n), components), component_spectrum, graph = graph, k = k),
                use.names = FALSE))[seq_len(k)]
}

# The smallest k eigenvalues at several scales.
spectra_along <- function(scales, at, k, alpha) {
    k <- assert_count(k, "k", max = scales$n_cells)
    eigenvalues <- lapply(at, function(t) {
        # One zero per component: nothing to compute while there are k components.
        if (scales$betti0[t] >= k) numeric(k) else laplacian_spectrum(scales, t, k, alpha)
    })
    paths <- data.frame(t = rep(at, each = k), index = rep(seq_len(k), length(at)), eigenvalue = unlist(eigenvalues))
    class(paths) <- c("eigenvalue_paths", "data.frame")
    paths
}

# Each component gives one exact zero; its other small eigenvalues come from its own block.
component_spectrum <- function(cells, graph, k) {
    if (length(cells) == 1L) return(0)
    block <- laplacian(list(adjacency = graph$adjacency[cells, cells, drop = FALSE], degree = graph$degree[cells]))
    values <- smallest_eigenvalues(block, min(k, length(cells)))
    values[1] <- 0
    pmax(values, 0)
}

# Shift-invert around a value just below zero, because the Laplacian itself is singular, and at unit size, because the
# iteration has fixed tolerances. Computes all eigenvalues if the matrix is small, if many are needed, or if the
# iteration fails.
smallest_eigenvalues <- function(L, k) {
    size <- max(Matrix::diag(L))
    if (size == 0) return(numeric(k)) # the weights of distant cells underflow
    if (nrow(L) > 500L && k <= nrow(L) / 2) {
        found <- suppressWarnings(RSpectra::eigs_sym(
            as_compressed_columns(L / size), k = k, sigma = -1e-6, which = "LM",
            opts = list(retvec = FALSE, maxitr = 10000)
        ))
        if (length(found$values) == k) return(size * sort(found$values))
    }
    rev(eigen(as.matrix(L), symmetric = TRUE, only.values = TRUE)$values)[seq_len(k)]
}

graph_components <- function(adjacency) {
    edges <- Matrix::summary(adjacency)
    edge_components(edges$i, edges$j, nrow(adjacency))
}

# Component of each of n cells, numbered by first appearance.
edge_components <- function(i, j, n) spanning_forest_cpp(n, i, j)$component

# Matrix counts its entries in 32 bits.
assert_edges_fit <- function(scales, t) {
    if (scales$n_edges[t] > .Machine$integer.max) {
        stop_pnmf("'t' must be a scale with fewer than 2^31 edges, not ", t, ", which has ",
                  format(scales$n_edges[t], big.mark = ","), ": use graph = \"knn\" in persistence_scales()")
    }
}

# An object of the class, with a number of edges for every threshold.
assert_scales <- function(scales, name) {
    assert_class(scales, "persistence_scales", name, "persistence_scales()")
    n <- length(scales$threshold)
    if (n == 0L || !is.numeric(scales$threshold) || length(scales$n_edges) != n) {
        stop_pnmf("'", name, "' must have a number of edges for each of its thresholds, as persistence_scales() ",
                  "returns them")
    }
    scales
}

# Graphs come from a list of edges or from the coordinates that give one.
assert_graphs <- function(scales, name) {
    if (is.null(scales$edges) && is.null(scales$space)) {
        stop_pnmf("'", name, "' must have the graphs of its scales, as persistence_scales() makes them, but has ",
                  "neither edges nor coordinates")
    }
}
