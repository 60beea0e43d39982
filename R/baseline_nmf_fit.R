# The class "nmf_fit" of the baselines: a list with the same accessors as a path.

setOldClass("nmf_fit")

new_nmf_fit <- function(fit, graph, method, parameters, names) {
    structure(
        list(W = fit$W, H = fit$H, loss = fit$loss, steps = fit$steps, converged = fit$converged, graph = graph,
             method = method, parameters = parameters, names = lapply(names, make.unique)),
        class = "nmf_fit"
    )
}

#' @rdname path-accessors
#' @export
setMethod("embedding", "nmf_fit", function(path, t = 1, ...) {
    assert_no_dots(...)
    assert_only_scale(t)
    H <- t(path$H)
    dimnames(H) <- list(path$names$cells, factor_names(ncol(H)))
    H
})

#' @rdname path-accessors
#' @export
setMethod("loading", "nmf_fit", function(path, t = 1, ...) {
    assert_no_dots(...)
    assert_only_scale(t)
    W <- path$W
    dimnames(W) <- list(path$names$features, factor_names(ncol(W)))
    W
})

#' @rdname path-accessors
#' @export
setMethod("n_factors", "nmf_fit", function(path) nrow(path$H))

#' @rdname path-accessors
#' @export
setMethod("converged", "nmf_fit", function(path) path$converged)

#' @rdname baselines
#' @param object A fit, as returned by these functions.
#' @param newdata Nonnegative data with the features of the fit, features x
#'   cells; matched by name if both have names.
#' @param ... Not used.
#' @method predict nmf_fit
#' @export
predict.nmf_fit <- function(object, newdata, threads = default_threads(), ...) {
    if (missing(newdata)) stop_pnmf("'newdata' must be a features x cells matrix of new cells, but is missing")
    newdata <- as_data_matrix(newdata, "newdata")
    places <- matched_places(rownames(newdata), object$names$features, nrow(newdata), "newdata", "features", "feature")
    if (!is.null(places)) newdata <- newdata[places, , drop = FALSE]
    H <- t(project_cells_cpp(newdata, object$W, 20000L, 1e-10, assert_count(threads, "threads")))
    dimnames(H) <- list(cell_names_of(newdata), factor_names(ncol(H)))
    H
}

#' @export
print.nmf_fit <- function(x, ...) {
    p <- x$parameters
    graph <- if (!is.null(x$graph)) {
        sprintf("graph: %d edges, lambda %s%s%s", sum(Matrix::summary(x$graph)$x > 0), format(p$lambda),
                if (is.null(p$n_neighbors)) "" else sprintf(", %d neighbours", p$n_neighbors),
                if (is.null(p$weights)) "" else paste(", weights", abbreviated(p$weights)))
    }
    writeLines(c(
        sprintf("%s fit: %d features x %d cells, rank %d", x$method, nrow(x$W), ncol(x$H), nrow(x$H)),
        graph,
        sprintf("loss: %s after %d steps of \"%s\"; %s", format(x$loss, digits = 8), x$steps, p$solver,
                if (x$converged) "converged" else "not converged"),
        "use: embedding(fit), loading(fit), predict(fit, newdata)"
    ))
    invisible(x)
}

assert_only_scale <- function(t) {
    if (!is.numeric(t) || length(t) != 1L || is.na(t) || t != 1) {
        stop_pnmf("'t' must be 1, not ", describe(t), ": a fit at a single scale has no other")
    }
}
