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

largest_entry <- function(x) {
    if (is_streamed(x)) return(x$largest)
    max(if (is(x, "dgCMatrix")) x@x else x, 0)
}

squared_norm <- function(x) if (is_streamed(x)) x$squared_norm else sum(x^2)

mean_entry <- function(x) {
    total <- if (is_streamed(x)) x$total else if (is(x, "dgCMatrix")) sum(x@x) else sum(x)
    total / prod(as.numeric(dim(x)))
}

# min() and max() read the values in place; is.finite() would allocate a vector of the same length.
is_finite_nonnegative <- function(m) length(m) == 0L || isTRUE(min(m) >= 0 && max(m) < Inf)

assert_fittable <- function(x) {
    if (ncol(x) < 2L) stop_pnmf("'x' must have at least two cells (columns), not ", ncol(x))
    assert_whole_dimnames(rownames(x), "row")
    assert_whole_dimnames(colnames(x), "column")
    largest <- largest_entry(x)
    if (largest == 0) stop_pnmf("'x' must have a positive entry, but all are zero")
    if (largest > 1e120 || largest < 1e-120) {
        stop_pnmf("'x' must have a largest entry between 1e-120 and 1e120, not ", format(largest),
                  ": rescale it, because its squares would overflow or vanish")
    }
}

# Features and cells are matched by name.
assert_whole_dimnames <- function(names, what) {
    lacking <- is.na(names) | !nzchar(names)
    if (any(lacking)) {
        stop_pnmf("'x' must have a name for every ", what, " or for none, but lacks ", sum(lacking), " of ",
                  length(names), "; the first is that of ", what, " ", which(lacking)[1])
    }
}

# Penalties times squared factors must stay finite. Otherwise NaN in an update could look like a zero.
assert_no_overflow <- function(x, penalties) {
    max_penalty <- 1e250 / max(1, squared_norm(x))
    if (any(penalties > max_penalty)) {
        name <- names(penalties)[which.max(penalties)]
        stop_pnmf("'", name, "' must be at most ", format(max_penalty, digits = 3), " for data of this size, not ",
                  format(max(penalties)), ": the objective would overflow")
    }
}

# Cells are indexed by 32-bit integers, in R's sparse matrices and in the core alike.
assert_index_limits <- function(dims, name) {
    if (any(dims > .Machine$integer.max)) {
        stop_pnmf("'", name, "' must have fewer than 2^31 rows and columns, not ",
                  paste(dims, collapse = " x "))
    }
}

assert_no_container <- function(x) {
    if (missing(x)) stop_pnmf("'x' must be a features x cells matrix, but is missing")
    if (is(x, "Seurat")) stop_pnmf("'x' is a Seurat object: use RunPNMF()")
    if (is(x, "SummarizedExperiment")) stop_pnmf("'x' is a ", class(x)[1], ": use runPNMF()")
}
