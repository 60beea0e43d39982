#' @rdname container-path
#' @method PNMFPath Seurat
#' @export
PNMFPath.Seurat <- function(object, reduction = NULL, ...) {
    assert_no_dots(...)
    # Checked first, because an error inside an S4 method such as [[ would lose its class.
    reduction <- assert_reduction(object, path_name(object, reduction))
    PNMFPath(object[[reduction]])
}

#' @rdname container-path
#' @method PNMFPath DimReduc
#' @export
PNMFPath.DimReduc <- function(object, ...) {
    assert_no_dots(...)
    stored <- object@misc
    if (!is(stored$path, "pNMFPath")) {
        stop_pnmf("the reduction with key '", object@key, "' has no path: it was not made by RunPNMF(), or it went ",
                  "through merge(), which only keeps embeddings; restore the path with PNMFPath(object) <- path")
    }
    at_held_scale(aligned_path(stored$path, object@cell.embeddings, stored$scale), stored$scale)
}

#' @rdname container-path
#' @method PNMFPath<- Seurat
#' @export
`PNMFPath<-.Seurat` <- function(object, reduction = "pnmf", ..., value) {
    assert_no_dots(...)
    assert_class(value, "pNMFPath", "value", "pnmf()")
    path <- subset_cells(value, assert_cells_known(colnames(object), value))
    old <- object@reductions[[assert_string(reduction, "reduction")]]
    assay <- if (is.null(old)) SeuratObject::DefaultAssay(object) else SeuratObject::DefaultAssay(old)
    key <- if (is.null(old)) key_of(reduction) else SeuratObject::Key(old)
    object <- without_earlier_path(object, reduction)
    with_reduction(object, reduction, seurat_reduction(path, assay, unname(key)))
}

#' @rdname active_scale
#' @export
`active_scale<-.Seurat` <- function(object, reduction = NULL, ..., value) {
    reduction <- path_name(object, reduction)
    path <- PNMFPath(object, reduction = reduction, ...)
    active_scale(path) <- value
    old <- object[[reduction]]
    object[[reduction]] <- seurat_reduction(path, SeuratObject::DefaultAssay(old), SeuratObject::Key(old))
    object
}

#' @rdname container-path
#' @method PNMFReductions Seurat
#' @export
PNMFReductions.Seurat <- function(object, at = NULL, reduction = NULL, ...) {
    renamed <- with_new_names(match.call(), c(scales = "at"))
    if (!is.null(renamed)) return(do.call(PNMFReductions, as.list(renamed)[-1L], envir = parent.frame()))
    reduction <- path_name(object, reduction)
    path <- PNMFPath(object, reduction = reduction, ...)
    at <- chosen_scales(path, at)
    stem <- sub("_$", "", SeuratObject::Key(object[[reduction]]))
    assay <- SeuratObject::DefaultAssay(object[[reduction]])
    for (t in at) {
        key <- paste0(stem, "t", t, "_")
        # Only one reduction holds the path, so that a saved object does not have several copies.
        object[[paste0(reduction, ".", t)]] <- seurat_reduction(path, assay, key, t, misc = list(scale = t))
    }
    SeuratObject::LogSeuratCommand(object)
}

#' @rdname FindPNMFClusters
#' @method FindPNMFClusters Seurat
#' @export
FindPNMFClusters.Seurat <- function(object, ..., at = NULL, resolution = NULL, reduction = NULL, k.param = 20,
                                    verbose = TRUE) {
    assert_named_dots(...)
    renamed <- with_new_names(match.call(), c(scales = "at"))
    if (!is.null(renamed)) return(do.call(FindPNMFClusters, as.list(renamed)[-1L], envir = parent.frame()))
    k.param <- assert_count(k.param, "k.param", min = 2)
    verbose <- assert_flag(verbose, "verbose")
    if (!is.null(resolution)) resolution <- assert_number(resolution, "resolution", min = 0)
    reduction <- path_name(object, reduction)
    path <- PNMFPath(object, reduction = reduction)
    chosen <- chosen_scales(path, at)
    if (is.null(resolution)) {
        assert_no_k("object", ...)
        assert_no_dots(...)
        columns <- persistent_columns(path, chosen, reduction)
    } else {
        clusters <- lapply(chosen, function(t) {
            seurat_clusters(embedding(path, t), resolution, k.param, verbose, ...)
        })
        names(clusters) <- cluster_columns(reduction, chosen)
        columns <- factor_columns(clusters, path)
    }
    object <- with_cluster_columns(object, reduction, columns)
    SeuratObject::LogSeuratCommand(object)
}

# Seurat's clusters of one embedding, cells x factors: a factor.
seurat_clusters <- function(embedding, resolution, k.param, verbose, ...) {
    assert_installed("Seurat", "FindPNMFClusters(resolution = )")
    with_random_state(NULL, {
        k.param <- min(k.param, nrow(embedding) - 1L)
        graphs <- Seurat::FindNeighbors(embedding, k.param = k.param, verbose = verbose)
        Seurat::FindClusters(graphs$snn, resolution = resolution, verbose = verbose, ...)[[1]]
    })
}
