# Sizes of factors and of cells in an embedding, and pairs of like factors.

# The contribution of factor j to the fit, |w_j h_j'| = |w_j| |h_j|.
factor_weights <- function(path, t) {
    sqrt(colSums(loading(path, t)^2) * rowSums(scale_embedding(path, t)^2))
}

unit_rows <- function(x) {
    size <- sqrt(rowSums(x^2))
    x / ifelse(size > 0, size, 1)
}

# The column of b that matches each column of a: the assignment with the largest sum, and the similarities of its pairs.
matched_columns <- function(a, b) {
    similarity <- crossprod(a, b)
    # solve_LSAP() requires nonnegative entries; adding a constant does not change the assignment.
    partner <- as.integer(clue::solve_LSAP(similarity + 1 + 1e-9, maximum = TRUE))
    list(partner = partner, similarity = similarity[cbind(seq_along(partner), partner)])
}
