#' Access the path inside a Seurat object or a SingleCellExperiment
#'
#' `PNMFPath()` returns the path that [RunPNMF()] or [runPNMF()] stored in an
#' object.
#' `PNMFReductions()` adds one reduction for each of several scales. The active
#' scale is stored where the container keeps its reductions, and the whole path
#' beside it.
#'
#' @details
#' The function `PNMFPath()`, capitalised like the functions of Seurat, takes a
#' path out of an object. [pNMFPath-class] is the class of that path, as
#' returned by [pnmf()].
#'
#' The path follows the cells. After you subset, reorder or rename cells,
#' `PNMFPath()` returns the path of the cells that the reduction has now, under
#' their current names. See [subset_cells()] for what this means for the graphs.
#'
#' Seurat's `merge()` can keep embeddings (`merge.dr`), but not the path.
#' `PNMFPath(object) <- path` puts a path back. It also adds a path that was
#' fitted by [pnmf()] outside the container. Cells are matched by name.
#'
#' Reductions of single scales are named after the reduction and the scale:
#' `pnmf.3` with dimensions `PNMFt3_1`, ... in Seurat, and `PNMF.3` in a
#' SingleCellExperiment.
#'
#' @param object A Seurat object or one of its reductions, or a
#'   SingleCellExperiment.
#' @param reduction Name of the path, as in all functions: of the reduction in a
#'   Seurat object or the reduced dimension in a SingleCellExperiment. `NULL`
#'   means the only one that holds a path; if there are several, `"pnmf"` or
#'   `"PNMF"`.
#' @param name SingleCellExperiment: another word for `reduction`.
#' @param at Which scales, ascending; `NULL` for all.
#' @param value A [pNMFPath-class] that has all cells of the object.
#' @param ... Further arguments, passed to methods.
#' @return `PNMFPath()` returns a [pNMFPath-class], the others the modified
#'   object.
#' @seealso [active_scale()], [FindPNMFClusters()], [suggest_scale()]
#' @examples
#' if (requireNamespace("SeuratObject", quietly = TRUE)) {
#'     object <- RunPNMF(SeuratObject::pbmc_small, rank = 4, n.scales = 6, verbose = FALSE)
#'     path <- PNMFPath(object)
#'     thresholds(path)
#'     active_scale(object) <- 4
#'     object <- PNMFReductions(object, at = c(1, 6))
#'     SeuratObject::Reductions(object)
#' }
#' @name container-path
NULL

#' @rdname container-path
#' @export
`PNMFPath<-` <- function(object, ..., value) UseMethod("PNMFPath<-")

#' @rdname container-path
#' @export
PNMFReductions <- function(object, at = NULL, ...) UseMethod("PNMFReductions")

#' Cluster the cells of a Seurat object or SingleCellExperiment at every scale
#'
#' Finds the clusters that persist along the path of an object, see
#' [persistent_clusters()], and writes them into the cell metadata: one column
#' per scale, `pnmf_scale.<t>`, and the recommended labels, `pnmf_clusters`. The
#' recommended labels also become the identities of the cells, so that
#' `DimPlot()` and `FindAllMarkers()`, or `scran::findMarkers()`, use them.
#' [cluster_tree()], [plot_cluster_tree()] and the package clustree read the
#' columns.
#'
#' @details
#' You do not choose the number of clusters. It falls from scale to scale, and
#' each cluster lies inside a cluster of the next coarser scale. Other kinds of
#' clusters are also available. For a Seurat object, `resolution` runs Seurat's
#' own functions: `FindNeighbors()` on all factors of a scale, then
#' `FindClusters()`. For a SingleCellExperiment, `k` or another `method` runs
#' [path_clusters()]. These do not recommend a clustering, and change neither
#' identities nor neighbour graphs.
#'
#' The prefix of the columns is the name of the reduction in lower case. The
#' columns of an earlier call are replaced. Cells without a positive value in the
#' data of the fit have no cluster (`NA`).
#'
#' Identities are `Idents()` of a Seurat object, as after `FindClusters()`, and
#' `colLabels()` of a SingleCellExperiment. Other labels that `colLabels()` holds
#' are kept, with a message.
#'
#' @inheritParams PNMFPath
#' @param resolution Seurat: `NULL`, or a resolution of `FindClusters()`. For a
#'   SingleCellExperiment it is one of the further arguments.
#' @param k.param Seurat: number of neighbours per cell in `FindNeighbors()`.
#' @param verbose Seurat: show progress?
#' @param k,method SingleCellExperiment: number and kind of clusters:
#'   `"persistent"`, or a method of [path_clusters()]. `NULL` means
#'   `"persistent"`, or `"kmeans"` if `k` is given, or `"graph"` if further
#'   arguments are given.
#' @param ... Further arguments, passed to `FindClusters()` or to
#'   [path_clusters()], such as its `resolution`.
#' @return The object with the new columns and, after persistent clusters, new
#'   identities.
#' @examples
#' if (requireNamespace("Seurat", quietly = TRUE)) {
#'     object <- RunPNMF(SeuratObject::pbmc_small, rank = 4, n.scales = 4, verbose = FALSE)
#'     object <- FindPNMFClusters(object)
#'     table(object$pnmf_scale.1, object$pnmf_clusters)
#' }
#' @export
FindPNMFClusters <- function(object, ..., at = NULL) UseMethod("FindPNMFClusters")

# The container verbs are for containers only.
stop_no_container <- function(object) {
    stop_pnmf("'object' must be a Seurat object or a SingleCellExperiment that contains a path, not ", describe(object))
}

#' @export
PNMFPath.default <- function(object, ...) stop_no_container(object)

#' @export
`PNMFPath<-.default` <- function(object, ..., value) stop_no_container(object)

#' @export
`active_scale<-.default` <- function(object, ..., value) stop_no_container(object)

#' @export
PNMFReductions.default <- function(object, at = NULL, ...) stop_no_container(object)

#' @export
FindPNMFClusters.default <- function(object, ..., at = NULL) stop_no_container(object)

cluster_columns <- function(name, scales) paste0(tolower(name), "_scale.", scales)

flat_column <- function(name) paste0(tolower(name), "_clusters")

# Data frame of factors: the persistent clusters of these scales, and the recommended ones.
persistent_columns <- function(path, scales, name) {
    found <- persistent_clusters(path)
    columns <- c(found$clusters[scales], list(found$flat))
    names(columns) <- c(cluster_columns(name, scales), flat_column(name))
    factor_columns(columns, path)
}

# One row per cell of the path; cells without a value have no cluster.
factor_columns <- function(columns, path) {
    columns <- data.frame(lapply(columns, factor), check.names = FALSE, row.names = path@cell_names)
    columns[empty_cells(path), ] <- NA
    columns
}

# Puts clusters into the cell metadata in place of those of an earlier call, and the recommended ones, if there are any,
# where the container's functions look for the identities of cells.
with_cluster_columns <- function(object, name, columns) {
    before <- found_columns(object, name)
    flat <- flat_column(name)
    lost <- setdiff(before, names(columns))
    if (length(lost) > 0L) {
        inform_pnmf("removed the clusters of an earlier call: ", abbreviated(lost),
                    if (flat %in% lost) identities_left(object, flat))
    }
    object <- without_columns(object, before, flat)
    if (is(object, "Seurat")) {
        object <- SeuratObject::AddMetaData(object, columns)
        if (flat %in% names(columns)) SeuratObject::Idents(object) <- flat
        return(object)
    }
    for (column in names(columns)) SummarizedExperiment::colData(object)[[column]] <- columns[[column]]
    if (flat %in% names(columns)) with_col_labels(object, flat) else object
}

# What becomes of identities that are those of a column that is removed. Cells of a Seurat object always have some.
identities_left <- function(object, flat) {
    if (!are_identities(object, flat)) return(NULL)
    if (is(object, "Seurat")) paste("; Idents() still holds those of", flat) else ", and colLabels(), which held them"
}

are_identities <- function(object, column) {
    held <- if (is(object, "Seurat")) {
        SeuratObject::Idents(object)
    } else {
        SingleCellExperiment::colLabels(object, onAbsence = "none")
    }
    !is.null(held) && identical(as.character(held), as.character(host_column(object, column)))
}

# Labels that somebody else wrote are not replaced.
with_col_labels <- function(object, column) {
    if (is.null(SingleCellExperiment::colLabels(object, onAbsence = "none"))) {
        SingleCellExperiment::colLabels(object) <- object[[column]]
    } else {
        inform_pnmf("colLabels() has other labels and was not changed: use colLabels(x) <- x$", column,
                    " for the clusters")
    }
    object
}

# The columns of clusters that an earlier call wrote.
found_columns <- function(object, name) {
    known <- setdiff(host_columns(object), "ident")
    c(scale_entries(known, cluster_columns(name, "")), intersect(flat_column(name), known))
}

# With the labels of a SingleCellExperiment, if they are those of the flat column.
without_columns <- function(object, columns, flat) {
    if (is(object, "Seurat")) {
        object@meta.data[columns] <- NULL
        return(object)
    }
    if (flat %in% columns && are_identities(object, flat)) SingleCellExperiment::colLabels(object) <- NULL
    SummarizedExperiment::colData(object)[columns] <- NULL
    object
}

# Removes what an earlier path of the same name left in an object: the clusters of its scales, and reductions of single
# scales.
without_earlier_path <- function(object, name) {
    columns <- found_columns(object, name)
    reductions <- scale_entries(host_reductions(object), paste0(name, "."))
    if (length(c(columns, reductions)) == 0L) return(object)
    flat <- flat_column(name)
    inform_pnmf("removed the results of the earlier path \"", name, "\": ", abbreviated(c(columns, reductions)),
                if (flat %in% columns) identities_left(object, flat))
    object <- without_columns(object, columns, flat)
    if (is(object, "Seurat")) {
        object@reductions[reductions] <- NULL
        return(object)
    }
    for (reduction in reductions) SingleCellExperiment::reducedDim(object, reduction) <- NULL
    object
}

# The names that consist of the stem and a number.
scale_entries <- function(names, stem) {
    names[startsWith(names, stem) & grepl("^[0-9]+$", substring(names, nchar(stem) + 1L))]
}

host_reductions <- function(object) {
    if (is(object, "Seurat")) as.character(names(object@reductions)) else SingleCellExperiment::reducedDimNames(object)
}

assert_cells_known <- function(cells, path) {
    unknown <- !(cells %in% path@cell_names)
    if (any(unknown)) {
        stop_pnmf("'value' must be a path with all cells of the object, but it lacks ", sum(unknown), " of ",
                  length(cells), "; the first is '", cells[unknown][1], "'")
    }
    cells
}
