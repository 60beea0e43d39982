# What Seurat objects and SingleCellExperiments tell about themselves. The generics are in AllGenerics.R.

# nolint start: object_name_linter.

held_paths.Seurat <- function(object) {
    holds <- vapply(object@reductions, function(reduction) is(reduction@misc$path, "pNMFPath"), logical(1))
    names(object@reductions)[holds]
}

held_paths.SingleCellExperiment <- function(object) {
    stored <- S4Vectors::metadata(object)
    holds <- vapply(stored, is, logical(1), "pNMFPath")
    intersect(names(stored)[holds], SingleCellExperiment::reducedDimNames(object))
}

# The columns that FindPNMFClusters() has written.
held_clusters.Seurat <- function(object, name) {
    columns <- scale_entries(host_columns(object), cluster_columns(name, ""))
    if (length(columns) == 0L) return(NULL)
    columns <- columns[order(as.integer(sub("^.*\\.", "", columns)))]
    clusters <- lapply(columns, function(column) host_column(object, column))
    names(clusters) <- columns
    clusters <- data.frame(clusters, check.names = FALSE)
    if (!is.null(colnames(object))) rownames(clusters) <- make.unique(colnames(object))
    # without the cells that are in no cluster at any scale
    clusters[rowSums(!is.na(clusters)) > 0L, , drop = FALSE]
}

held_clusters.SingleCellExperiment <- held_clusters.Seurat

# "ident" stands for the identities.
host_columns.Seurat <- function(object) c(colnames(object@meta.data), "ident")

host_columns.SingleCellExperiment <- function(object) colnames(SummarizedExperiment::colData(object))

# A reduction may hold fewer cells than the object.
host_column.Seurat <- function(object, name, cells = NULL) {
    own <- name %in% colnames(object@meta.data)
    values <- if (own) object@meta.data[[name]] else unname(SeuratObject::Idents(object))
    if (is.null(cells)) values else values[match(cells, colnames(object))]
}

host_column.SingleCellExperiment <- function(object, name, cells = NULL) {
    SummarizedExperiment::colData(object)[[name]]
}

host_features.Seurat <- function(object, features) {
    assay <- SeuratObject::DefaultAssay(object)
    shared <- assert_shared_features(intersect(features, rownames(object[[assay]])), features)
    seurat_layer(object[[assay]], assay, shared, "data")
}

host_features.SingleCellExperiment <- function(object, features) {
    values <- with_unique_rows(sce_assay(object, "logcounts", "newdata"))
    shared <- assert_shared_features(intersect(features, rownames(values)), features)
    as_plain_matrix(values[shared, , drop = FALSE], "newdata")
}

assert_shared_features <- function(shared, features) {
    if (length(shared) == 0L) {
        stop_pnmf("'newdata' must have features of the path, but has none of its ", length(features), " features (the ",
                  "first is '", features[1], "')")
    }
    shared
}

host_data.Seurat <- function(object, path, name) {
    assay <- SeuratObject::DefaultAssay(object[[name]])
    assert_features_kept(path, rownames(object[[assay]]))
    data <- seurat_layer(object[[assay]], assay, path@feature_names, "data")
    data[, path@cell_names, drop = FALSE]
}

host_data.SingleCellExperiment <- function(object, path, name) {
    values <- with_unique_rows(sce_assay(object, "logcounts"))
    assert_features_kept(path, rownames(values))
    data <- as_plain_matrix(values[path@feature_names, , drop = FALSE], "logcounts")
    colnames(data) <- path@cell_names
    data
}

assert_features_kept <- function(path, present) {
    lost <- setdiff(path@feature_names, present)
    if (length(lost) > 0L) {
        stop_pnmf("the object lacks ", length(lost), " of the path's ", length(path@feature_names), " features, the ",
                  "first is '", lost[1], "': use the object that was fitted, with all its features")
    }
}

# The features that RunPNMF() and runPNMF() would choose.
host_input.Seurat <- function(object) {
    assay <- SeuratObject::DefaultAssay(object)
    seurat_layer(object[[assay]], assay, NULL, "data")
}

host_input.SingleCellExperiment <- function(object) {
    values <- sce_assay(object, "logcounts")
    as_plain_matrix(values[sce_features(values, NULL, 500, NULL), , drop = FALSE], "logcounts")
}

# NULL if the object has lost the assay. v5 assays keep the feature names outside the table.
feature_table.Seurat <- function(object, name) {
    assay <- object@assays[[SeuratObject::DefaultAssay(object[[name]])]]
    if (is.null(assay)) return(NULL)
    if (!is(assay, "StdAssay")) return(assay@meta.features)
    table <- assay@meta.data
    rownames(table) <- rownames(assay)
    table
}

feature_table.SingleCellExperiment <- function(object, name) SummarizedExperiment::rowData(object)

# nolint end
