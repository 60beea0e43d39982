# The graphs of the baselines: sparse symmetric weights of the cells with zero diagonal.

# Directed heat weights of every cell and its k nearest:  exp(-d^2 / longest^1.5).
# Result: list of cells i, their neighbours j, weights; one entry per pair.
heat_weights <- function(x, settings) {
    k <- settings$n_neighbors
    near <- nearest_neighbors_cpp(x, k, "all", settings$threads)
    bandwidth <- if (near$longest > 0) near$longest^1.5 else 1
    weight <- exp(-as.vector(near$length)^2 / bandwidth)
    if (!any(weight > 0)) {
        stop_pnmf("'x' has distances so large (up to ", format(near$longest, digits = 4),
                  ") that all heat weights vanish: rescale it, for example with normalize_counts()")
    }
    list(i = rep(seq_len(ncol(x)), k), j = as.vector(near$index), weight = weight)
}

gnmf_graph <- function(x, settings) {
    symmetric_graph(heat_weights(x, settings), x, pmax)
}

# With lo and hi the smallest positive and the largest weight, an entry gets w[T - i + 1] for each i = 1 ... T with
# entry >= lo + (i / T) (hi - lo).
tnmf_graph <- function(x, settings) {
    pairs <- heat_weights(x, settings)
    w <- rev(settings$weights / sum(settings$weights))
    lo <- min(pairs$weight[pairs$weight > 0])
    hi <- max(pairs$weight)
    steps <- seq_along(w) / length(w) * (hi - lo) + lo
    steps[length(w)] <- hi # rounding must not leave the largest entry out
    pairs$weight <- c(0, cumsum(w))[findInterval(pairs$weight, steps) + 1L]
    symmetric_graph(pairs, x, probabilistic_union)
}

# The j-th nearest gets w[j] + w[j + 1] + ... + w[T].
ktnmf_graph <- function(x, settings) {
    w <- settings$weights / sum(settings$weights)
    near <- nearest_neighbors_cpp(x, length(w), "all", settings$threads)
    pairs <- list(i = rep(seq_len(ncol(x)), length(w)), j = as.vector(near$index),
                  weight = rep(rev(cumsum(rev(w))), each = ncol(x)))
    symmetric_graph(pairs, x, probabilistic_union)
}

probabilistic_union <- function(a, b) a + b - a * b

# One weight per pair of cells, joined from both directions (0 where one is absent).
symmetric_graph <- function(pairs, x, join) {
    n <- ncol(x)
    low <- pmin(pairs$i, pairs$j)
    high <- pmax(pairs$i, pairs$j)
    key <- (low - 1) * n + high
    upward <- pairs$i < pairs$j
    all_keys <- unique(key)
    from <- function(chosen) {
        weight <- numeric(length(all_keys))
        weight[match(key[chosen], all_keys)] <- pairs$weight[chosen]
        weight
    }
    weight <- join(from(upward), from(!upward))
    kept <- weight > 0
    place <- match(all_keys[kept], key)
    Matrix::sparseMatrix(i = low[place], j = high[place], x = weight[kept], symmetric = TRUE, dims = c(n, n),
                         dimnames = list(colnames(x), colnames(x)))
}
