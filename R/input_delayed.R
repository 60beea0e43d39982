# A DelayedMatrix is read into memory once, sparse when it is sparse.
realise_delayed <- function(x, name) {
    assert_delayed_array(name)
    if (DelayedArray::is_sparse(x)) {
        return(as_compressed_columns(as(x, "dgCMatrix")))
    }
    as.matrix(x)
}
