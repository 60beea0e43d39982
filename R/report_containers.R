# Pages of paths inside containers: takes out the path, the labels and the gene data, then continues as for any path.
# Methods and arguments follow the names of the containers.
# nolint start: object_name_linter.

#' @rdname path_report
#' @export
path_report.Seurat <- function(path, file, labels = NULL, reduction = NULL, layer = "data",
                               swap_rownames = NULL, ...) {
    parts <- seurat_report_parts(path, labels, reduction, layer, swap_rownames, needed = !missing(layer))
    write_report(file, parts, ...)
}

#' @rdname path_report
#' @export
path_report.SingleCellExperiment <- function(path, file, labels = NULL, name = NULL,
                                             assay.type = "logcounts", swap_rownames = NULL, ..., reduction = name) {
    parts <- sce_report_parts(path, labels, reduction, assay.type, swap_rownames, needed = !missing(assay.type),
                              said = name_argument(name))
    write_report(file, parts, ...)
}

#' @rdname explore_path
#' @export
explore_path.Seurat <- function(path, labels = NULL, reduction = NULL, layer = "data",
                                swap_rownames = NULL, ...) {
    parts <- seurat_report_parts(path, labels, reduction, layer, swap_rownames, needed = !missing(layer))
    open_gadget(parts, ...)
}

#' @rdname explore_path
#' @export
explore_path.SingleCellExperiment <- function(path, labels = NULL, name = NULL,
                                              assay.type = "logcounts", swap_rownames = NULL, ..., reduction = name) {
    parts <- sce_report_parts(path, labels, reduction, assay.type, swap_rownames, needed = !missing(assay.type),
                              said = name_argument(name))
    open_gadget(parts, ...)
}

# The path, then arguments of the pages of paths.
seurat_report_parts <- function(object, labels, reduction, layer, swap_rownames = NULL, needed = FALSE) {
    reduction <- path_name(object, reduction)
    path <- PNMFPath(object, reduction)
    assay <- SeuratObject::DefaultAssay(object[[reduction]])
    names <- displayed_names(object, path, swap_rownames, reduction)
    data <- container_data_of(function() {
        seurat_layer(object[[assay]], assay, rownames(object[[assay]]), layer)[, path@cell_names, drop = FALSE]
    }, needed)
    list(path = path, labels = host_labels(object, labels, path@cell_names), x = data,
         .host = list(names = names, own = host_clusterings(object, path@cell_names)))
}

# said: the argument that named the path
sce_report_parts <- function(object, labels, name, assay.type, swap_rownames = NULL, needed = FALSE,
                             said = "reduction") {
    name <- path_name(object, name, said)
    path <- PNMFPath(object, name)
    names <- displayed_names(object, path, swap_rownames, name)
    data <- container_data_of(function() sce_assay(object, assay.type), needed)
    list(path = path, labels = host_labels(object, labels), x = data,
         .host = list(names = names, own = host_clusterings(object)))
}

# nolint end

# Without gene data, genes show their fitted values, unless the user named the data.
container_data_of <- function(read, needed) {
    data <- if (needed) read() else tryCatch(read(), pnmf_error = function(e) {
        inform_pnmf("genes show fitted values: ", conditionMessage(e))
        NULL
    })
    if (!is.null(data) && nrow(data) == 0L) {
        inform_pnmf("genes show fitted values: the object has no data of genes")
        return(NULL)
    }
    data
}
