# Pages of paths inside containers: takes out the path, the labels and the gene data, then continues as for any path.
# Methods and arguments follow the names of the containers.
# nolint start: object_name_linter.

#' @rdname path_report
#' @export
path_report.Seurat <- function(path, file, labels = NULL, genes = NULL, reduction = NULL, layer = "data", ...) {
    parts <- seurat_report_parts(path, labels, genes, reduction, layer)
    path_report(parts$path, file, labels = parts$labels, data = parts$data, genes = genes, ...)
}

#' @rdname path_report
#' @export
path_report.SingleCellExperiment <- function(path, file, labels = NULL, genes = NULL, name = NULL,
                                             assay.type = "logcounts", ...) {
    parts <- sce_report_parts(path, labels, genes, name, assay.type)
    path_report(parts$path, file, labels = parts$labels, data = parts$data, genes = genes, ...)
}

#' @rdname explore_path
#' @export
explore_path.Seurat <- function(path, labels = NULL, genes = NULL, reduction = NULL, layer = "data", ...) {
    parts <- seurat_report_parts(path, labels, genes, reduction, layer)
    explore_path(parts$path, labels = parts$labels, data = parts$data, genes = genes, ...)
}

#' @rdname explore_path
#' @export
explore_path.SingleCellExperiment <- function(path, labels = NULL, genes = NULL, name = NULL,
                                              assay.type = "logcounts", ...) {
    parts <- sce_report_parts(path, labels, genes, name, assay.type)
    explore_path(parts$path, labels = parts$labels, data = parts$data, genes = genes, ...)
}

seurat_report_parts <- function(object, labels, genes, reduction, layer) {
    reduction <- path_name(object, reduction)
    path <- PNMFPath(object, reduction)
    assay <- SeuratObject::DefaultAssay(object[[reduction]])
    data <- container_genes(genes, function() {
        known <- rownames(object[[assay]])
        wanted <- if (is.null(genes)) intersect(path@feature_names, known) else assert_genes(genes, known)
        seurat_layer(object[[assay]], assay, wanted, layer)[, path@cell_names, drop = FALSE]
    })
    list(path = path, labels = labels_of(object, labels, cells = path@cell_names), data = data)
}

sce_report_parts <- function(object, labels, genes, name, assay.type) {
    path <- PNMFPath(object, path_name(object, name, "name"))
    data <- container_genes(genes, function() {
        values <- sce_assay(object, assay.type)
        known <- rownames(values)
        wanted <- if (is.null(genes)) intersect(path@feature_names, known) else assert_genes(genes, known)
        as_plain_matrix(values[wanted, , drop = FALSE], assay.type)
    })
    list(path = path, labels = labels_of(object, labels), data = data)
}

# nolint end

# Genes are optional unless the user asked for them: without gene data, the page has no genes.
container_genes <- function(genes, read) {
    if (!is.null(genes)) return(read())
    data <- tryCatch(read(), pnmf_error = function(e) NULL)
    if (is.null(data) || nrow(data) == 0L) NULL else data
}
