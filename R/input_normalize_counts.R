#' Normalise counts
#'
#' Turns counts into input for [pnmf()]. Sparse input stays sparse. Cells
#' without counts stay zero, with a warning. Data that look normalised already
#' (fractions, and no value above 20) give a warning, too, and so do counts whose
#' row names look like barcodes of cells.
#'
#' @param x Nonnegative counts: matrix or sparse Matrix, features x cells.
#' @param method `"log"`: the logarithm of one plus the counts per 10,000 of the
#'   cell, `log1p(1e4 * x / total)`, as `NormalizeData()` of Seurat computes it
#'   by default. `"paper"`: `log10(1 + x)`, every cell then divided by its
#'   Euclidean length.
#' @return A matrix or dgCMatrix of the same shape and names.
#' @examples
#' counts <- matrix(rpois(200, 2), 20, 10)
#' colSums(expm1(normalize_counts(counts)))
#' colSums(normalize_counts(counts, method = "paper")^2)
#' @export
normalize_counts <- function(x, method = c("log", "paper")) {
    x <- as_data_matrix(x)
    method <- assert_choice(method, c("log", "paper"), "method")
    warn_if_transposed(rownames(x))
    if (looks_normalized(x)) {
        warn_pnmf("'x' has fractions and no value above 20: it may already be normalised")
    }
    if (method == "paper") {
        x <- with_values(x, function(values) log10(1 + values))
        return(divided_cells(x, sqrt(Matrix::colSums(x^2))))
    }
    with_values(divided_cells(x, Matrix::colSums(x)), function(values) log1p(1e4 * values))
}

# A million values are enough to tell counts from other data.
some_values <- function(x) {
    values <- if (is(x, "dgCMatrix")) x@x else x
    values[seq_len(min(length(values), 1e6))]
}

looks_normalized <- function(x) {
    values <- some_values(x)
    max(values, 0) <= 20 && any(values != round(values))
}

# change: keeps zero at zero
with_values <- function(x, change) {
    if (!is(x, "dgCMatrix")) return(change(x))
    x@x <- change(x@x)
    x
}

# Every cell divided by its size; empty cells stay zero.
divided_cells <- function(x, size) {
    empty <- size == 0
    if (any(empty)) {
        warn_pnmf(counted(sum(empty), "cell"), " without counts left at zero: remove such cells before pnmf()")
        size[empty] <- 1
    }
    size <- unname(size)
    if (!is(x, "dgCMatrix")) return(sweep(x, 2L, size, "/"))
    x@x <- x@x / rep(size, diff(x@p))
    x
}
