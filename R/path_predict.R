#' Project new cells onto a path, and compute fitted values and residuals
#'
#' `predict()` places new cells on a path: it gives them the embedding that the
#' model would give them, with everything else held fixed. `fitted()` returns
#' `W_t H_t` and `residuals()` returns `x - W_t H_t`. `deviance()` returns
#' `|x - W_t H_t|^2` for every scale without forming the product.
#'
#' @section New cells:
#' A cell of the path gets its own embedding back. For any other cell the
#' objective of [pnmf()] is minimised over its embeddings at all scales: its
#' features, its neighbours among the cells of the path (where the distances of
#' the path were measured, with the same weights), and the steps between scales
#' count as in the fit. A cell far from all others has no neighbours. The solvers
#' `"mu"` and `"authors"` rescale their factors at the end; their new cells are
#' projected onto the basis of the scale by nonnegative least squares. If the path
#' was fitted with a `space`, new cells are placed there by a linear function of
#' the principal components. `path[i]` no longer knows the other scales, so it
#' places new cells slightly differently.
#'
#' The score of a cell is the share of the path's cells that are at least as
#' unlike their neighbours as this cell. The cell and the mean of its 7 nearest
#' cells of the path are scaled to unit length; the squared difference of each
#' feature is divided by its usual size. Scores of cells like those of the path
#' are evenly spread between 0 and 1; below 0.03 a cell is probably of another
#' kind (or a doublet, or damaged). After a fit of data read from disk in blocks,
#' scores are `NA`.
#'
#' @param object A [pNMFPath-class], or a Seurat object or
#'   SingleCellExperiment that contains one.
#' @param newdata,x Nonnegative data with the path's features, features x cells;
#'   `x` must also have the path's cells. Both are matched by name if the data
#'   and the path have names, otherwise by order. `newdata` may also be a Seurat
#'   object (its `data` layer is used) or a SingleCellExperiment (its
#'   `logcounts`). It may lack some of the features: a message says how many,
#'   and the projection uses the others. If more than half are missing, there is
#'   an error. `x` is not needed for an object that holds the data.
#' @param t The scale; `NULL` means the [active_scale()].
#' @param reduction Name of the path, if the object holds several.
#' @param threads Number of threads.
#' @param score Also say how well each cell fits the cells of the path?
#' @param ... Not used.
#' @return `predict()`: cells x rank; with `score = TRUE` it has the attribute
#'   `"score"`, one number from 0 to 1 per cell. `fitted()` and `residuals()`:
#'   features x cells. `deviance()`: one number per scale.
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 2, scales = 3, control = pnmf_control(max_outer = 5, tol = 0))
#' head(predict(path, x[, 1:5], t = 1))
#' dim(fitted(path, t = 2))
#' deviance(path, x) / sum(x^2)
#' @name path-prediction
#' @aliases predict,pNMFPath-method
NULL

#' @rdname path-prediction
#' @export
setMethod("predict", "pNMFPath", function(object, newdata, t = NULL, threads = default_threads(),
                                          score = FALSE, ...) {
    if (missing(newdata)) stop_pnmf("'newdata' must be a features x cells matrix of new cells, but is missing")
    if (...length() > 0L) stop_unknown_argument(first_name(...), c("newdata", "t", "threads", "score"))
    if (is_host(newdata)) newdata <- host_features(newdata, object@feature_names)
    newdata <- as_data_matrix(newdata, "newdata")
    warn_if_new_counts(newdata, object, "'newdata'")
    t <- chosen_scale(t, object)
    threads <- assert_count(threads, "threads")
    score <- assert_flag(score, "score")
    known <- known_features(newdata, object)
    placed <- placed_cells(object, newdata[known$rows, , drop = FALSE], known, t, threads, score)
    H <- t(placed$H)
    dimnames(H) <- list(cell_names_of(newdata), factor_names(n_factors(object)))
    if (score) attr(H, "score") <- stats::setNames(placed$score, rownames(H))
    H
})

#' @rdname path-prediction
#' @export
setMethod("fitted", "pNMFPath", function(object, t = NULL, ...) {
    assert_no_dots(...)
    tcrossprod(loading(object, t), embedding(object, t))
})

#' @rdname path-prediction
#' @export
setMethod("residuals", "pNMFPath", function(object, x, t = NULL, ...) {
    assert_no_dots(...)
    if (missing(x)) stop_pnmf("'x' must be the data the path was fitted to, but is missing")
    x <- assert_path_data(x, object)
    as.matrix(x) - fitted(object, t)
})

# Methods for objects; `...` are the arguments of the methods for paths.
# nolint start: object_name_linter.

#' @rdname path-prediction
#' @method predict Seurat
#' @export
predict.Seurat <- function(object, ..., reduction = NULL) {
    path <- as_path(object, reduction)
    predict(path, ...)
}

#' @rdname path-prediction
#' @method predict SingleCellExperiment
#' @export
predict.SingleCellExperiment <- predict.Seurat

#' @rdname path-prediction
#' @method fitted Seurat
#' @export
fitted.Seurat <- function(object, ..., reduction = NULL) {
    path <- as_path(object, reduction)
    fitted(path, ...)
}

#' @rdname path-prediction
#' @method fitted SingleCellExperiment
#' @export
fitted.SingleCellExperiment <- fitted.Seurat

#' @rdname path-prediction
#' @method residuals Seurat
#' @export
residuals.Seurat <- function(object, x = NULL, ..., reduction = NULL) {
    path <- as_path(object, reduction)
    x <- path_data(object, path, x, reduction, "residuals()")
    residuals(path, x, ...)
}

#' @rdname path-prediction
#' @method residuals SingleCellExperiment
#' @export
residuals.SingleCellExperiment <- residuals.Seurat

#' @rdname path-prediction
#' @export
deviance.pNMFPath <- function(object, x = NULL, ..., reduction = NULL) {
    assert_no_dots(...)
    path <- as_path(object, reduction)
    squared_errors(path, path_data(object, path, x, reduction, "deviance()"))
}

#' @rdname path-prediction
#' @method deviance Seurat
#' @export
deviance.Seurat <- deviance.pNMFPath

#' @rdname path-prediction
#' @method deviance SingleCellExperiment
#' @export
deviance.SingleCellExperiment <- deviance.pNMFPath

# nolint end

# |x - W_t H_t|^2 for every scale, without forming W_t H_t.
squared_errors <- function(path, x) {
    total <- sum(x^2)
    error <- vapply(seq_len(n_scales(path)), function(t) {
        W <- unname(loading(path, t))
        H <- scale_embedding(path, t)
        total - 2 * sum(as.matrix(Matrix::crossprod(x, W)) * t(H)) + sum(crossprod(W) * tcrossprod(H))
    }, numeric(1))
    pmax(error, 0)
}

# The rows of new data that are features of the path. Cells are projected by the features that they have; with less than
# half of them, that is a guess.
known_features <- function(newdata, path) {
    wanted <- path@feature_names
    given <- if (!is.null(rownames(newdata))) make.unique(rownames(newdata)) # as the path's own names
    if (is.null(given) || is_automatic(wanted, "feature") || all(wanted %in% given)) {
        rows <- matched_places(given, wanted, nrow(newdata), "newdata", "features", "feature")
        return(list(rows = if (is.null(rows)) seq_along(wanted) else rows, features = seq_along(wanted)))
    }
    rows <- match(wanted, given)
    lost <- sum(is.na(rows))
    if (lost > length(wanted) / 2) {
        stop_pnmf("'newdata' lacks ", lost, " of the path's ", length(wanted), " features, the first is '",
                  wanted[is.na(rows)][1], "': it must have at least half of them. Its first row is '", given[1],
                  "': it may have other identifiers of genes, or cells as rows")
    }
    inform_pnmf("'newdata' lacks ", lost, " of the path's ", length(wanted), " features (",
                format(100 * lost / length(wanted), digits = 2), "%): the projection uses the others")
    list(rows = rows[!is.na(rows)], features = which(!is.na(rows)))
}

match_features <- function(x, path, name) {
    places <- matched_places(rownames(x), path@feature_names, nrow(x), name, "features", "feature")
    if (is.null(places)) x else x[places, , drop = FALSE]
}

# Positions of the features or cells of the path in new data: by name if both have names, otherwise (NULL) in order.
# `automatic` is the prefix of the names that a path gives to data without names.
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
