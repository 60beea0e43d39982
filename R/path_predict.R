#' Project new cells, and what a path leaves unexplained
#'
#' `predict()` finds the nonnegative coordinates of new cells in the factors of
#' one scale by least squares. `fitted()` is `W_t H_t`; `residuals()` is
#' `x - W_t H_t`; `reconstruction_error()` gives `|x - W_t H_t|^2` for every
#' scale without forming the product.
#'
#' @param object,path A [pNMFPath-class].
#' @param newdata,x Nonnegative data with the path's features, features x
#'   cells; `x` also with the path's cells. Both are matched by name where the
#'   data and the path have names, otherwise taken in the path's order.
#' @param t The scale.
#' @param threads Threads.
#' @param ... Not used.
#' @return `predict()`: cells x rank. `fitted()` and `residuals()`: features x
#'   cells. `reconstruction_error()`: data frame `t`, `error`, `relative` (as a
#'   share of `|x|^2`).
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 2, scales = 3, control = pnmf_control(max_outer = 5, tol = 0))
#' head(predict(path, x[, 1:5], t = 1))
#' dim(fitted(path, t = 2))
#' reconstruction_error(path, x)
#' @name path-prediction
#' @aliases predict,pNMFPath-method
NULL

#' @rdname path-prediction
#' @export
setMethod("predict", "pNMFPath", function(object, newdata, t = 1, threads = default_threads(), ...) {
    if (missing(newdata)) stop_pnmf("'newdata' must be a features x cells matrix of new cells, but is missing")
    newdata <- match_features(as_data_matrix(newdata, "newdata"), object, "newdata")
    W <- unname(loading(object, t))
    H <- project_cells_cpp(newdata, W, 1000L, 1e-10, assert_count(threads, "threads"))
    H <- t(H)
    dimnames(H) <- list(cell_names_of(newdata), factor_names(n_factors(object)))
    H
})

#' @rdname path-prediction
#' @export
setMethod("fitted", "pNMFPath", function(object, t = 1, ...) {
    tcrossprod(loading(object, t), embedding(object, t))
})

#' @rdname path-prediction
#' @export
setMethod("residuals", "pNMFPath", function(object, x, t = 1, ...) {
    if (missing(x)) stop_pnmf("'x' must be the data the path was fitted to, but is missing")
    x <- assert_path_data(x, object)
    as.matrix(x) - fitted(object, t)
})

#' @rdname path-prediction
#' @export
reconstruction_error <- function(path, x) {
    assert_class(path, "pNMFPath", "path", "pnmf()")
    x <- assert_path_data(x, path)
    total <- sum(x^2)
    error <- vapply(seq_len(n_scales(path)), function(t) {
        W <- unname(loading(path, t))
        H <- path@H[[t]]
        total - 2 * sum(as.matrix(Matrix::crossprod(x, W)) * t(H)) + sum(crossprod(W) * tcrossprod(H))
    }, numeric(1))
    data.frame(t = seq_along(error), error = pmax(error, 0), relative = pmax(error, 0) / total)
}

match_features <- function(x, path, name) {
    places <- matched_places(rownames(x), path@feature_names, nrow(x), name, "features", "feature")
    if (is.null(places)) x else x[places, , drop = FALSE]
}

# Where the path's features or cells are in new data: by name when both sides have names, otherwise (NULL) in place.
# `automatic` starts the names that a path gives to data without any.
matched_places <- function(given, wanted, size, name, what, automatic) {
    if (!is.null(given)) {
        given <- make.unique(given) # as the path's own names
        if (identical(given, wanted)) return(NULL)
        places <- match(wanted, given)
        if (!anyNA(places)) return(places)
        if (!is_automatic(wanted, automatic)) {
            stop_pnmf("'", name, "' lacks ", sum(is.na(places)), " of the path's ", length(wanted), " ", what,
                      ", the first is '", wanted[is.na(places)][1], "'")
        }
    }
    if (size != length(wanted)) {
        stop_pnmf("'", name, "' must have the path's ", length(wanted), " ", what, ", not ", size)
    }
    NULL
}

is_automatic <- function(names, prefix) identical(names, paste0(prefix, seq_along(names)))

# W for a path that kept only its embeddings.
recomputed_basis <- function(path, t) {
    if (is.null(path@data)) stop_pnmf("'path' kept neither bases nor data: fit with keep = \"all\"")
    basis_for_cpp(path@data, path@H[[t]], 200L, 1e-12, path@parameters$control$threads)
}
