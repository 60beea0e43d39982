#' Starting factors by nonnegative double singular value decomposition
#'
#' Computes nonnegative starting factors for a factorisation. Each pair of
#' leading singular vectors is split into its positive and its negative part,
#' and the larger part is kept. Entries below 1e-8 are replaced by the mean of
#' `x`. The result does not depend on the signs of the singular vectors.
#'
#' @param x Nonnegative matrix or sparse Matrix, features x cells.
#' @param rank Number of factors, at most the smaller dimension of `x`.
#' @return A list with `W` (features x rank) and `H` (rank x cells).
#' @references Boutsidis and Gallopoulos (2008), SVD based initialization: a
#' head start for nonnegative matrix factorization.
#' @examples
#' start <- nndsvda(simulate_circles(seed = 1), rank = 2)
#' dim(start$W)
#' @export
nndsvda <- function(x, rank) {
    if (!is_streamed(x)) x <- as_data_matrix(x)
    nndsvda_in_unit(x, assert_count(rank, "rank", max = min(dim(x))), unit = 1)
}

# The same for x / unit, multiplied by sqrt(unit). If the unit grows with the data (their largest entry), then so do the
# cutoff for small entries and the value that replaces them.
nndsvda_in_unit <- function(x, rank, unit, svd = leading_svd(x, rank)) {
    level <- mean_entry(x)
    if (level == 0) stop_pnmf("'x' must have a positive entry, but all are zero")
    pairs <- lapply(seq_len(rank), function(j) nonnegative_pair(svd$u[, j], svd$v[, j], svd$d[j], first = j == 1L))
    W <- vapply(pairs, `[[`, numeric(nrow(x)), "w")
    H <- vapply(pairs, `[[`, numeric(ncol(x)), "h")
    dim(W) <- c(nrow(x), rank)
    dim(H) <- c(ncol(x), rank)
    root <- sqrt(unit)
    W[W < 1e-8 * root] <- level / root
    H[H < 1e-8 * root] <- level / root
    list(W = W, H = t(H))
}

mean_entry <- function(x) {
    total <- if (is_streamed(x)) x$total else if (is(x, "dgCMatrix")) sum(x@x) else sum(x)
    total / prod(as.numeric(dim(x)))
}

# The exact decomposition for small matrices, otherwise the leading part, from XX' if there are few features.
leading_svd <- function(x, rank) {
    small <- min(dim(x))
    is_small <- small <= 3L || (small <= 600L && prod(as.numeric(dim(x))) <= 2e6) || rank > small / 2
    if (!is_streamed(x) && is_small) return(base::svd(as.matrix(x), nu = rank, nv = rank))
    if (has_few_features(x)) svd_by_features(x, rank) else iterated_svd(x, rank)
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

# sigma u v' ~ w h with the heavier of (u+, v+) and (u-, v-).
nonnegative_pair <- function(u, v, sigma, first) {
    if (first) return(list(w = sqrt(sigma) * abs(u), h = sqrt(sigma) * abs(v)))
    u_plus <- pmax(u, 0)
    v_plus <- pmax(v, 0)
    u_minus <- pmax(-u, 0)
    v_minus <- pmax(-v, 0)
    plus <- length2(u_plus) * length2(v_plus)
    minus <- length2(u_minus) * length2(v_minus)
    if (max(plus, minus) == 0) return(list(w = 0 * u, h = 0 * v))
    if (plus > minus || (plus == minus && u[which.max(abs(u))] > 0)) {
        return(list(w = sqrt(sigma * plus) * u_plus / length2(u_plus),
                    h = sqrt(sigma * plus) * v_plus / length2(v_plus)))
    }
    list(w = sqrt(sigma * minus) * u_minus / length2(u_minus), h = sqrt(sigma * minus) * v_minus / length2(v_minus))
}

length2 <- function(v) sqrt(sum(v^2))
