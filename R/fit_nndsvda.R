#' Starting factors by nonnegative double singular value decomposition
#'
#' Each pair of leading singular vectors is split into its positive and its
#' negative part, and the larger part is kept. Entries below 1e-8 are replaced by
#' the mean of `x`.
#'
#' @param x Nonnegative matrix or sparse Matrix, features x cells.
#' @param rank Number of factors, at most the smaller dimension of `x`.
#' @param threads Number of threads. The result does not depend on it.
#' @return A list with `W` (features x rank) and `H` (rank x cells).
#' @references Boutsidis and Gallopoulos (2008), SVD based initialization: a
#' head start for nonnegative matrix factorization.
#' @examples
#' start <- nndsvda(simulate_circles(seed = 1), rank = 2)
#' dim(start$W)
#' @export
nndsvda <- function(x, rank, threads = default_threads()) {
    if (!is_streamed(x)) x <- as_data_matrix(x)
    rank <- assert_count(rank, "rank", max = min(dim(x)))
    nndsvda_in_unit(x, rank, 1, leading_svd(x, rank, assert_count(threads, "threads")))
}

# The same for x / unit, multiplied by sqrt(unit). If the unit grows with the data (their largest entry), then so do the
# cutoff for small entries and the value that replaces them.
nndsvda_in_unit <- function(x, rank, unit, svd) {
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
