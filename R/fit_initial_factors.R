# Starting factors of every kind, as list(W = list, H = list) with one entry for all scales or one per scale,
# and whether the solver should spread them along the scales itself.
initial_factors <- function(x, scales, parameters, run) {
    control <- parameters$control
    start <- control$start
    rank <- parameters$rank
    n_scales <- length(scales$threshold)
    if (identical(start, "nndsvda")) {
        step <- progress_steps("computing the start", 1, at_once = has_many_cells(x), control$verbose)
        if (isTRUE(parameters$sampled)) return(step(sampled_start(x, scales, parameters, run)))
        if (parameters$solver != "hals") return(step(shared_start(nndsvda(x, rank, control$threads))))
        return(step(projected_start(x, parameters)))
    }
    if (identical(start, "random")) return(shared_start(random_factors(x, rank, control$seed)))
    if (is(start, "pNMFPath")) return(start_from_path(start, x, scales, rank))
    start_from_list(start, x, rank, n_scales)
}

shared_start <- function(factors) {
    list(W = list(factors$W), H = list(factors$H), chain = TRUE)
}

# Uniform entries, scaled so that WH matches the mean of x.
random_factors <- function(x, rank, seed) {
    size <- sqrt(mean_entry(x) / rank)
    with_random_state(seed, {
        W <- matrix(2 * size * stats::runif(as.numeric(nrow(x)) * rank), nrow(x), rank)
        H <- matrix(2 * size * stats::runif(rank * as.numeric(ncol(x))), rank, ncol(x))
        list(W = W, H = H)
    })
}

start_from_list <- function(start, x, rank, n_scales) {
    W <- if (is.matrix(start$W)) list(start$W) else start$W
    H <- if (is.matrix(start$H)) list(start$H) else start$H
    if (!is.list(W) || !is.list(H) || length(W) != length(H) || !(length(W) %in% c(1L, n_scales))) {
        stop_pnmf("'start' must have one W and one H, or one of each for all ", n_scales, " scales, not ",
                  length(W), " and ", length(H))
    }
    W <- lapply(W, assert_factor, shape = c(nrow(x), rank), name = "start$W")
    H <- lapply(H, assert_factor, shape = c(rank, ncol(x)), name = "start$H")
    list(W = W, H = H, chain = length(W) == 1L && n_scales > 1L)
}

# Every scale starts from the scale of the earlier path with the nearest threshold.
start_from_path <- function(path, x, scales, rank) {
    if (n_factors(path) != rank || dim(path)[1] != nrow(x) || dim(path)[2] != ncol(x)) {
        stop_pnmf("'start' must be a path of ", nrow(x), " features, ", ncol(x), " cells and rank ", rank, ", not of ",
                  dim(path)[1], ", ", dim(path)[2], " and ", n_factors(path))
    }
    old <- thresholds(path)
    nearest <- vapply(scales$threshold, function(threshold) which.min(abs(old - threshold)), integer(1))
    W <- lapply(nearest, function(t) unname(loading(path, t)))
    list(W = W, H = lapply(nearest, scale_embedding, path = path), chain = FALSE)
}

assert_factor <- function(m, shape, name) {
    if (!is.matrix(m) || !is.numeric(m) || !identical(as.numeric(dim(m)), as.numeric(shape))) {
        stop_pnmf("'", name, "' must be a ", shape[1], " x ", shape[2], " matrix, not ", describe(m))
    }
    assert_finite_values(m, name)
    assert_nonnegative_values(m, name)
    storage.mode(m) <- "double"
    unname(m)
}
