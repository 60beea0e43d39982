#' The active scale of a path
#'
#' Returns or sets the scale that functions use if you give them none.
#' Until you set one, it is the default scale: the one whose
#' [effective_cells()] are nearest to 12, coarse enough for types of cells and fine
#' enough for their states. Where scales are not spread by effective cells, as in
#' the setting of the paper, it is the finest.
#'
#' The active scale is stored with the object and with the path. `path[i]` keeps
#' a scale that you set if it is among the chosen scales; otherwise the
#' default one of them becomes active.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one.
#' @param object As `path`.
#' @param reduction Name of the path, if the object holds several: of the
#'   reduction in a Seurat object, or of the reduced dimension in a
#'   SingleCellExperiment.
#' @param name SingleCellExperiment: another word for `reduction`.
#' @param value The scale: a whole number, 1 is the finest. `NULL` means the
#'   default one. The recommended clusters of [persistent_clusters()] may be those
#'   of another scale, see [suggest_scale()].
#' @param ... Further arguments, passed to methods.
#' @return A whole number; 1 is the finest scale. The replacement returns the
#'   modified object.
#' @examples
#' cells <- simulate_cells(n_cells = 120)
#' path <- pnmf(normalize_counts(cells$counts), rank = 4,
#'              control = pnmf_control(max_outer = 5, tol = 0))
#' active_scale(path)
#' effective_cells(path)[active_scale(path)]
#' active_scale(path) <- 3
#' identical(embedding(path), embedding(path, t = 3))
#' active_scale(path) <- NULL
#' @export
active_scale <- function(path, reduction = NULL) {
    path <- as_path(path, reduction)
    chosen <- path@parameters$active_scale
    if (is.null(chosen)) scale_for_programs(path@scales) else chosen
}

with_active_scale <- function(path, t) {
    path@parameters["active_scale"] <- if (is.null(t)) NULL else list(as.integer(t))
    path
}

#' @rdname active_scale
#' @export
`active_scale<-` <- function(object, ..., value) UseMethod("active_scale<-")

#' @rdname active_scale
#' @export
`active_scale<-.pNMFPath` <- function(object, ..., value) {
    assert_no_dots(...)
    with_active_scale(object, if (!is.null(value)) assert_count(value, "value", max = n_scales(object)))
}

# The scale of a function that shows one.
chosen_scale <- function(t, path) {
    if (is.null(t)) active_scale(path) else assert_count(t, "t", max = n_scales(path))
}
