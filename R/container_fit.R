# What RunPNMF() and runPNMF() share: they take data out of a container and call pnmf().

# x: features x cells. coordinates: cells x dimensions to measure distances in, or NULL for x itself.
# Further arguments are those of pnmf().
container_fit <- function(x, rank, n_scales, coordinates = NULL, control = pnmf_control(), scales = NULL, ...) {
    if (is.null(scales)) {
        space <- if (is.null(coordinates)) x else cells_in_coordinates(coordinates, x)
        # There are never more canonical scales than cells.
        if (!is.null(n_scales)) n_scales <- min(n_scales, ncol(x))
        scales <- scales_for(space, n_scales, complete_control(control, "hals")$threads)
    } else if (!is.null(coordinates)) {
        stop_pnmf("'scales' must be NULL when distances are measured in a reduction: it fixes them already")
    }
    pnmf(x, rank = rank, scales = scales, control = control, ...)
}

# Dimensions x cells, in the order of the columns of x.
cells_in_coordinates <- function(coordinates, x) {
    coordinates <- t(as.matrix(coordinates))
    if (!is.null(colnames(coordinates)) && !is.null(colnames(x))) {
        places <- match(colnames(x), colnames(coordinates))
        if (anyNA(places)) {
            stop_pnmf("the coordinates for distances lack ", sum(is.na(places)), " of the ", ncol(x),
                      " cells; the first is '", colnames(x)[is.na(places)][1], "'")
        }
        return(coordinates[, places, drop = FALSE])
    }
    if (ncol(coordinates) != ncol(x)) {
        stop_pnmf("the coordinates for distances must be of the same ", ncol(x), " cells, not of ", ncol(coordinates))
    }
    coordinates
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
