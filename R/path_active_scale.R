#' The active scale of a path
#'
#' Returns or sets the scale that functions use by default. It is the finest scale until
#' you select another. It is stored with the object and with the
#' path. `path[i]` keeps the active scale if it is among the chosen scales;
#' otherwise the finest of them becomes active.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one.
#' @param object As `path`.
#' @param reduction,name Name of the path, if the object holds several: of the
#'   reduction in a Seurat object, or of the reduced dimension in a
#'   SingleCellExperiment.
#' @param value The scale: a whole number, 1 is the finest.
#' @param ... Further arguments, passed to methods.
#' @return A whole number; 1 is the finest scale. The replacement returns the
#'   modified object.
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 5,
#'              control = pnmf_control(max_outer = 5, tol = 0))
#' active_scale(path)
#' active_scale(path) <- 3
#' active_scale(path)
#' identical(embedding(path), embedding(path, t = 3))
#' @export
active_scale <- function(path, reduction = NULL) {
    t <- as_path(path, reduction)@parameters$active_scale
    if (is.null(t)) 1L else t
}

with_active_scale <- function(path, t) {
    path@parameters["active_scale"] <- if (t == 1L) NULL else list(as.integer(t))
    path
}

#' @rdname active_scale
#' @export
`active_scale<-` <- function(object, ..., value) UseMethod("active_scale<-")

#' @rdname active_scale
#' @export
`active_scale<-.pNMFPath` <- function(object, ..., value) {
    assert_no_dots(...)
    with_active_scale(object, assert_count(value, "value", max = n_scales(object)))
}

# The scale of functions that are given none: the active scale if one was chosen, otherwise the recommended one.
default_scale <- function(path) {
    active <- path@parameters$active_scale
    if (is.null(active)) recommended_scale(path@scales) else active
}
