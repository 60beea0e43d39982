#' Normalise counts as in the paper
#'
#' Turns counts into input for [pnmf()]: computes `log10(1 + x)`, then divides
#' every cell by its Euclidean length. Sparse input stays sparse. Cells without
#' counts stay zero, with a warning.
#'
#' @param x Nonnegative counts: matrix or sparse Matrix, features x cells.
#' @return A matrix or dgCMatrix of the same shape and names.
#' @examples
#' counts <- matrix(rpois(200, 2), 20, 10)
#' colSums(normalize_counts(counts)^2)
#' @export
normalize_counts <- function(x) {
    x <- as_data_matrix(x)
    if (is(x, "dgCMatrix")) {
        x@x <- log10(1 + x@x)
        lengths <- column_lengths(x)
        x@x <- x@x / rep(lengths, diff(x@p))
        return(x)
    }
    x <- log10(1 + x)
    sweep(x, 2L, column_lengths(x), "/")
}

# Euclidean length of every cell; empty cells get 1, so that they stay zero.
column_lengths <- function(x) {
    lengths <- sqrt(Matrix::colSums(x^2))
    empty <- lengths == 0
    if (any(empty)) {
        warn_pnmf(sum(empty), " cell(s) have no counts and stay zero; remove them before pnmf()")
        lengths[empty] <- 1
    }
    unname(lengths)
}
