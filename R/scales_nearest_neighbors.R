# index and distance, cells x k, nearest first
nearest_neighbors <- function(x, k, approximate, threads) {
    found <- nearest_neighbors_cpp(x, k, if (approximate) "approximate" else "exact", threads)
    list(index = found$index, distance = found$length)
}

# The same in the order of the chosen metric ("local" and "adaptive" search Euclidean neighbours); NULL for k = 0
neighbors_in_space <- function(space, k, approximate) {
    if (k == 0L) return(NULL)
    x <- if (space$metric == "cosine") unit_columns(space$x) else space$x
    nearest_neighbors(x, k, approximate, space$threads)
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
