#' @rdname container-path
#' @method PNMFPath SingleCellExperiment
#' @export
PNMFPath.SingleCellExperiment <- function(object, name = NULL, ..., reduction = name) {
    assert_no_dots(...)
    name <- path_name(object, reduction, name_argument(name))
    embedding <- SingleCellExperiment::reducedDim(object, name)
    stored <- S4Vectors::metadata(object)
    # cbind() concatenates the metadata of its arguments, so there may be several paths of the same name.
    paths <- Filter(function(path) is(path, "pNMFPath"), stored[names(stored) %in% name])
    if (length(paths) == 0L) {
        stop_pnmf("'object' holds no path named \"", name, "\" in its metadata: run runPNMF() first, or restore it ",
                  "with PNMFPath(object) <- path")
    }
    t <- attr(embedding, "scale")
    if (is.null(t)) t <- active_scale(paths[[1]])
    fits <- lapply(paths, function(path) tryCatch(aligned_path(path, embedding, t), pnmf_error = identity))
    found <- Filter(function(fit) is(fit, "pNMFPath"), fits)
    if (length(found) == 0L) stop(fits[[1]])
    at_held_scale(found[[1]], t)
}

# The argument under which the caller was told of a path: `name` is another word for `reduction`.
name_argument <- function(name) if (is.null(name)) "reduction" else "name"

#' @rdname container-path
#' @method PNMFPath<- SingleCellExperiment
#' @export
`PNMFPath<-.SingleCellExperiment` <- function(object, name = "PNMF", ..., reduction = name, value) {
    assert_no_dots(...)
    assert_class(value, "pNMFPath", "value", "pnmf()")
    if (!is.null(colnames(object))) {
        value <- subset_cells(value, assert_cells_known(colnames(object), value))
    } else if (ncol(object) != dim(value)[2]) {
        stop_pnmf("'value' must have the object's ", ncol(object), " cells, not ", dim(value)[2])
    }
    name <- assert_string(reduction, if (missing(reduction)) "name" else "reduction")
    with_sce_path(without_earlier_path(object, name), value, name)
}

# The object with the active scale of the path as reduced dimension, and the path, once, in the metadata.
with_sce_path <- function(object, path, name) {
    object <- with_sce_embedding(object, path, active_scale(path), name)
    stored <- S4Vectors::metadata(object)
    stored <- stored[!(names(stored) %in% name)]
    stored[[name]] <- path
    S4Vectors::metadata(object) <- stored
    object
}

with_sce_embedding <- function(object, path, t, name) {
    embedding <- embedding(path, t)
    colnames(embedding) <- paste0(name, seq_len(ncol(embedding)))
    rownames(embedding) <- colnames(object)
    SingleCellExperiment::reducedDim(object, name) <- SingleCellExperiment::reduced.dim.matrix(
        embedding, basis = loading(path, t), weights = factor_weights(path, t), scale = t,
        threshold = thresholds(path)[t]
    )
    object
}

#' @rdname active_scale
#' @export
`active_scale<-.SingleCellExperiment` <- function(object, name = NULL, ..., reduction = name, value) {
    name <- path_name(object, reduction, name_argument(name))
    path <- PNMFPath(object, name = name, ...)
    active_scale(path) <- value
    with_sce_path(object, path, name)
}

#' @rdname container-path
#' @method PNMFReductions SingleCellExperiment
#' @export
PNMFReductions.SingleCellExperiment <- function(object, at = NULL, name = NULL, ..., reduction = name) {
    renamed <- with_new_names(match.call(), c(scales = "at"))
    if (!is.null(renamed)) return(do.call(PNMFReductions, as.list(renamed)[-1L], envir = parent.frame()))
    name <- path_name(object, reduction, name_argument(name))
    path <- PNMFPath(object, name = name, ...)
    for (t in chosen_scales(path, at)) {
        object <- with_sce_embedding(object, path, t, paste0(name, ".", t))
    }
    object
}

#' @rdname FindPNMFClusters
#' @method FindPNMFClusters SingleCellExperiment
#' @export
FindPNMFClusters.SingleCellExperiment <- function(object, ..., at = NULL, k = NULL, name = NULL, method = NULL,
                                                  reduction = name) {
    assert_named_dots(...)
    renamed <- with_new_names(match.call(), c(scales = "at"))
    if (!is.null(renamed)) return(do.call(FindPNMFClusters, as.list(renamed)[-1L], envir = parent.frame()))
    assert_cluster_dots(...)
    name <- path_name(object, reduction, name_argument(name))
    path <- PNMFPath(object, name = name)
    chosen <- chosen_scales(path, at)
    if (is.null(method)) method <- if (!is.null(k)) "kmeans" else if (...length() > 0L) "graph" else "persistent"
    method <- assert_choice(method, c("persistent", "kmeans", "graph"), "method")
    if (method == "persistent") {
        assert_no_dots(...)
        if (!is.null(k)) stop_pnmf("'k' must be NULL with method = \"persistent\", which finds it, not ", describe(k))
        columns <- persistent_columns(path, chosen, name)
    } else {
        columns <- path_clusters(path, k, method = method, at = chosen, ...)
        names(columns) <- cluster_columns(name, chosen)
        columns <- factor_columns(columns, path)
    }
    with_cluster_columns(object, name, columns)
}

# Further arguments are those of path_clusters().
assert_cluster_dots <- function(...) {
    known <- setdiff(c("at", "name", names(formals(path_clusters))), c("path", "..."))
    unknown <- setdiff(...names(), known)
    if (length(unknown) > 0L) stop_unknown_argument(unknown[1], known)
}
