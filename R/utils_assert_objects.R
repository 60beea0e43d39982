# Checks of objects: scales, paths, clusters, checkpoints, and the containers that hold them.

# Labellings of the same cells, one column per scale.
assert_clusters <- function(clusters, name, min_scales = 1L, reduction = NULL) {
    clusters <- clusters_of(clusters, reduction, name)
    if (is.matrix(clusters)) clusters <- as.data.frame(clusters)
    if (!is.data.frame(clusters)) {
        stop_pnmf("'", name, "' must be a data frame of labels, cells x scales, as path_clusters() returns, not ",
                  describe(clusters))
    }
    if (ncol(clusters) < min_scales || nrow(clusters) < 1L) {
        stop_pnmf("'", name, "' must have at least ", min_scales, if (min_scales == 1L) " scale" else " scales",
                  " and one cell, not ", ncol(clusters), " and ", nrow(clusters))
    }
    for (column in names(clusters)) label_codes(clusters[[column]], paste0(name, "$", column))
    clusters
}

# The labels already agree, so only a forged file can fail here.
assert_state_size <- function(found, expected) {
    if (!identical(as.numeric(found), as.numeric(expected))) {
        stop_pnmf("'resume' must be a checkpoint of ", paste(expected, collapse = " x "),
                  " scales, factors, features and cells, not of ", paste(found, collapse = " x "))
    }
}

assert_same_labels <- function(found, expected) {
    for (name in names(expected)) {
        there <- found$labels[name]
        if (identical(unname(there), unname(expected[name]))) next
        if (name %in% c("x", "scales") || is.na(there)) {
            stop_pnmf("'resume' must be a checkpoint of the same '", name, "', but it was written for another one")
        }
        stop_pnmf("'resume' must be a checkpoint of the same '", name, "', but it was written with ",
                  label_text(there), ", not ", label_text(expected[name]))
    }
}

assert_told_apart <- function(path, cells, group, t) {
    if (length(cells) == 0L) return(invisible())
    rows <- do.call(cbind, lapply(seq_along(path@H), function(t) t(scale_embedding(path, t, cells))))
    if (length(unique(row_codes(rows))) > length(unique(group[cells]))) {
        stop_pnmf("cells were dropped and renamed, and ", length(cells), " of the path's cells cannot be ",
                  "distinguished at scale ", t, ": restore their old names, or fit again")
    }
}

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
              if (length(available) == 0L) "none" else paste(available, collapse = ", "),
              "): run NormalizeData() first",
              if (identical(available, "scale.data")) " on an object with counts; scaled values cannot be factorised")
}

# A layer of a v5 assay may hold only some of the cells.
assert_whole_layer <- function(object, assay, layer) {
    if (!is(object, "StdAssay")) return(layer)
    held <- length(SeuratObject::Cells(object, layer = layer))
    if (held < ncol(object)) stop_split(assay, layer, paste("it holds", held, "of", ncol(object), "cells"))
    layer
}

assert_assay <- function(object, assay) {
    if (is.null(assay)) return(SeuratObject::DefaultAssay(object))
    assay <- assert_string(assay, "assay")
    assays <- names(object@assays)
    if (!(assay %in% assays)) {
        stop_pnmf("'assay' must be one of the object's assays (", paste(assays, collapse = ", "), "), not \"", assay,
                  "\"")
    }
    assay
}

assert_reduction <- function(object, reduction, name = "reduction") {
    reduction <- assert_string(reduction, name)
    reductions <- names(object@reductions)
    if (!(reduction %in% reductions)) {
        stop_pnmf("'", name, "' must be one of the object's reductions (",
                  if (length(reductions) == 0L) "there are none" else paste(reductions, collapse = ", "),
                  "), not \"", reduction, "\"")
    }
    reduction
}

assert_cells_known <- function(cells, path) {
    unknown <- !(cells %in% path@cell_names)
    if (any(unknown)) {
        stop_pnmf("'value' must be a path with all cells of the object, but it lacks ", sum(unknown), " of ",
                  length(cells), "; the first is '", cells[unknown][1], "'")
    }
    cells
}

assert_reduction_key <- function(key) {
    if (!grepl("^[[:alnum:]]+_$", assert_string(key, "reduction.key"))) {
        stop_pnmf("'reduction.key' must be letters and digits followed by one underscore, such as \"PNMF_\", not ",
                  describe(key))
    }
    key
}

assert_scale_indices <- function(i, n) {
    if (is.logical(i) && length(i) == n && !anyNA(i)) i <- which(i)
    if (is.numeric(i) && length(i) > 0L && all(is.finite(i)) && all(i < 0)) {
        i <- setdiff(seq_len(n), assert_indices(-i, "-i", n))
    }
    i <- assert_indices(i, "i", n)
    if (is.unsorted(i, strictly = TRUE)) {
        stop_pnmf("'i' must name each scale once, in ascending order: a path runs from fine to coarse")
    }
    i
}

assert_only_scale <- function(t) {
    if (!is.numeric(t) || length(t) != 1L || is.na(t) || t != 1) {
        stop_pnmf("'t' must be 1, not ", describe(t), ": a fit at a single scale has no other")
    }
}

assert_parameter_results <- function(results) {
    wanted <- c(penalty_names, radar_scores)
    if (!is.data.frame(results) || nrow(results) == 0L) {
        stop_pnmf("'results' must be a data frame as parameter_analysis() returns, not ", describe(results))
    }
    missing <- setdiff(wanted, names(results))
    if (length(missing) > 0L) {
        stop_pnmf("'results' must be a data frame as parameter_analysis() returns, but it lacks ",
                  paste(missing, collapse = ", "))
    }
    finite <- vapply(results[wanted], function(value) is.numeric(value) && all(is.finite(value)), logical(1))
    if (!all(finite)) {
        stop_pnmf("'results$", wanted[!finite][1], "' must be finite numbers, not ",
                  describe(results[[wanted[!finite][1]]]))
    }
    results
}

# An object of the class, with a number of edges for every threshold.
assert_scales <- function(scales, name) {
    assert_class(scales, "persistence_scales", name, "persistence_scales()")
    n <- length(scales$threshold)
    if (n == 0L || !is.numeric(scales$threshold) || length(scales$n_edges) != n) {
        stop_pnmf("'", name, "' must have a number of edges for each of its thresholds, as persistence_scales() ",
                  "returns them")
    }
    scales
}

assert_scales_to_compare <- function(n, name) {
    if (n < 2L) stop_pnmf("'", name, "' must have at least two scales to compare, not ", n)
}

# Graphs come from a list of edges or from the coordinates that give one.
assert_graphs <- function(scales, name) {
    if (is.null(scales$edges) && is.null(scales$space)) {
        stop_pnmf("'", name, "' must have the graphs of its scales, as persistence_scales() makes them, but has ",
                  "neither edges nor coordinates")
    }
}

# weight: number of scales of the full path that each scale represents; gap: number of steps of the full path since the
# previous scale (not used for the first). Both may be missing.
assert_scale_weights <- function(scales) {
    n_scales <- length(scales$threshold)
    positive <- function(values, used) {
        is.null(values) || (is.numeric(values) && length(values) == n_scales &&
                                all(is.finite(values[used])) && all(values[used] > 0))
    }
    if (!positive(scales$weight, seq_len(n_scales)) || !positive(scales$gap, seq_len(n_scales)[-1])) {
        stop_pnmf("'scales' must have a positive 'weight' and 'gap' for each of its ", n_scales, " scales, or none")
    }
}

# An overflow inside a fit is an error, not a result.
assert_finite_fit <- function(fit) {
    finite <- all(is.finite(fit$objective)) && all(vapply(fit$H, is_finite_nonnegative, logical(1)))
    if (!finite) {
        stop_pnmf("the fit overflowed: rescale 'x' or use smaller penalties ('lambda_graph', 'lambda_smooth', ",
                  "'lambda_anchor')")
    }
}

# mst: edges of a spanning tree, with 'i' and 'j'.
assert_spanning_tree <- function(mst, n_cells) {
    ends <- c(mst$i, mst$j)
    if (!is.numeric(ends) || anyNA(ends) || any(ends < 1 | ends > n_cells)) {
        stop_pnmf("'path' must have a spanning tree of its ", n_cells,
                  " cells in 'scales', but its edges name other cells")
    }
}
