# The start of "hals" from NNDSVDA, and the projection UU'X of the data on one singular vector per factor.
# The core solves one scale after the other on the projection, which takes little time, before it reads the data.
projected_start <- function(x, parameters) {
    rank <- parameters$rank
    svd <- leading_svd(x, rank, parameters$control$threads)
    start <- shared_start(nndsvda_in_unit(x, rank, typical_length(x), svd))
    start$projection <- list(U = svd$u, UtX = t(svd$v) * svd$d[seq_len(rank)])
    start
}

# Root mean square of the lengths of cells: the start of cells of unit length is that of the paper, and it grows with
# the data.
typical_length <- function(x) sqrt(squared_norm(x) / ncol(x))
