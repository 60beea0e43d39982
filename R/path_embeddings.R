# Sizes of factors and of cells in an embedding.

# The contribution of factor j to the fit, |w_j h_j'| = |w_j| |h_j|.
factor_weights <- function(path, t) {
    sqrt(colSums(loading(path, t)^2) * rowSums(scale_embedding(path, t)^2))
}

unit_rows <- function(x) {
    size <- sqrt(rowSums(x^2))
    x / ifelse(size > 0, size, 1)
}
