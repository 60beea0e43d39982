#' The active scale of a path
#'
#' Functions that need one scale use the active one unless they are told
#' another. It is the finest scale until [SetPNMFScale()] chooses another, and
#' travels with the object and with the path. `path[i]` keeps it where it is
#' among the chosen scales, else the finest of them becomes the active one.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   with one inside.
#' @param reduction The path's name, where an object holds several.
#' @return A whole number; 1 is the finest scale.
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 5,
#'              control = pnmf_control(max_outer = 5, tol = 0))
#' active_scale(path)
#' path <- SetPNMFScale(path, 3)
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

#' @rdname container-path
#' @method SetPNMFScale pNMFPath
#' @export
SetPNMFScale.pNMFPath <- function(object, t, ...) {
    assert_no_dots(...)
    with_active_scale(object, assert_count(t, "t", max = n_scales(object)))
}
