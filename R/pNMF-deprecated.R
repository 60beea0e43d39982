#' Deprecated functions
#'
#' These functions work as before for one more version, with a warning that
#' names what to use instead.
#'
#' @param path,scales,scores,results,object,t,k,alpha,active,suggested,log,reduction
#'   As before.
#' @param ... Further arguments, as before.
#' @return As before.
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 4,
#'              control = pnmf_control(max_outer = 3, tol = 0))
#' path <- suppressWarnings(SetPNMFScale(path, 2))
#' @name pNMF-deprecated
#' @keywords internal
NULL

deprecate <- function(old, new) {
    .Deprecated(new, "pNMF", paste0(old, "() is deprecated and will be removed in the next version: use ", new))
}

#' @rdname pNMF-deprecated
#' @export
SetPNMFScale <- function(object, t, ...) {
    deprecate("SetPNMFScale", "active_scale(object) <- t")
    active_scale(object, ...) <- t
    object
}

#' @rdname pNMF-deprecated
#' @export
update_path <- function(path) {
    deprecate("update_path", "BiocGenerics::updateObject(path)")
    updated_path(path)
}

#' @rdname pNMF-deprecated
#' @export
plot_overview <- function(path, active = active_scale(path), suggested = NULL, reduction = NULL) {
    deprecate("plot_overview", "plot(path)")
    path <- as_path(path, reduction)
    draw_overview(path, active, suggested)
}

#' @rdname pNMF-deprecated
#' @export
plot_objective <- function(path, reduction = NULL) {
    deprecate("plot_objective", "plot(path, \"objective\")")
    draw_objective(as_path(path, reduction))
}

#' @rdname pNMF-deprecated
#' @export
plot_barcode <- function(scales, reduction = NULL) {
    deprecate("plot_barcode", "plot(scales)")
    if (!inherits(scales, "persistence_scales")) scales <- as_path(scales, reduction, "scales")@scales
    plot.persistence_scales(scales)
}

#' @rdname pNMF-deprecated
#' @export
plot_scores <- function(scores, ...) {
    deprecate("plot_scores", "plot(scores)")
    if (!is.data.frame(scores) || !("t" %in% names(scores))) {
        stop_pnmf("'scores' must be a data frame with a column t, as score_path() returns, not ", describe(scores))
    }
    plot.path_scores(scores, ...)
}

#' @rdname pNMF-deprecated
#' @export
plot_increments <- function(path, log = FALSE, reduction = NULL) {
    deprecate("plot_increments", "plot(increments(path))")
    plot.increments(as_increments(path, reduction = reduction), log)
}

#' @rdname pNMF-deprecated
#' @export
plot_spectrum <- function(scales, k = 10, t = NULL, alpha = NULL) {
    deprecate("plot_spectrum", "plot(eigenvalue_paths(scales))")
    plot.eigenvalue_paths(eigenvalue_paths(scales, k, t, alpha))
}

#' @rdname pNMF-deprecated
#' @export
plot_parameter_radar <- function(results) {
    deprecate("plot_parameter_radar", "plot(results)")
    plot.parameter_analysis(assert_parameter_results(results))
}
