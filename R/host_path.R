#' The path inside a Seurat object or a SingleCellExperiment
#'
#' [RunPNMF()] and [runPNMF()] leave one scale, the active one, where the
#' container keeps reductions, and the whole path beside it. `PNMFPath()` returns
#' the path, `SetPNMFScale()` makes another scale the active one, and
#' `PNMFReductions()` adds one reduction for each of several scales.
#'
#' @details
#' The path follows the cells: after subsetting, reordering or renaming cells
#' `PNMFPath()` returns the path of the cells that the reduction has now, under
#' their present names ([subset_cells()] says what that means for the graphs).
#'
#' Seurat's `merge()` keeps embeddings (when asked to, by `merge.dr`) but not
#' what comes with them. `PNMFPath(object) <- path` puts a path back, or puts a
#' path into the container that [pnmf()] fitted outside of it; its cells are
#' matched by name.
#'
#' Reductions of single scales are named after the reduction and the scale:
#' `pnmf.3`, with dimensions `PNMFt3_1`, ... in Seurat; `PNMF.3` in a
#' SingleCellExperiment.
#'
#' @param object A Seurat object or one of its reductions; or a
#'   SingleCellExperiment; for `SetPNMFScale()` also a [pNMFPath-class].
#' @param reduction,name Name of the reduction in a Seurat object, and in a
#'   SingleCellExperiment; `NULL` is the only one that holds a path, or
#'   `"pnmf"` and `"PNMF"` among several.
#' @param t The scale: a whole number, 1 is the finest.
#' @param scales Which scales, ascending; `NULL` for all.
#' @param value A [pNMFPath-class] that has all cells of the object.
#' @param ... For methods.
#' @return `PNMFPath()`: a [pNMFPath-class]. The others: the object, changed.
#' @seealso [FindPNMFClusters()], [suggest_scale()]
#' @examples
#' if (requireNamespace("SeuratObject", quietly = TRUE)) {
#'     object <- RunPNMF(SeuratObject::pbmc_small, rank = 4, n.scales = 6, verbose = FALSE)
#'     path <- PNMFPath(object)
#'     thresholds(path)
#'     object <- SetPNMFScale(object, t = 4)
#'     object <- PNMFReductions(object, scales = c(1, 6))
#'     SeuratObject::Reductions(object)
#' }
#' @export
#' @rdname container-path
PNMFPath <- function(object, ...) UseMethod("PNMFPath")

#' @rdname container-path
#' @export
`PNMFPath<-` <- function(object, ..., value) UseMethod("PNMFPath<-")

#' @rdname container-path
#' @export
SetPNMFScale <- function(object, t, ...) UseMethod("SetPNMFScale")

#' @rdname container-path
#' @export
PNMFReductions <- function(object, scales = NULL, ...) UseMethod("PNMFReductions")

#' Cluster the cells at every scale, inside their container
#'
#' Clusters each chosen scale of the path that [RunPNMF()] or [runPNMF()] left
#' in the object and writes one column per scale, `pnmf_scale.<t>`, into the
#' metadata of the cells: the form that [cluster_tree()] and the package clustree
#' read.
#'
#' @details
#' In a Seurat object the clusters are Seurat's own: `FindNeighbors()` on all
#' factors of a scale, then `FindClusters()`. The object's neighbour graphs and
#' identities stay as they are. In a SingleCellExperiment the clusters are those
#' of [path_clusters()].
#'
#' The columns' prefix is the reduction's name in lower case.
#'
#' @inheritParams PNMFPath
#' @param resolution Seurat: resolution of `FindClusters()`.
#' @param k.param Seurat: neighbours per cell in `FindNeighbors()`.
#' @param verbose Seurat: show progress?
#' @param k,method SingleCellExperiment: number and kind of clusters, see
#'   [path_clusters()].
#' @param ... Further arguments of `FindClusters()` or of [path_clusters()].
#' @return The object with the new columns.
#' @examples
#' if (requireNamespace("Seurat", quietly = TRUE)) {
#'     object <- RunPNMF(SeuratObject::pbmc_small, rank = 4, n.scales = 4, verbose = FALSE)
#'     object <- FindPNMFClusters(object, scales = c(1, 3), resolution = 1, verbose = FALSE)
#'     table(object$pnmf_scale.1, object$pnmf_scale.3)
#' }
#' @export
FindPNMFClusters <- function(object, scales = NULL, ...) UseMethod("FindPNMFClusters")

# The container verbs are for containers only.
stop_no_container <- function(object) {
    stop_pnmf("'object' must be a Seurat object or a SingleCellExperiment with a path inside, not ", describe(object))
}

#' @export
PNMFPath.default <- function(object, ...) stop_no_container(object)

#' @export
`PNMFPath<-.default` <- function(object, ..., value) stop_no_container(object)

#' @export
SetPNMFScale.default <- function(object, t, ...) stop_no_container(object)

#' @export
PNMFReductions.default <- function(object, scales = NULL, ...) stop_no_container(object)

#' @export
FindPNMFClusters.default <- function(object, scales = NULL, ...) stop_no_container(object)

cluster_columns <- function(name, scales) paste0(tolower(name), "_scale.", scales)

# What an earlier path of the same name left in an object goes when a new one comes: clusters of its scales, and
# reductions of single scales. `quiet`: do not say so.
without_earlier_path <- function(object, name, quiet = FALSE) {
    columns <- scale_entries(setdiff(host_columns(object), "ident"), paste0(tolower(name), "_scale."))
    reductions <- scale_entries(host_reductions(object), paste0(name, "."))
    if (length(c(columns, reductions)) == 0L) return(object)
    if (!quiet) {
        inform_pnmf("removed what belonged to the earlier path \"", name, "\": ", abbreviated(c(columns, reductions)))
    }
    if (is(object, "Seurat")) {
        object@meta.data[columns] <- NULL
        object@reductions[reductions] <- NULL
        return(object)
    }
    SummarizedExperiment::colData(object)[columns] <- NULL
    for (reduction in reductions) SingleCellExperiment::reducedDim(object, reduction) <- NULL
    object
}

# Those of the names that are the stem and a number.
scale_entries <- function(names, stem) {
    names[startsWith(names, stem) & grepl("^[0-9]+$", substring(names, nchar(stem) + 1L))]
}

host_reductions <- function(object) {
    if (is(object, "Seurat")) names(object@reductions) else SingleCellExperiment::reducedDimNames(object)
}
