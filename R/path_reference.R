#' Share a reference
#'
#' `write_reference()` reduces a path to what [predict,pNMFPath-method] and
#' [transfer_labels()] need, the bases, the principal components, the labels, and
#' some of the cells as landmarks, and writes it to a file. `read_reference()`
#' reads it back.
#'
#' @details
#' The file is text (JSON, compressed) and holds numbers and strings only, so
#' that reading a file from somebody else cannot run code, as [readRDS()] may. It
#' is checked like any other path. Numbers are written to 8 digits. The package
#' jsonlite is needed.
#'
#' Landmarks are spread evenly along the first coordinate of the cells of each
#' label. Each label keeps 20 cells, or all if it has fewer; labels share the
#' others in proportion to their cells. If `landmarks` are too few for that, the
#' 20 become fewer, the same for all labels, with a warning. Local scales are those of the
#' landmarks among themselves. The landmarks are real cells: their embeddings
#' and coordinates, not their expression, are in the file.
#'
#' @inheritParams factor_markers
#' @param labels One label per cell, or, for an object, the name of a metadata
#'   column; `NULL` for none. Cells whose label is `NA` are kept as a label of
#'   their own, but do not vote in [transfer_labels()].
#' @param landmarks Number of cells to keep, at most; fewer if the path has fewer.
#' @param file Name of the file to write, which ends in .json or .json.gz, or to
#'   read.
#' @param overwrite Whether an existing file may be replaced.
#' @return `write_reference()`: the name of the file, invisibly.
#'   `read_reference()`: a [pNMFPath-class] of the landmarks.
#' @seealso [transfer_labels()], [subset_cells()]
#' @examples
#' x <- simulate_cells(seed = 1)
#' path <- pnmf(normalize_counts(x$counts), rank = 4, scales = 3,
#'              control = pnmf_control(max_outer = 5, tol = 0))
#' if (requireNamespace("jsonlite", quietly = TRUE)) {
#'     file <- write_reference(path, tempfile(fileext = ".json.gz"), labels = x$type, landmarks = 200)
#'     found <- transfer_labels(read_reference(file), normalize_counts(x$counts))
#'     table(found$label, x$type)
#' }
#' @export
write_reference <- function(path, file, labels = NULL, landmarks = 1000, reduction = NULL, overwrite = FALSE) {
    reference <- reduced_to_landmarks(path, labels, landmarks, reduction)
    assert_installed("jsonlite", "write_reference()")
    overwrite <- assert_flag(overwrite, "overwrite")
    assert_export(file, c("json", "json.gz"), overwrite)
    held <- list(
        format = reference_format, version = reference@version,
        features = reference@feature_names, cells = reference@cell_names,
        parameters = reference@parameters[intersect(reference_parameters, names(reference@parameters))],
        scales = Filter(Negate(is.null), reference@scales[intersect(reference_scale_fields, names(reference@scales))]),
        placement = reference@scales$placement, W = lapply(reference@W, unname), H = all_embeddings(reference)
    )
    connection <- gzfile(file, "wb")
    on.exit(close(connection))
    writeLines(jsonlite::toJSON(held, digits = I(8), matrix = "columnmajor", auto_unbox = FALSE), connection)
    invisible(file)
}

# A path of some of the cells, with their labels.
reduced_to_landmarks <- function(path, labels = NULL, landmarks = 1000, reduction = NULL) {
    object <- path
    path <- as_path(object, reduction)
    landmarks <- assert_count(landmarks, "landmarks", min = 2)
    if (is.null(path@scales$placement)) {
        stop_pnmf("'path' must have been fitted by this version of the package to become a reference: fit it again")
    }
    n <- dim(path)[2]
    if (!is.null(labels)) {
        labels <- addNA(cell_labels(labels_of(object, labels, cells = path@cell_names), n), ifany = TRUE)
        assert_enough_landmarks(table(labels), landmarks)
    }
    kept <- landmark_cells(reference_coordinates(path@scales)[1L, ], labels, min(landmarks, n))
    path <- subset_cells(path, kept)
    path@data <- NULL
    path@scales <- landmark_scales(path@scales)
    path@parameters$labels <- as.character(labels)[kept]
    if (is.null(labels)) path@parameters$labels <- NULL
    path
}

# Stops or warns if there are too few landmarks for the labels.   size: cells of each label
assert_enough_landmarks <- function(size, landmarks) {
    if (landmarks < length(size)) {
        stop_pnmf("'landmarks' must be at least one for each of the ", length(size), " labels, not ", landmarks)
    }
    needed <- sum(pmin(size, 20L))
    if (landmarks < needed) {
        warn_pnmf("'landmarks' = ", landmarks, " leaves some labels fewer than 20 cells, so transfer_labels() will ",
                  "often be wrong: use at least ", needed)
    }
}

# Positions of at most n cells, spread evenly along a coordinate: of each label 20, if there is room, and its share of
# the others.
landmark_cells <- function(coordinate, labels, n) {
    label <- if (is.null(labels)) rep(1L, length(coordinate)) else as.integer(factor(labels, exclude = NULL))
    groups <- split(seq_along(coordinate), label)
    size <- lengths(groups)
    # The largest number up to 20 that every label can keep.
    cap <- max(1L, which(vapply(seq_len(20L), function(cap) sum(pmin(size, cap)) <= n, logical(1))))
    least <- pmin(size, cap)
    wanted <- least + floor(max(0, n - sum(least)) * (size - least) / max(1, sum(size - least)))
    kept <- Map(function(cells, wanted) {
        cells[order(coordinate[cells])][unique(round(seq(1, length(cells), length.out = wanted)))]
    }, groups, wanted)
    sort(unlist(kept, use.names = FALSE))
}

# Local scales and radii of the landmarks among themselves. Distances that were measured on more features than the
# scales keep are not known for landmarks.
landmark_scales <- function(scales) {
    if (is.null(scales$coordinates)) return(scales)
    points <- if (scales$metric == "cosine") unit_length(scales$coordinates) else scales$coordinates
    k <- min(max(local_scale_neighbor, scales$n_neighbors), scales$n_cells - 1L)
    distance <- nearest_neighbors(points, k, FALSE, 1L)$distance
    if (!is.null(scales$local_scale)) {
        scales$local_scale <- local_scales(list(metric = scales$metric, n = scales$n_cells), distance)
    }
    if (!is.null(scales$radius)) scales$radius <- distance[, min(scales$n_neighbors, k)]
    scales
}

reference_format <- "pNMF reference 1"

# What a file holds, beside bases, embeddings and names. All of them are numbers, strings or absent.
reference_scale_fields <- c("threshold", "betti0", "n_edges", "multiplicity", "weight", "gap", "place", "full_scales",
                            "select", "metric", "graph", "tree", "measured_on", "n_neighbors", "radius", "local_scale",
                            "coordinates", "n_cells", "effective_cells")
reference_parameters <- c("rank", "lambda_graph", "lambda_smooth", "lambda_anchor", "alpha", "solver", "labels",
                          "fitted_cells")

#' @rdname write_reference
#' @export
read_reference <- function(file) {
    assert_installed("jsonlite", "read_reference()")
    file <- assert_string(file, "file")
    if (!file.exists(file)) stop_pnmf("'file' must be an existing file, not \"", file, "\"")
    held <- tryCatch(jsonlite::fromJSON(paste(readLines(file, warn = FALSE), collapse = ""), simplifyMatrix = FALSE),
                     error = function(e) NULL)
    if (!is.list(held) || !identical(held$format, reference_format)) {
        stop_pnmf("'file' must be a reference that write_reference() wrote, but \"", file, "\" is not")
    }
    tryCatch(reference_path(held), error = function(e) {
        stop_pnmf("'file' must be a whole reference, but \"", file, "\" is damaged: ", conditionMessage(e))
    })
}

reference_path <- function(held) {
    as_columns <- function(columns) unname(do.call(cbind, lapply(columns, as.numeric)))
    scales <- held$scales
    if (!is.null(scales$coordinates)) scales$coordinates <- as_columns(scales$coordinates)
    scales$placement <- lapply(held$placement, function(field) if (is.list(field)) as_columns(field) else field)
    scales["edges"] <- list(list(i = integer(), j = integer(), length = numeric()))
    scales$mst <- data.frame(i = integer(), j = integer(), length = numeric())
    scales$cell_names <- held$cells
    parameters <- held$parameters
    new_path(structure(scales, class = "persistence_scales"), W = lapply(held$W, as_columns),
             H = lapply(held$H, as_columns),
             objective = data.frame(outer = integer(), objective = numeric(), relative_decrease = numeric()),
             convergence = list(), parameters = parameters, feature_names = held$features, cell_names = held$cells)
}
