#' Parts of a path
#'
#' `embedding()` and `loading()` take the factors of one scale, the others say
#' what the path is made of.
#'
#' @param path,x A [pNMFPath-class], or the fit of a baseline such as
#'   [fit_nmf()] for `embedding()` and `loading()`.
#' @param t The scale: a whole number, 1 is the finest.
#' @param i Scales to keep, ascending.
#' @param j,...,drop Not used.
#' @return `embedding()` a cells x rank matrix, `loading()` a features x rank
#'   matrix, `thresholds()` the distances of the scales, `n_scales()` and
#'   `n_factors()` a whole number, `objective()` a data frame with one row per
#'   sweep (`outer`, `objective`, `relative_decrease`), `converged()` one
#'   logical per scale, `dim()` features, cells and scales, `path[i]` a path of
#'   the chosen scales.
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 5,
#'              control = pnmf_control(max_outer = 5, tol = 0))
#' head(embedding(path, 1))
#' dim(loading(path, 5))
#' thresholds(path)
#' objective(path)
#' converged(path[1:2])
#' @name path-accessors
NULL

#' @rdname path-accessors
#' @export
setGeneric("embedding", function(path, t = 1, ...) standardGeneric("embedding"))

#' @rdname path-accessors
#' @export
setGeneric("loading", function(path, t = 1, ...) standardGeneric("loading"))

#' @rdname path-accessors
#' @export
setGeneric("thresholds", function(path) standardGeneric("thresholds"))

#' @rdname path-accessors
#' @export
setGeneric("n_scales", function(path) standardGeneric("n_scales"))

#' @rdname path-accessors
#' @export
setGeneric("n_factors", function(path) standardGeneric("n_factors"))

#' @rdname path-accessors
#' @export
setGeneric("objective", function(path) standardGeneric("objective"))

#' @rdname path-accessors
#' @export
setGeneric("converged", function(path) standardGeneric("converged"))

factor_names <- function(rank) paste0("factor", seq_len(rank))

#' @rdname path-accessors
#' @export
setMethod("embedding", "pNMFPath", function(path, t = 1, ...) {
    t <- assert_count(t, "t", max = n_scales(path))
    H <- t(path@H[[t]])
    dimnames(H) <- list(path@cell_names, factor_names(n_factors(path)))
    H
})

#' @rdname path-accessors
#' @export
setMethod("loading", "pNMFPath", function(path, t = 1, ...) {
    t <- assert_count(t, "t", max = n_scales(path))
    W <- if (length(path@W) > 0L) path@W[[t]] else recomputed_basis(path, t)
    dimnames(W) <- list(path@feature_names, factor_names(n_factors(path)))
    W
})

#' @rdname path-accessors
#' @export
setMethod("thresholds", "pNMFPath", function(path) path@scales$threshold)

#' @rdname path-accessors
#' @export
setMethod("n_scales", "pNMFPath", function(path) length(path@H))

#' @rdname path-accessors
#' @export
setMethod("n_factors", "pNMFPath", function(path) as.integer(path@parameters$rank))

#' @rdname path-accessors
#' @export
setMethod("objective", "pNMFPath", function(path) path@objective)

#' @rdname path-accessors
#' @export
setMethod("converged", "pNMFPath", function(path) path@convergence$scales$converged)

# Where no method fits, R's own error would name neither the argument nor what was expected.
stop_no_factors <- function(path) {
    stop_pnmf("'path' must be a pNMFPath object, as pnmf() returns, or a fit of one scale, not ", describe(path))
}

#' @rdname path-accessors
#' @export
setMethod("embedding", "ANY", function(path, t = 1, ...) stop_no_factors(path))

#' @rdname path-accessors
#' @export
setMethod("loading", "ANY", function(path, t = 1, ...) stop_no_factors(path))

#' @rdname path-accessors
#' @export
setMethod("thresholds", "ANY", function(path) stop_no_factors(path))

#' @rdname path-accessors
#' @export
setMethod("n_scales", "ANY", function(path) stop_no_factors(path))

#' @rdname path-accessors
#' @export
setMethod("n_factors", "ANY", function(path) stop_no_factors(path))

#' @rdname path-accessors
#' @export
setMethod("objective", "ANY", function(path) stop_no_factors(path))

#' @rdname path-accessors
#' @export
setMethod("converged", "ANY", function(path) stop_no_factors(path))

#' @rdname path-accessors
#' @export
setMethod("length", "pNMFPath", function(x) length(x@H))

#' @rdname path-accessors
#' @export
setMethod("dim", "pNMFPath", function(x) {
    c(length(x@feature_names), length(x@cell_names), length(x@H))
})

#' @rdname path-accessors
#' @export
setMethod("dimnames", "pNMFPath", function(x) {
    list(x@feature_names, x@cell_names, paste0("scale.", seq_along(x@H)))
})

#' @rdname path-accessors
#' @aliases [,pNMFPath,ANY,ANY,ANY-method
#' @export
setMethod("[", "pNMFPath", function(x, i, j, ..., drop = FALSE) {
    if (!missing(j)) stop_pnmf("'j' must be left out: a path has one index, its scales")
    if (missing(i)) return(x)
    i <- assert_scale_indices(i, length(x))
    x@scales <- subset_scales(x@scales, i)
    x@H <- x@H[i]
    if (length(x@W) > 0L) x@W <- x@W[i]
    x@convergence$scales <- x@convergence$scales[i, , drop = FALSE]
    rownames(x@convergence$scales) <- NULL
    validObject(x)
    x
})

#' @rdname path-accessors
#' @param object A [pNMFPath-class].
#' @export
setMethod("show", "pNMFPath", function(object) {
    writeLines(path_summary_lines(object))
})

# At most 12 lines: size, scales, components, convergence, accessors.
path_summary_lines <- function(path) {
    p <- path@parameters
    lines <- c(
        sprintf("pNMFPath: %d features x %d cells, rank %d", dim(path)[1], dim(path)[2], n_factors(path)),
        sprintf("scales: %d (%s), thresholds %s to %s", n_scales(path), path@scales$select,
                format(min(thresholds(path)), digits = 4), format(max(thresholds(path)), digits = 4)),
        sprintf("components: %s", abbreviated(path@scales$betti0)),
        sprintf("solver: %s, lambda graph %s, smooth %s, anchor %s, alpha %s", p$solver,
                format(p$lambda_graph), format(p$lambda_smooth), format(p$lambda_anchor), format(p$alpha)),
        convergence_line(path),
        if (length(path@W) == 0L) "bases: recomputed on demand",
        "use: embedding(path, t), loading(path, t), objective(path), path[i], plot(path)"
    )
    lines
}

abbreviated <- function(x, most = 8L) {
    if (length(x) <= most) return(paste(x, collapse = " "))
    half <- most %/% 2L
    paste(c(utils::head(x, half), "...", utils::tail(x, half)), collapse = " ")
}

convergence_line <- function(path) {
    done <- converged(path)
    sweeps <- path@objective
    last <- if (nrow(sweeps) > 0L) sweeps$objective[nrow(sweeps)] else NA_real_
    sprintf("objective: %s after %d sweeps; %d of %d scales converged",
            format(last, digits = 8), nrow(sweeps), sum(done, na.rm = TRUE), length(done))
}
