
# The searches in the core use threads and take sparse cells directly; BiocNeighbors would need dense ones.
# BiocNeighbors warns about ties, but they do not matter: each of the tied neighbours is correct.
nearest_neighbors <- function(x, k, search, threads) {
    if (is.null(search$BNPARAM)) {
        found <- nearest_neighbors_cpp(x, k, if (search$approximate) "approximate" else "exact", threads)
        return(list(index = found$index, distance = found$length))
    }
    with_random_state(NULL, suppressWarnings(search_in_pieces(as.matrix(Matrix::t(x)), k, search$BNPARAM)))
}

# BiocNeighbors cannot be interrupted, so it searches for a few cells at a time. points: cells x dimensions
search_in_pieces <- function(points, k, BNPARAM) {
    index <- BiocNeighbors::buildIndex(points, BNPARAM = BNPARAM)
    found <- lapply(split(seq_len(nrow(points)), (seq_len(nrow(points)) - 1L) %/% 500L), function(cells) {
        check_interrupt_cpp()
        neighbors_in_index(index, k, cells)
    })
    list(index = do.call(rbind, lapply(found, `[[`, "index")),
         distance = do.call(rbind, lapply(found, `[[`, "distance")))
}

# The index has its own argument in BiocNeighbors 1, and replaces the points in version 2.
neighbors_in_index <- function(index, k, cells) {
    if ("BNINDEX" %in% names(formals(BiocNeighbors::findKNN))) {
        return(BiocNeighbors::findKNN(BNINDEX = index, k = k, subset = cells))
    }
    BiocNeighbors::findKNN(index, k = k, subset = cells)
}

# index and distance, cells x k, nearest first, in the order of the chosen metric ("local" and "adaptive" search
# Euclidean neighbours); NULL for k = 0
neighbors_in_space <- function(space, k, search) {
    if (k == 0L) return(NULL)
    x <- if (space$metric == "cosine") unit_columns(space$x) else space$x
    nearest_neighbors(x, k, search, space$threads)
}

# Union of the nearest neighbours and the tree, as sorted edges with lengths in the chosen metric.
neighbor_edges <- function(space, tree, near) {
    i <- c(rep(seq_len(space$n), ncol(near)), tree$i)
    j <- c(as.vector(near), tree$j)
    low <- pmin(i, j)
    high <- pmax(i, j)
    first <- !duplicated((low - 1) * space$n + high)
    edges_with_lengths_cpp(space$x, space$metric, space$local_scale,
                           list(i = low[first], j = high[first], length = numeric(sum(first))))
}

# Columns of length 1; those of length 0 stay.
unit_columns <- function(x) {
    lengths <- sqrt(Matrix::colSums(x^2))
    lengths[lengths == 0] <- 1
    if (is(x, "dgCMatrix")) return(x %*% Matrix::Diagonal(x = 1 / lengths))
    sweep(x, 2L, lengths, "/")
}

local_scale_neighbor <- 7L

# s_i, the distance to the 7th neighbour. Cells with seven duplicates take the smallest positive one; if all have seven,
# distances stay Euclidean. The square of a ratio above 1e100 would exceed the range of doubles. Metrics without local
# scales have none.   distance: cells x neighbours, nearest first
local_scales <- function(space, distance) {
    if (!has_local_scales(space)) return(numeric())
    s <- distance[, min(local_scale_neighbor, space$n - 1L)]
    if (!any(s > 0)) return(rep(1, length(s)))
    pmax(s, min(s[s > 0]), 1e-100 * max(s))
}
