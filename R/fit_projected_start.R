# The start of "hals" from NNDSVDA, and the projection UU'X of the data on two singular vectors per factor.
# The core first fits the projection, which takes little time.
projected_start <- function(x, parameters) {
    rank <- parameters$rank
    directions <- max(rank, min(2L * rank, min(dim(x)) %/% 2L))
    svd <- leading_svd(x, directions, parameters$control$threads)
    start <- shared_start(nndsvda_in_unit(x, rank, typical_length(x), svd))
    start$projection <- list(U = svd$u, UtX = t(svd$v) * svd$d[seq_len(directions)])
    start
}

# Root mean square of the lengths of cells: the start of cells of unit length is that of the paper, and it grows with
# the data.
typical_length <- function(x) sqrt(squared_norm(x) / ncol(x))
