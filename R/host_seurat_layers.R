# Reads the data of a Seurat assay of any version. Only this file knows how v3/v4 assays (class Assay: three slots) and
# v5 assays (class StdAssay: any number of named layers, possibly split, possibly on disk) differ.

# Nonnegative matrix features x cells of the chosen features; on disk if it is there and would take more than `memory`.
seurat_layer <- function(object, assay, features, layer, memory = Inf) {
    layer <- assert_layer(object, assay, assert_string(layer, "layer"))
    features <- seurat_features(object, assay, features, layer)
    x <- read_seurat_layer(object, layer, features)
    container_data(x, seurat_layer_name(assay, layer), memory)
}

# Completes the quotes that errors put around a name: 'data' layer of assay 'RNA'.
seurat_layer_name <- function(assay, layer) paste0(layer, "' layer of assay '", assay)

seurat_layer_names <- function(object) {
    if (is(object, "StdAssay")) return(from_v5("Layers")(object))
    slots <- c("counts", "data", "scale.data")
    slots[vapply(slots, function(name) prod(dim(methods::slot(object, name))) > 0, logical(1))]
}

stop_split <- function(assay, layer, how) {
    stop_pnmf("the '", layer, "' layer of assay '", assay, "' is split (", how,
              "): join it first, object <- JoinLayers(object)")
}

seurat_features <- function(object, assay, features, layer) {
    present <- if (is(object, "StdAssay")) {
        SeuratObject::Features(object, layer = layer)
    } else {
        rownames(methods::slot(object, layer))
    }
    if (is.null(features)) return(variable_features(object, assay, present))
    if (!is.character(features) || length(features) == 0L || anyNA(features)) {
        stop_pnmf("'features' must be names of features or NULL, not ", describe(features))
    }
    unknown <- setdiff(features, present)
    if (length(unknown) > 0L) {
        stop_pnmf("'features' must be features of assay '", assay, "', but ", length(unknown), " of ", length(features),
                  " are not; the first is '", unknown[1], "'")
    }
    unique(features)
}

variable_features <- function(object, assay, present) {
    # v5 assays give an error or a warning where v4 assays return nothing.
    variable <- tryCatch(suppressWarnings(SeuratObject::VariableFeatures(object)), error = function(e) NULL)
    if (length(variable) == 0L) {
        stop_pnmf("assay '", assay, "' has no variable features: run FindVariableFeatures() first, or name 'features'")
    }
    unknown <- setdiff(variable, present)
    if (length(unknown) == length(variable)) {
        stop_pnmf("none of the variable features of assay '", assay, "' is in its data: name 'features'")
    }
    if (length(unknown) > 0L) {
        warn_pnmf(length(unknown), " of ", length(variable), " variable features of assay '", assay,
                  "' are not in its data and are left out; the first is '", unknown[1], "'")
    }
    unique(intersect(variable, present))
}

# Features are chosen before anything is read into memory, because layers may be on disk.
read_seurat_layer <- function(object, layer, features) {
    if (!is(object, "StdAssay")) return(methods::slot(object, layer)[features, , drop = FALSE])
    x <- from_v5("LayerData")(object, layer = layer, features = features)
    x[features, , drop = FALSE]
}

# Functions that exist only in SeuratObject 5; `::` would fail R CMD check with version 4.
from_v5 <- function(name) getExportedValue("SeuratObject", name)

assert_layer <- function(object, assay, layer) {
    available <- seurat_layer_names(object)
    if (layer == "scale.data") {
        stop_pnmf("'layer' must not be \"scale.data\": scaled values are centred, so half of them are negative; ",
                  "use the log-normalised \"data\"")
    }
    if (layer %in% available) return(assert_whole_layer(object, assay, layer))
    pieces <- available[startsWith(available, paste0(layer, "."))]
    if (length(pieces) > 0L) stop_split(assay, layer, paste(pieces, collapse = ", "))
    stop_pnmf("assay '", assay, "' has no '", layer, "' layer (it has ",
              if (length(available) == 0L) "none" else paste(available, collapse = ", "), ")",
              if (layer == "data") ": run NormalizeData() first" else nearest_hint(layer, available),
              if (identical(available, "scale.data")) " on an object with counts; scaled values cannot be factorised")
}

# A layer of a v5 assay may hold only some of the cells.
assert_whole_layer <- function(object, assay, layer) {
    if (!is(object, "StdAssay")) return(layer)
    held <- length(SeuratObject::Cells(object, layer = layer))
    if (held < ncol(object)) stop_split(assay, layer, paste("it holds", held, "of", ncol(object), "cells"))
    layer
}
