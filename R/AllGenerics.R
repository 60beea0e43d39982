# Generics that every room may call. Their methods are in the rooms of the classes they are for.

#' @rdname path-accessors
#' @export
setGeneric("embedding", function(path, t = NULL, ...) standardGeneric("embedding"))

#' @rdname path-accessors
#' @export
setGeneric("loading", function(path, t = NULL, ...) standardGeneric("loading"))

#' @rdname path-accessors
#' @export
setGeneric("thresholds", function(path, ...) standardGeneric("thresholds"))

#' @rdname path-accessors
#' @export
setGeneric("n_factors", function(path, ...) standardGeneric("n_factors"))

#' @rdname path-accessors
#' @export
setGeneric("converged", function(path, ...) standardGeneric("converged"))

#' @rdname container-path
#' @export
PNMFPath <- function(object, ...) UseMethod("PNMFPath")

# What a container of cells tells about itself; a new host writes one method of each (host_containers.R).

is_host <- function(object) is(object, "Seurat") || is(object, "SingleCellExperiment")

# Names of the paths that it holds.
held_paths <- function(object) UseMethod("held_paths")

# Labels of the cells at every scale, cells x scales, that it holds for the path of this name, or NULL.
held_clusters <- function(object, name) UseMethod("held_clusters")

# Names of the columns with one value per cell, and one of them, for the given cells in their order.
host_columns <- function(object) UseMethod("host_columns")
host_column <- function(object, name, cells = NULL) UseMethod("host_column")

# The values of those of the features that it has, features x cells.
host_features <- function(object, features) UseMethod("host_features")

# The data of the path of this name, features x cells.
host_data <- function(object, path, name) UseMethod("host_data")

# The data that a fit would use if there is no path, features x cells.
host_input <- function(object) UseMethod("host_input")

# Data frame with one row per feature of the path of this name.
feature_table <- function(object, name) UseMethod("feature_table")
