# Beyond this many cells the defaults change to the k-nearest-neighbour graph and a thinned path.
many_cells <- 2000L
default_scales_when_many <- 50L

# Beyond this many cells the exact tree and exact neighbours in 50 dimensions take minutes.
max_cells_for_exact_tree <- 50000L

# The scales of a fit. scales: a persistence_scales object, a number of scales, or NULL for as many as make sense.
# space: cells x dimensions to measure distances in, or NULL for x itself.
scales_for <- function(x, scales, parameters, space = NULL) {
    if (inherits(scales, "persistence_scales")) {
        if (!is.null(space)) {
            stop_pnmf("'space' must be NULL when 'scales' is a persistence_scales object: it fixes distances already")
        }
        warn_if_too_large(length(scales$threshold), x, parameters)
        return(assert_same_cells(scales, x))
    }
    if (!is.null(scales)) {
        if (!is.numeric(scales)) {
            stop_pnmf("'scales' must be a persistence_scales object, a whole number or NULL, not ", describe(scales))
        }
        scales <- assert_count(scales, "scales")
    }
    many <- ncol(x) > many_cells
    points <- if (is.null(space)) x else cells_in_coordinates(space, x)
    canonical <- persistence_scales(points, graph = if (many) "knn" else "full", tree = default_tree(ncol(x)),
                                    threads = parameters$control$threads)
    if (is.null(scales)) {
        scales <- affordable_scales(length(canonical$threshold), many, x, parameters)
    } else {
        assert_count(scales, "scales", max = length(canonical$threshold))
        if (many) inform_pnmf("pnmf: ", ncol(x), " cells: using the 15-nearest-neighbour graph")
        warn_if_too_large(scales, x, parameters)
    }
    thin_scales(canonical, scales, "index")
}

default_tree <- function(n_cells) {
    if (n_cells <= max_cells_for_exact_tree) return("exact")
    inform_pnmf("pnmf: ", n_cells, " cells: using the approximate spanning tree; pass 'scales' = ",
                "persistence_scales(..., graph = \"knn\", tree = \"exact\") for the exact one")
    "approximate"
}

# All canonical scales, or as many as time (50 beyond 2,000 cells) and memory allow; says so when that is fewer.
affordable_scales <- function(available, many, x, parameters) {
    fitting <- floor(parameters$control$memory / scale_bytes(x, parameters))
    wanted <- if (many) min(available, default_scales_when_many) else available
    kept <- max(1, min(wanted, fitting))
    if (many) {
        inform_pnmf("pnmf: ", ncol(x), " cells: using the 15-nearest-neighbour graph and ", kept, " of the ", available,
                    " canonical scales; pass 'scales' to choose")
    }
    if (kept < wanted) {
        inform_pnmf("pnmf: keeping ", kept, " of the ", available, " canonical scales: each takes ",
                    format_bytes(scale_bytes(x, parameters)), " and the fit may take ",
                    format_bytes(parameters$control$memory), " ('memory' of pnmf_control())")
    }
    kept
}

warn_if_too_large <- function(n_scales, x, parameters) {
    needed <- n_scales * scale_bytes(x, parameters)
    if (needed > parameters$control$memory) {
        warn_pnmf("a path of ", n_scales, " scales needs about ", format_bytes(needed), ", more than 'memory' of ",
                  "pnmf_control() (", format_bytes(parameters$control$memory),
                  "): fewer scales or a lower rank need less")
    }
}

# Dimensions x cells, in the order of the columns of x.
cells_in_coordinates <- function(coordinates, x, name = "space") {
    if (length(dim(coordinates)) != 2L) {
        stop_pnmf("'", name, "' must be a matrix, cells x dimensions, not ", describe(coordinates))
    }
    coordinates <- t(as.matrix(coordinates))
    if (!is.null(colnames(coordinates)) && !is.null(colnames(x))) {
        places <- match(colnames(x), colnames(coordinates))
        if (anyNA(places)) {
            stop_pnmf("'", name, "' lacks ", sum(is.na(places)), " of the ", ncol(x),
                      " cells; the first is '", colnames(x)[is.na(places)][1], "'")
        }
        return(coordinates[, places, drop = FALSE])
    }
    if (ncol(coordinates) != ncol(x)) {
        stop_pnmf("'", name, "' must have one row for each of the ", ncol(x), " cells, not ", ncol(coordinates))
    }
    coordinates
}
