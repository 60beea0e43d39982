#' Deprecated functions
#'
#' These functions work as before for one more version, with a warning that
#' names what to use instead.
#'
#' @param path,scales,scores,results,object,clusters,x,t,k,n,factors,alpha As before.
#' @param active,suggested,log,threads,swap_rownames,reduction As before.
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
    deprecate("plot_spectrum", "plot(laplacian_spectrum(scales))")
    plot.eigenvalue_paths(suppressWarnings(eigenvalue_paths(scales, k, t, alpha)))
}

#' @rdname pNMF-deprecated
#' @export
plot_parameter_radar <- function(results) {
    deprecate("plot_parameter_radar", "plot(results)")
    plot.parameter_analysis(assert_parameter_results(results))
}

#' @rdname pNMF-deprecated
#' @export
eigenvalue_paths <- function(scales, k = 10, t = NULL, alpha = NULL) {
    deprecate("eigenvalue_paths", "laplacian_spectrum(scales, k = k)")
    scales <- as_scales(scales)
    t <- if (is.null(t)) seq_along(scales$threshold) else assert_indices(t, "t", length(scales$threshold))
    spectra_along(scales, t, if (is.null(k)) scales$n_cells else k, alpha)
}

#' @rdname pNMF-deprecated
#' @export
laplacian_lipschitz <- function(scales, alpha = NULL, threads = default_threads()) {
    deprecate("laplacian_lipschitz", "increment_bounds(scales)")
    laplacian_bounds(scales, alpha, threads)
}

#' @rdname pNMF-deprecated
#' @export
best_scale <- function(scores) {
    deprecate("best_scale", "summary(scores)")
    wanted <- c("t", "ari", "nmi", "purity", "accuracy", "average")
    if (!is.data.frame(scores) || !all(wanted %in% names(scores)) || nrow(scores) == 0L) {
        stop_pnmf("'scores' must be a data frame as score_path() returns, not ", describe(scores))
    }
    summary.path_scores(scores)
}

#' @rdname pNMF-deprecated
#' @export
cluster_stability <- function(clusters, reduction = NULL) {
    deprecate("cluster_stability", "summary(cluster_tree(clusters))")
    summary.cluster_tree(cluster_tree(clusters, reduction))
}

#' @rdname pNMF-deprecated
#' @export
top_features <- function(path, t = NULL, n = 10, factors = NULL, swap_rownames = NULL, reduction = NULL) {
    deprecate("top_features", "factor_markers(path, by = \"loading\")")
    factor_markers(path, t, n, factors, by = "loading", swap_rownames = swap_rownames, reduction = reduction)
}

#' @rdname pNMF-deprecated
#' @export
reconstruction_error <- function(path, x = NULL, reduction = NULL) {
    deprecate("reconstruction_error", "deviance(path, x)")
    object <- path
    path <- as_path(object, reduction)
    x <- path_data(object, path, x, reduction, "reconstruction_error()")
    error <- squared_errors(path, x)
    data.frame(t = seq_along(error), error = error, relative = error / sum(x^2))
}
