# Finds a path, the labels of its cells and its data, in a path or in a container such as a Seurat object. To make a
# function accept containers, begin it with `path <- as_path(path, reduction)` and use `labels_of()` for every argument
# with one label per cell.

# The path itself, or the path inside an object. `reduction` names it if the object holds several; `also` is what else
# the caller takes.
as_path <- function(object, reduction = NULL, arg = "path", also = "") {
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
                  "SingleCellExperiment that contains one", also, ", not ", describe(object))
    }
    PNMFPath(object, path_name(object, reduction))
}

as_scales.default <- function(scales) { # nolint: object_name_linter.
    if (!is(scales, "pNMFPath") && !is_host(scales)) assert_scales(scales, "scales")
    path <- as_path(scales)
    found <- path@scales
    found$alpha <- path@parameters$alpha
    as_scales(found)
}

# Name of the reduction that holds the path: the given name, the only one, or the default name of a fit.
path_name <- function(object, reduction = NULL, arg = "reduction") {
    if (!is.null(reduction)) return(assert_reduction(object, reduction, arg))
    held <- held_paths(object)
    if (length(held) == 1L) return(held)
    if (length(held) == 0L) stop_no_held_path(object)
    usual <- if (is(object, "Seurat")) "pnmf" else "PNMF"
    if (usual %in% held) return(usual)
    stop_pnmf("'", arg, "' must name one of the object's pNMF paths: ", paste(held, collapse = ", "))
}

# The name of one of the object's reductions, with or without a path.
assert_reduction <- function(object, reduction, arg = "reduction") {
    seurat <- is(object, "Seurat")
    known <- if (seurat) names(object@reductions) else SingleCellExperiment::reducedDimNames(object)
    assert_one_of(assert_string(reduction, arg), known, arg, if (seurat) "reductions" else "reduced dimensions")
}

# A name among `known`, or a position in it.
assert_one_of <- function(value, known, arg, what) {
    if (is.numeric(value)) return(assert_count(value, arg, max = length(known)))
    named <- is.character(value) && length(value) == 1L
    if (named && value %in% known) return(value)
    stop_pnmf("'", arg, "' must be one of the object's ", what, " (",
              if (length(known) == 0L) "there are none" else paste(known, collapse = ", "), "), not ",
              describe(value), if (named) nearest_hint(value, known))
}

stop_no_held_path <- function(object) {
    lost <- if (is(object, "Seurat")) {
        "RunPNMF() first, or again if a reduction lost its path in merge(), which only keeps embeddings; "
    } else {
        "runPNMF() first, or again if the metadata lost the path named \"PNMF\"; "
    }
    stop_pnmf("object has no pNMF path: run ", lost, "a path of all its cells can be put back with ",
              "PNMFPath(object) <- path")
}

# One label per cell, or, for an object, the name of a column of its metadata ("ident" is a Seurat object's identities).
# `cells` are the cells of the path; a Seurat reduction may hold fewer cells than the object.
labels_of <- function(object, labels, arg = "labels", cells = NULL) {
    if (missing(labels)) stop_pnmf("'", arg, "' must be one label per cell, but is missing")
    if (!is_host(object) || !is.character(labels) || length(labels) != 1L || is.na(labels)) {
        return(labels_by_name(labels, cells, arg))
    }
    columns <- host_columns(object)
    if (!(labels %in% columns)) {
        if (ncol(object) == 1L) return(labels)
        known <- if (length(columns) > 0L) abbreviated(columns) else "it has none"
        stop_pnmf("'", arg, "' must be one label per cell or a column of the metadata (", known, "), not ",
                  describe(labels), nearest_hint(labels, columns))
    }
    host_column(object, labels, cells)
}

# Labels with the names of cells are matched by them; other names say nothing.
labels_by_name <- function(labels, cells, arg = "labels") {
    given <- names(labels)
    if (is.null(cells) || is.null(given) || !(is.atomic(labels) || is.factor(labels))) return(labels)
    places <- match(cells, make.unique(given)) # as the path's own names
    if (all(is.na(places))) return(labels)
    if (anyNA(places)) {
        stop_pnmf("'", arg, "' must name every cell of the path or none, but has no label for ", sum(is.na(places)),
                  " of ", length(cells), "; the first is '", cells[is.na(places)][1], "'")
    }
    unname(labels[places])
}

# The data that a path was fitted to, features x cells in the order of the path: `x` if given, otherwise the data in the
# path, otherwise the layer or assay of the object. `purpose` completes the error "... needs them".
path_data <- function(object, path, x = NULL, reduction = NULL, purpose = "this function") {
    given <- !is.null(x)
    if (!given) x <- path@data
    if (is.null(x) && is_host(object)) x <- host_data(object, path, path_name(object, reduction))
    if (is.null(x) || is_streamed(x)) {
        stop_pnmf("'x' must be the data the path was fitted to, features x cells: ", purpose, " needs them, and the ",
              "path does not hold them in memory; pass them as x = ")
    }
    x <- assert_path_data(x, path)
    if (given) warn_if_new_counts(x, path, "'x'")
    x
}

# Names to show for the features of the path: their own, those in a column of the object's row data (as in scater), or
# one given name per feature. Features without such a name keep their own. Features that share a name show both, unless
# others must find the name (`plain`).
displayed_names <- function(object, path, swap_rownames = NULL, reduction = NULL, plain = FALSE) {
    features <- path@feature_names
    if (is.null(swap_rownames)) {
        if (is_host(object)) inform_of_symbols(features, feature_table(object, path_name(object, reduction)))
        return(features)
    }
    names <- if (is_host(object) && length(swap_rownames) == 1L) {
        swapped_column(object, path, assert_string(swap_rownames, "swap_rownames"), reduction)
    } else {
        names_of_features(swap_rownames, features)
    }
    if (!(is.character(names) || is.factor(names)) || length(names) != length(features)) {
        stop_pnmf("'swap_rownames' must be a column of the object's row data or one name for each of the ",
                  length(features), " features, not ", describe(swap_rownames))
    }
    names <- as.character(names)
    unnamed <- is.na(names) | !nzchar(names)
    names[unnamed] <- features[unnamed]
    if (plain) return(names)
    shared <- names %in% names[duplicated(names)]
    names[shared & !unnamed] <- paste0(names, " (", features, ")")[shared & !unnamed]
    names
}

# Few readers know genes by their Ensembl identifiers. table: the row data of the features
inform_of_symbols <- function(features, table) {
    if (mean(grepl("^ENS[A-Z]*G[0-9]{9}", features)) <= 0.5) return(invisible())
    columns <- colnames(table)
    column <- columns[grepl("^((gene|feature)[._]?)?(symbol|name|short_name)s?$", columns, ignore.case = TRUE)]
    if (length(column) > 0L) {
        inform_pnmf("features are Ensembl identifiers: swap_rownames = \"", column[1], "\" shows names")
    }
}

# Given names under the names of features are matched by these; others are in the order of the features.
names_of_features <- function(given, features) {
    places <- match(features, names(given))
    if (all(is.na(places))) given else given[places]
}

swapped_column <- function(object, path, column, reduction) {
    table <- feature_table(object, path_name(object, reduction))
    if (!(column %in% colnames(table))) {
        stop_pnmf("'swap_rownames' must be a column of the object's row data (",
                  if (length(colnames(table)) == 0L) "there are none" else abbreviated(colnames(table)), "), not ",
                  describe(column), nearest_hint(column, colnames(table)))
    }
    as.character(table[[column]])[match(path@feature_names, make.unique(rownames(table)))]
}

assert_path_data <- function(x, path) {
    x <- match_features(as_data_matrix(x), path, "x")
    places <- matched_places(colnames(x), path@cell_names, ncol(x), "x", "cells", "cell")
    if (is.null(places)) x else x[, places, drop = FALSE]
}

# Labels of cells as a factor, NA where a cell has none.
cell_labels <- function(labels, n, name = "labels") {
    if (is.null(labels)) return(NULL)
    plain <- is.atomic(labels) || is.factor(labels)
    if (length(labels) != n || !plain) {
        stop_pnmf("'", name, "' must have one entry for each of the ", n, " cells, not ",
                  if (plain) length(labels) else describe(labels), column_hint(labels))
    }
    assert_groups(labels, name)
    if (is.factor(labels)) labels <- droplevels(labels, exclude = NA)
    if (all(is.na(labels))) stop_pnmf("'", name, "' must label some cells, but all ", n, " labels are NA")
    if (is.factor(labels)) labels else factor(labels, levels = label_order(as.character(labels)))
}

# The end of an error about the number of labels: a single one is meant as the name of a column.
column_hint <- function(labels) {
    if (!is.character(labels) || length(labels) != 1L) return("")
    paste0(": only Seurat objects and SingleCellExperiments have columns such as ", describe(labels))
}

# Numbers of clusters are labels; shares, depths and other measurements are not.
max_numbered_groups <- 200L
assert_groups <- function(labels, name) {
    if (!is.numeric(labels)) return(invisible())
    measured <- labels[!is.na(labels) & labels != round(labels)]
    if (length(measured) > 0L) {
        stop_pnmf("'", name, "' must be groups of cells, not measurements such as ", format(measured[1]),
                  "; cut() makes groups of numbers")
    }
    if (length(unique(labels)) > max_numbered_groups) {
        stop_pnmf("'", name, "' must be groups of cells, not ", length(unique(labels)), " different numbers; cut() ",
                  "makes groups of them")
    }
}

# For plots and pages.
shown_labels <- function(labels, n, name = "labels") {
    assert_groups(labels, name)
    cell_labels(with_no_label(labels), n, name)
}

# Missing labels as a group of their own, the last one, unless all are missing.
with_no_label <- function(labels) {
    if (!(is.atomic(labels) || is.factor(labels)) || !anyNA(labels) || all(is.na(labels))) return(labels)
    known <- if (is.factor(labels)) levels(droplevels(labels)) else label_order(as.character(labels[!is.na(labels)]))
    none <- utils::tail(make.unique(c(known, "no label")), 1L)
    factor(ifelse(is.na(labels), none, as.character(labels)), levels = c(known, none))
}

# The data that a fit of an object would use: those of its path or, without a path, those that RunPNMF() and runPNMF()
# would choose.
fit_input <- function(object, reduction = NULL) {
    if (is.null(reduction) && length(held_paths(object)) == 0L) return(host_input(object))
    name <- path_name(object, reduction)
    host_data(object, PNMFPath(object, name), name)
}
