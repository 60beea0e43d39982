#' Parts of a path
#'
#' Accessors for the parts of a path. `embedding()` and `loading()` return the
#' factors of one scale; the others describe the path.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one; for `embedding()` and `loading()` also a baseline fit,
#'   such as [fit_nmf()] returns.
#' @param x A [pNMFPath-class].
#' @param t The scale: a whole number, 1 is the finest. `NULL` means the
#'   [active_scale()]: the default scale unless you set another.
#' @param reduction Name of the path, if the object holds several.
#' @param i Scales to keep, ascending.
#' @param j,...,drop Not used.
#' @return `embedding()` returns a cells x rank matrix, `loading()` a features x
#'   rank matrix, `thresholds()` the distances of the scales, `n_scales()` and
#'   `n_factors()` a whole number, `objective()` a data frame with one row per
#'   sweep (`outer`, `objective`, `relative_decrease`), `converged()` one
#'   logical value per scale, `dim()` the numbers of features, cells and scales,
#'   `path[i]` a path of the chosen scales, and `summary()` a data frame with one
#'   row per scale: `t`, `threshold`, `components`, `effective_cells` (if they
#'   are known), `active`, `converged`.
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
setMethod("embedding", "pNMFPath", function(path, t = NULL, ...) {
    assert_no_dots(...)
    t <- chosen_scale(t, path)
    H <- t(scale_embedding(path, t))
    dimnames(H) <- list(path@cell_names, factor_names(n_factors(path)))
    H
})

#' @rdname path-accessors
#' @export
setMethod("loading", "pNMFPath", function(path, t = NULL, ...) {
    assert_no_dots(...)
    t <- chosen_scale(t, path)
    W <- path@W[[t]]
    dimnames(W) <- list(path@feature_names, factor_names(n_factors(path)))
    W
})

#' @rdname path-accessors
#' @export
setMethod("thresholds", "pNMFPath", function(path, ...) path@scales$threshold)

#' @rdname path-accessors
#' @export
n_scales <- function(path, reduction = NULL) length(as_path(path, reduction)@H)

#' @rdname path-accessors
#' @export
setMethod("n_factors", "pNMFPath", function(path, ...) as.integer(path@parameters$rank))

#' @rdname path-accessors
#' @export
objective <- function(path, reduction = NULL) as_path(path, reduction)@objective

#' @rdname path-accessors
#' @export
setMethod("converged", "pNMFPath", function(path, ...) path@convergence$scales$converged)

# Methods for objects that contain a path. Anything else gives an error that names the argument and what is expected,
# which R's own error would not. The path is found first, because an error inside an S4 method would lose its class.

#' @rdname path-accessors
#' @export
setMethod("embedding", "ANY", function(path, t = NULL, reduction = NULL, ...) {
    assert_no_dots(...)
    path <- as_path(path, reduction)
    embedding(path, t)
})

#' @rdname path-accessors
#' @export
setMethod("loading", "ANY", function(path, t = NULL, reduction = NULL, ...) {
    assert_no_dots(...)
    path <- as_path(path, reduction)
    loading(path, t)
})

#' @rdname path-accessors
#' @export
setMethod("thresholds", "ANY", function(path, reduction = NULL, ...) {
    assert_no_dots(...)
    path <- as_path(path, reduction)
    thresholds(path)
})

#' @rdname path-accessors
#' @export
setMethod("n_factors", "ANY", function(path, reduction = NULL, ...) {
    assert_no_dots(...)
    path <- as_path(path, reduction)
    n_factors(path)
})

#' @rdname path-accessors
#' @export
setMethod("converged", "ANY", function(path, reduction = NULL, ...) {
    assert_no_dots(...)
    path <- as_path(path, reduction)
    converged(path)
})

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
    list(x@feature_names, x@cell_names, scale_name(seq_along(x@H)))
})

#' @rdname path-accessors
#' @aliases [,pNMFPath,ANY,ANY,ANY-method
#' @export
setMethod("[", "pNMFPath", function(x, i, j, ..., drop = FALSE) {
    if (!missing(j)) stop_pnmf("'j' must be missing: a path has only one index, its scales")
    if (missing(i)) return(x)
    i <- assert_scale_indices(i, length(x))
    kept <- match(x@parameters$active_scale, i)
    x <- with_active_scale(x, if (!anyNA(kept) && length(kept) == 1L) kept)
    x@scales <- subset_scales(x@scales, i)
    x@H <- x@H[i]
    x@W <- x@W[i]
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

#' @rdname path-accessors
#' @export
summary.pNMFPath <- function(object, ...) { # nolint: object_name_linter.
    assert_no_dots(...)
    scales <- object@scales
    table <- data.frame(t = seq_along(object), threshold = scales$threshold, components = scales$betti0)
    table$effective_cells <- scales$effective_cells
    table$active <- table$t == active_scale(object)
    table$converged <- converged(object)
    table
}

# At most 12 lines: size, scales, components, convergence, accessors.
path_summary_lines <- function(path) {
    p <- path@parameters
    lines <- c(
        sprintf("pNMFPath: %s x %s%s, rank %d", counted(dim(path)[1], "feature"), counted(dim(path)[2], "cell"),
                subset_note(path), n_factors(path)),
        sprintf("scales: %d (%s), thresholds %s to %s", n_scales(path), scale_kind(path@scales),
                format(min(thresholds(path)), digits = 4), format(max(thresholds(path)), digits = 4)),
        if (is.null(path@scales$effective_cells)) {
            sprintf("components: %s", abbreviated(path@scales$betti0))
        } else {
            sprintf("effective cells%s: %s", if (nzchar(subset_note(path))) " of all fitted cells" else "",
                    abbreviated(format_effective(path@scales$effective_cells)))
        },
        sprintf("active scale: %d (threshold %s, %s)", active_scale(path),
                format(thresholds(path)[active_scale(path)], digits = 4),
                scale_resolution(path@scales, active_scale(path))),
        sprintf("solver: %s, lambda graph %s, smooth %s, anchor %s, alpha %s", p$solver,
                format(p$lambda_graph), format(p$lambda_smooth), format(p$lambda_anchor), format(p$alpha)),
        convergence_line(path),
        if (nrow(path@objective) == 0L) {
            "use: predict(path, newdata), transfer_labels(path, newdata), embedding(path, t), loading(path, t)"
        } else {
            "use: embedding(path, t), loading(path, t), objective(path), path[i], plot(path)"
        }
    )
    lines
}

subset_note <- function(path) {
    if (fitted_cells(path) == dim(path)[2]) return("")
    sprintf(" (a subset of the %d fitted)", fitted_cells(path))
}

# At most max_length of the numbers 1 ... n, including the first and the last.
evenly_spaced <- function(n, max_length) unique(as.integer(round(seq(1, n, length.out = min(n, max_length)))))

convergence_line <- function(path) {
    sweeps <- path@objective
    if (nrow(sweeps) == 0L) return("a reference: without the objective of its fit")
    last <- sweeps$objective[nrow(sweeps)]
    sprintf("objective%s: %s after %d sweep%s; %s",
            if (nzchar(subset_note(path))) " of the whole fit" else "",
            format(last, digits = 8), nrow(sweeps), if (nrow(sweeps) == 1L) "" else "s", convergence_note(path))
}

convergence_note <- function(path) {
    sampled <- path@parameters$sampled
    if (!is.null(sampled) && nrow(path@objective) <= sweeps_after_sample) {
        return(sprintf("started from a fit of %d cells, by design not run until it converges", sampled))
    }
    done <- converged(path)
    sprintf("%d of %d scales converged", sum(done, na.rm = TRUE), length(done))
}

assert_scale_indices <- function(i, n) {
    i <- assert_indices(positions(i, "i", n), "i", n)
    if (is.unsorted(i, strictly = TRUE)) {
        stop_pnmf("'i' must name each scale once, in ascending order: a path runs from fine to coarse")
    }
    i
}

# Positions among 1 ... n, of one logical value for each of them or of negative positions as well.
positions <- function(i, name, n) {
    if (is.logical(i) && length(i) == n && !anyNA(i)) return(which(i))
    if (is.numeric(i) && length(i) > 0L && all(is.finite(i)) && all(i < 0)) {
        return(setdiff(seq_len(n), assert_indices(-i, paste0("-", name), n)))
    }
    assert_indices(i, name, n)
}

chosen_scales <- function(path, at) {
    if (is.null(at)) return(seq_len(n_scales(path)))
    at <- assert_indices(at, "at", n_scales(path))
    if (is.unsorted(at, strictly = TRUE)) stop_pnmf("'at' must name each scale once, in ascending order")
    at
}

# Several scales: `at`, or `scales`, their name until version 0.99.1. Stops at any other further argument.
several_scales <- function(at, ..., scales = NULL) {
    if (...length() > 0L) {
        known <- names(formals(sys.function(sys.parent())))
        stop_unknown_argument(first_name(...), known[!startsWith(known, ".")])
    }
    if (is.null(scales)) return(at)
    if (!is.null(at)) stop_pnmf("'scales' must be NULL when 'at' is given: it is the former name of that argument")
    warn_pnmf("'scales' is now called 'at': the former name will stop working in the next version")
    scales
}
