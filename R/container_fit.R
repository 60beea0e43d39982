# What RunPNMF() and runPNMF() share: they take data out of a container and call pnmf().

# x: features x cells. coordinates: cells x dimensions to measure distances in, or NULL for x itself.
# Further arguments are those of pnmf().
container_fit <- function(x, rank, n_scales, coordinates = NULL, scales = NULL, ...) {
    if (is.null(scales)) {
        # There are never more canonical scales than cells.
        scales <- if (!is.null(n_scales)) min(n_scales, ncol(x))
    } else if (!is.null(coordinates)) {
        stop_pnmf("'scales' must be NULL when distances are measured in a reduction: it fixes them already")
    }
    if (!is.null(coordinates)) coordinates <- t(cells_in_coordinates(coordinates, x, "coordinates"))
    pnmf(x, rank = rank, scales = scales, space = coordinates, ...)
}

# Raw counts run, but the few genes with the largest counts decide everything.
warn_if_counts <- function(x, where, advice) {
    values <- if (is(x, "dgCMatrix")) x@x else x
    if (max(values, 0) > 1 && all(values == round(values))) {
        warn_pnmf(where, " holds whole numbers only and looks like raw counts: ", advice, " first")
    }
}

# The size of factor j's part of the fit, |w_j h_j'| = |w_j| |h_j|.
factor_weights <- function(path, t) {
    sqrt(colSums(loading(path, t)^2) * rowSums(path@H[[t]]^2))
}
