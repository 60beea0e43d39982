# A DelayedMatrix is read into memory once, sparse when it is sparse.
realise_delayed <- function(x, name) {
    assert_delayed_array(name)
    if (DelayedArray::is_sparse(x)) {
        return(as_compressed_columns(as(x, "dgCMatrix")))
    }
    as.matrix(x)
}

assert_delayed_array <- function(name) {
    if (!requireNamespace("DelayedArray", quietly = TRUE)) {
        stop_pnmf("'", name, "' is a DelayedMatrix: install DelayedArray to read it")
    }
}
