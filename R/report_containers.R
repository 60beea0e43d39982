# Pages of paths inside containers: takes out the path, the labels and the gene data, then continues as for any path.
# Methods and arguments follow the names of the containers.
# nolint start: object_name_linter.

#' @rdname path_report
#' @export
path_report.Seurat <- function(path, file, labels = NULL, genes = NULL, reduction = NULL, layer = "data",
                               swap_rownames = NULL, ...) {
    parts <- seurat_report_parts(path, labels, genes, reduction, layer, swap_rownames)
    do.call(path_report, c(list(quote(parts$path), file), parts[-1], list(...)))
}

#' @rdname path_report
#' @export
path_report.SingleCellExperiment <- function(path, file, labels = NULL, genes = NULL, name = NULL,
                                             assay.type = "logcounts", swap_rownames = NULL, ...) {
    parts <- sce_report_parts(path, labels, genes, name, assay.type, swap_rownames)
    do.call(path_report, c(list(quote(parts$path), file), parts[-1], list(...)))
}

#' @rdname explore_path
#' @export
explore_path.Seurat <- function(path, labels = NULL, genes = NULL, reduction = NULL, layer = "data",
                                swap_rownames = NULL, ...) {
    parts <- seurat_report_parts(path, labels, genes, reduction, layer, swap_rownames)
    do.call(explore_path, c(list(quote(parts$path)), parts[-1], list(...)))
}

#' @rdname explore_path
#' @export
explore_path.SingleCellExperiment <- function(path, labels = NULL, genes = NULL, name = NULL,
                                              assay.type = "logcounts", swap_rownames = NULL, ...) {
    parts <- sce_report_parts(path, labels, genes, name, assay.type, swap_rownames)
    do.call(explore_path, c(list(quote(parts$path)), parts[-1], list(...)))
}

# The path, then arguments of the pages of paths.
seurat_report_parts <- function(object, labels, genes, reduction, layer, swap_rownames = NULL) {
    reduction <- path_name(object, reduction)
    path <- PNMFPath(object, reduction)
    assay <- SeuratObject::DefaultAssay(object[[reduction]])
    names <- displayed_names(object, path, swap_rownames, reduction)
    genes <- own_names(genes, path, names)
    data <- container_genes(genes, function() {
        known <- rownames(object[[assay]])
        wanted <- if (is.null(genes)) intersect(path@feature_names, known) else assert_genes(genes, known)
        seurat_layer(object[[assay]], assay, wanted, layer)[, path@cell_names, drop = FALSE]
    })
    list(path = path, labels = host_labels(object, labels, path@cell_names), data = data, genes = genes,
         swap_rownames = names, own = host_clusterings(object, path@cell_names))
}

sce_report_parts <- function(object, labels, genes, name, assay.type, swap_rownames = NULL) {
    name <- path_name(object, name, "name")
    path <- PNMFPath(object, name)
    names <- displayed_names(object, path, swap_rownames, name)
    genes <- own_names(genes, path, names)
    data <- container_genes(genes, function() {
        values <- sce_assay(object, assay.type)
        known <- rownames(values)
        wanted <- if (is.null(genes)) intersect(path@feature_names, known) else assert_genes(genes, known)
        as_plain_matrix(values[wanted, , drop = FALSE], assay.type)
    })
    list(path = path, labels = host_labels(object, labels), data = data, genes = genes, swap_rownames = names,
         own = host_clusterings(object))
}

# nolint end

# Genes are optional unless the user asked for them: without gene data, the page has no genes.
container_genes <- function(genes, read) {
    if (!is.null(genes)) return(read())
    data <- tryCatch(read(), pnmf_error = function(e) NULL)
    if (is.null(data) || nrow(data) == 0L) NULL else data
}
