# Leading singular vectors of data in memory or on disk, without making sparse data dense and without random numbers.

# The exact decomposition for small matrices, otherwise the leading part, from XX' if there are few features.
leading_svd <- function(x, rank, threads) {
    small <- min(dim(x))
    is_small <- small <= 3L || (small <= 600L && prod(as.numeric(dim(x))) <= 2e6) || rank > small / 2
    if (!is_streamed(x) && is_small) return(base::svd(as.matrix(x), nu = rank, nv = rank))
    if (has_few_features(x)) svd_by_features(x, rank, threads) else iterated_svd(x, rank)
}

# The iteration compares squares with fixed tolerances, so x is first scaled to a size near 1. Powers of two change no
# digits. The core computes the products with x, because it checks for interrupts; those of RSpectra cannot be stopped.
iterated_svd <- function(x, rank) {
    exponent <- size_exponent(x, least = 5)
    if (exponent != 0) x <- x * 2^-exponent
    svd <- suppressWarnings(RSpectra::svds(
        function(v, x) vector_product_cpp(x, v, transposed = FALSE), k = rank,
        Atrans = function(v, x) vector_product_cpp(x, v, transposed = TRUE), dim = dim(x), args = x,
        opts = list(tol = 1e-12, maxitr = 5000)
    ))
    if (length(svd$d) < rank) {
        if (is_streamed(x)) stop_pnmf("the start did not converge: use start = \"random\" in pnmf_control()")
        svd <- base::svd(as.matrix(x), nu = rank, nv = rank)
    }
    svd$d <- svd$d * 2^exponent
    svd
}

# The largest entry is about 2 to this power; 0 if less than `least`, and for data on disk, which are not scaled.
size_exponent <- function(x, least) {
    exponent <- if (is_streamed(x)) 0 else max(round(log2(max(x))), -1000)
    if (abs(exponent) < least) 0 else exponent
}

# XX' of all features or of some, in one pass. The rank, the principal components and the start of a fit need it: from
# keep_gram() to forget_gram() the last one is kept. If x has few features, XX' of some is taken from that of all.
feature_gram <- function(x, threads, rows = NULL) {
    if (!is.null(rows) && has_few_features(x)) return(feature_gram(x, threads)[rows, rows])
    if (!isTRUE(kept_gram$open)) return(computed_gram(x, threads, rows))
    if (!identical(kept_gram$x, x) || !identical(kept_gram$rows, rows)) {
        kept_gram$gram <- computed_gram(x, threads, rows)
        kept_gram$x <- x
        kept_gram$rows <- rows
    }
    kept_gram$gram
}

computed_gram <- function(x, threads, rows) {
    if (is.null(rows)) return(feature_gram_cpp(x, threads))
    if (!is_streamed(x)) return(feature_gram_cpp(x[rows, , drop = FALSE], threads))
    gram <- 0
    for (b in seq_along(x$first)) gram <- gram + as.matrix(Matrix::tcrossprod(next_block(x, b)[rows, , drop = FALSE]))
    gram
}

kept_gram <- new.env(parent = emptyenv())

keep_gram <- function() kept_gram$open <- TRUE

forget_gram <- function() rm(list = ls(kept_gram), envir = kept_gram)

# Above this many features, and for few cells in memory, the start is computed by iterations instead of from XX'. Each
# of them reads the data twice.
max_gram_features <- 5000L

# Up to this many cells, the components come from the Gram matrix of the cells.
max_gram_cells <- 1000L

has_few_features <- function(x) nrow(x) <= max_gram_features && (is_streamed(x) || ncol(x) > max_gram_cells)

# U from the eigenvectors of XX' (one pass over the data), V = X'U / d (another pass). Scaled only if squares could not
# be represented: a second copy of many cells takes memory.
svd_by_features <- function(x, rank, threads) {
    exponent <- size_exponent(x, least = 300)
    if (exponent != 0) x <- x * 2^-exponent
    u <- leading_eigenvectors(feature_gram(x, threads), rank)
    v <- t(basis_product_cpp(x, u, threads))
    d <- sqrt(colSums(v^2))
    list(u = u, d = d * 2^exponent, v = sweep(v, 2L, pmax(d, .Machine$double.xmin), "/"))
}

leading_eigenvectors <- function(gram, rank) {
    if (nrow(gram) <= 600L || rank > nrow(gram) / 2) {
        return(eigen(gram, symmetric = TRUE)$vectors[, seq_len(rank), drop = FALSE])
    }
    RSpectra::eigs_sym(gram, k = rank, opts = list(tol = 1e-13, maxitr = 5000))$vectors
}
