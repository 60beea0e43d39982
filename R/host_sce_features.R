# The rows of an assay to factorise: the given ones, or the ntop rows with the largest variance.
sce_features <- function(x, subset_row, ntop, BPPARAM) {
    if (is.null(subset_row)) {
        ntop <- assert_count(ntop, "ntop")
        variance <- row_variances(x, BPPARAM)
        if (!all(is.finite(variance))) {
            stop_pnmf("the assay must be finite, but ", sum(!is.finite(variance)), " of ", nrow(x),
                      " features have missing or infinite values")
        }
        return(utils::head(order(variance, decreasing = TRUE), ntop))
    }
    if (is.character(subset_row)) return(named_rows(subset_row, rownames(x)))
    if (is.logical(subset_row) && length(subset_row) == nrow(x) && !anyNA(subset_row)) subset_row <- which(subset_row)
    unique(assert_indices(subset_row, "subset_row", nrow(x)))
}

# The names that a path gives to rows whose names repeat.
with_unique_rows <- function(x) {
    if (anyDuplicated(rownames(x)) > 0L) rownames(x) <- make.unique(rownames(x))
    x
}

named_rows <- function(features, known) {
    unknown <- setdiff(features, known)
    if (length(unknown) > 0L || length(features) == 0L) {
        stop_pnmf("'subset_row' must name features of the assay, but ", length(unknown), " of ", length(features),
                  " are unknown", if (length(unknown) > 0L) paste0("; the first is '", unknown[1], "'"))
    }
    match(unique(features), known)
}

# One cell has the variance 0, and pnmf() refuses it. An assay on disk is read in blocks of whole rows.
row_variances <- function(x, BPPARAM) {
    if (is(x, "DelayedMatrix")) {
        return(delayed_row_variances(x, BPPARAM))
    }
    x <- as_plain_matrix(x, "x")
    if (is(x, "dgCMatrix")) sparse_row_variances(x) else dense_row_variances(x)
}

# BiocParallel draws seeds for its workers; inside with_random_state() that leaves the session's stream alone.
delayed_row_variances <- function(x, BPPARAM) {
    assert_installed("DelayedArray", "a DelayedMatrix")
    assert_backend(BPPARAM)
    blocks <- with_random_state(NULL, DelayedArray::blockApply(
        x, dense_row_variances, grid = DelayedArray::rowAutoGrid(x), as.sparse = FALSE, BPPARAM = BPPARAM
    ))
    unlist(blocks, use.names = FALSE)
}

dense_row_variances <- function(x) rowSums((x - rowMeans(x))^2) / max(ncol(x) - 1, 1)

# The zeros of a row contribute mean^2 each.
sparse_row_variances <- function(x) {
    mean <- Matrix::rowMeans(x)
    zeros <- ncol(x) - tabulate(x@i + 1L, nrow(x))
    x@x <- (x@x - mean[x@i + 1L])^2
    (Matrix::rowSums(x) + zeros * mean^2) / max(ncol(x) - 1, 1)
}
