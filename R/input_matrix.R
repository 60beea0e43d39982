# Turns a features x cells matrix of any supported class into a double matrix or a dgCMatrix, or stops. Only this file
# and input_delayed.R distinguish classes of input. A matrix on disk that would take more than `memory` bytes becomes a
# streamed_matrix().
as_data_matrix <- function(x, name = "x", nonnegative = TRUE, memory = Inf) {
    if (is_on_disk(x) && exceeds_memory(x, name, memory)) {
        assert_index_limits(dim(x), name)
        return(streamed_matrix(x, name, memory))
    }
    x <- as_plain_matrix(x, name)
    if (nrow(x) == 0L || ncol(x) == 0L) {
        stop_pnmf("'", name, "' must have at least one row and one column, not ", describe(x))
    }
    assert_index_limits(dim(x), name)
    values <- if (is(x, "dgCMatrix")) x@x else x
    assert_finite_values(values, name)
    if (nonnegative) assert_nonnegative_values(values, name)
    x
}

as_plain_matrix <- function(x, name) {
    if (is.data.frame(x)) {
        if (!all(vapply(x, is.numeric, logical(1)))) {
            stop_pnmf("'", name, "' must be numeric, but the data.frame has a column that is not")
        }
        x <- as.matrix(x)
    }
    if (is_on_disk(x)) x <- realised(x, name)
    if (is(x, "denseMatrix")) x <- as.matrix(x)
    if (is(x, "Matrix")) {
        return(as_compressed_columns(x))
    }
    if (!is.matrix(x) || !(is.numeric(x) || is.logical(x))) {
        stop_pnmf("'", name, "' must be a numeric matrix (features x cells) or a sparse Matrix, not ",
                  describe(x))
    }
    if (typeof(x) != "double") storage.mode(x) <- "double"
    x
}

as_compressed_columns <- function(x) {
    if (is(x, "dgCMatrix")) return(x)
    as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
}

cell_names_of <- function(x) {
    names <- colnames(x)
    if (is.null(names)) paste0("cell", seq_len(ncol(x))) else names
}

feature_names_of <- function(x) {
    names <- rownames(x)
    if (is.null(names)) paste0("feature", seq_len(nrow(x))) else names
}
