# The only place that finds a path, the labels of its cells and its data, in a path or in a Seurat or
# SingleCellExperiment object. To make a function accept objects, begin it with `path <- as_path(path, reduction)` and
# use `labels_of()` for every argument with one label per cell.

# The path itself, or the path inside an object. `reduction` names it if the object holds several.
as_path <- function(object, reduction = NULL, arg = "path") {
    if (is(object, "pNMFPath")) {
        if (!is.null(reduction)) {
            stop_pnmf("'reduction' must be NULL for a pNMFPath: it names one of the paths in a Seurat object or ",
                      "SingleCellExperiment, not ", describe(reduction))
        }
        return(object)
    }
    if (is(object, "DimReduc")) return(PNMFPath(object))
    if (!is_host(object)) {
        stop_pnmf("'", arg, "' must be a pNMFPath object, as pnmf() returns, or a Seurat object or ",
                  "SingleCellExperiment that contains one, not ", describe(object))
    }
    PNMFPath(object, path_name(object, reduction))
}

is_host <- function(object) is(object, "Seurat") || is(object, "SingleCellExperiment")

# Name of the reduction that holds the path: the given name, the only one, or the default name of a fit.
path_name <- function(object, reduction = NULL, arg = "reduction") {
    if (!is.null(reduction)) return(assert_string(reduction, arg))
    held <- held_paths(object)
    if (length(held) == 1L) return(held)
    if (length(held) == 0L) stop_no_held_path(object)
    usual <- if (is(object, "Seurat")) "pnmf" else "PNMF"
    if (usual %in% held) return(usual)
    stop_pnmf("'", arg, "' must name one of the object's pNMF paths: ", paste(held, collapse = ", "))
}

stop_no_held_path <- function(object) {
    lost <- if (is(object, "Seurat")) {
        "RunPNMF() first; or, if a reduction lost its path because merge() only keeps embeddings, "
    } else {
        "runPNMF() first; or, if the metadata lost the path named \"PNMF\", "
    }
    stop_pnmf("object has no pNMF path: run ", lost, "restore it with PNMFPath(object) <- path")
}

held_paths <- function(object) {
    if (is(object, "Seurat")) {
        holds <- vapply(object@reductions, function(reduction) is(reduction@misc$path, "pNMFPath"), logical(1))
        return(names(object@reductions)[holds])
    }
    stored <- S4Vectors::metadata(object)
    holds <- vapply(stored, is, logical(1), "pNMFPath")
    intersect(names(stored)[holds], SingleCellExperiment::reducedDimNames(object))
}

# One label per cell, or, for an object, the name of a column of its metadata ("ident" is a Seurat object's identities).
# `cells` are the cells of the path; a Seurat reduction may hold fewer cells than the object.
labels_of <- function(object, labels, arg = "labels", cells = NULL) {
    if (!is_host(object) || !is.character(labels) || length(labels) != 1L || is.na(labels)) return(labels)
    columns <- host_columns(object)
    if (!(labels %in% columns)) {
        if (ncol(object) == 1L) return(labels)
        stop_pnmf("'", arg, "' must be one label per cell or a column of the metadata (",
                  abbreviated(columns), "), not ", describe(labels))
    }
    host_column(object, labels, cells)
}

host_columns <- function(object) {
    if (is(object, "Seurat")) return(c(colnames(object@meta.data), "ident"))
    colnames(SummarizedExperiment::colData(object))
}

host_column <- function(object, name, cells = NULL) {
    if (!is(object, "Seurat")) return(SummarizedExperiment::colData(object)[[name]])
    own <- name %in% colnames(object@meta.data)
    values <- if (own) object@meta.data[[name]] else unname(SeuratObject::Idents(object))
    if (is.null(cells)) values else values[match(cells, colnames(object))]
}

# Labellings, cells x scales: a data frame, a matrix, a DFrame, the columns of FindPNMFClusters() in an object,
# otherwise the persistent clusters of the path.
clusters_of <- function(object, reduction = NULL, arg = "clusters") {
    if (is(object, "DFrame")) return(BiocGenerics::as.data.frame(object, optional = TRUE))
    if (inherits(object, "persistent_clusters")) return(object$clusters)
    if (is(object, "pNMFPath")) return(persistent_clusters(object)$clusters)
    if (!is_host(object)) return(object)
    columns <- scale_entries(host_columns(object), cluster_columns(path_name(object, reduction), ""))
    if (length(columns) == 0L) return(persistent_clusters(object, reduction = reduction)$clusters)
    columns <- columns[order(as.integer(sub("^.*\\.", "", columns)))]
    clusters <- lapply(columns, function(column) host_column(object, column))
    names(clusters) <- columns
    data.frame(clusters, check.names = FALSE, row.names = colnames(object))
}

# The data that a path was fitted to, features x cells in the order of the path: `x` if given, otherwise the data in the
# path, otherwise the layer or assay of the object. `purpose` completes the error "... needs them".
path_data <- function(object, path, x = NULL, reduction = NULL, purpose = "this function") {
    if (is.null(x)) x <- path@data
    if (is.null(x) && is_host(object)) x <- host_data(object, path, path_name(object, reduction))
    if (is.null(x) || is_streamed(x)) {
        stop_pnmf("'x' must be the data the path was fitted to, features x cells: ", purpose, " needs them, and the ",
              "path does not hold them in memory")
    }
    assert_path_data(x, path)
}

# The values of the features that an object has, features x cells, from its default assay or its logcounts.
host_features <- function(object, features) {
    if (is(object, "Seurat")) {
        assay <- SeuratObject::DefaultAssay(object)
        shared <- assert_shared_features(intersect(features, rownames(object[[assay]])), features)
        return(seurat_layer(object[[assay]], assay, shared, "data"))
    }
    values <- sce_assay(object, "logcounts")
    shared <- assert_shared_features(intersect(features, rownames(values)), features)
    as_plain_matrix(values[shared, , drop = FALSE], "newdata")
}

host_data <- function(object, path, name) {
    if (is(object, "Seurat")) {
        assay <- SeuratObject::DefaultAssay(object[[name]])
        data <- seurat_layer(object[[assay]], assay, path@feature_names, "data")
        return(data[, path@cell_names, drop = FALSE])
    }
    values <- sce_assay(object, "logcounts")
    data <- as_plain_matrix(values[named_rows(path@feature_names, rownames(values)), , drop = FALSE], "logcounts")
    colnames(data) <- path@cell_names
    data
}

# The data that a fit of an object would use: the features of its path or, without a path, those that RunPNMF() and
# runPNMF() would choose.
host_input <- function(object, reduction = NULL) {
    if (!is.null(reduction) || length(held_paths(object)) > 0L) {
        name <- path_name(object, reduction)
        return(host_data(object, PNMFPath(object, name), name))
    }
    if (is(object, "Seurat")) {
        assay <- SeuratObject::DefaultAssay(object)
        return(seurat_layer(object[[assay]], assay, NULL, "data"))
    }
    values <- sce_assay(object, "logcounts")
    as_plain_matrix(values[sce_features(values, NULL, 500, NULL), , drop = FALSE], "logcounts")
}

# Names to show for the features of the path: their own, those in a column of the object's row data (as in scater), or
# one given name per feature. Features without such a name keep their own. Features that share a name show both.
displayed_names <- function(object, path, swap_rownames = NULL, reduction = NULL) {
    features <- path@feature_names
    if (is.null(swap_rownames)) return(features)
    names <- if (is_host(object) && length(swap_rownames) == 1L) {
        swapped_column(object, path, assert_string(swap_rownames, "swap_rownames"), reduction)
    } else {
        swap_rownames
    }
    if (!(is.character(names) || is.factor(names)) || length(names) != length(features)) {
        stop_pnmf("'swap_rownames' must be a column of the object's row data or one name for each of the ",
                  length(features), " features, not ", describe(swap_rownames))
    }
    names <- as.character(names)
    unnamed <- is.na(names) | !nzchar(names)
    names[unnamed] <- features[unnamed]
    shared <- names %in% names[duplicated(names)]
    names[shared & !unnamed] <- paste0(names, " (", features, ")")[shared & !unnamed]
    names
}

swapped_column <- function(object, path, column, reduction) {
    table <- if (is(object, "Seurat")) {
        seurat_feature_table(object[[SeuratObject::DefaultAssay(object[[path_name(object, reduction)]])]])
    } else {
        SummarizedExperiment::rowData(object)
    }
    if (!(column %in% colnames(table))) {
        stop_pnmf("'swap_rownames' must be a column of the object's row data (",
                  if (ncol(table) == 0L) "there are none" else abbreviated(colnames(table)), "), not ",
                  describe(column))
    }
    as.character(table[[column]])[match(path@feature_names, rownames(table))]
}

# One row per feature of an assay; v5 assays keep the feature names outside the table.
seurat_feature_table <- function(assay) {
    if (!is(assay, "StdAssay")) return(assay@meta.features)
    table <- assay@meta.data
    rownames(table) <- rownames(assay)
    table
}
