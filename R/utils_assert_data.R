# Checks of data: what may be factorised, and what belongs to a path's cells and features.

assert_factor <- function(m, shape, name) {
    if (!is.matrix(m) || !is.numeric(m) || !identical(as.numeric(dim(m)), as.numeric(shape))) {
        stop_pnmf("'", name, "' must be a ", shape[1], " x ", shape[2], " matrix, not ", describe(m))
    }
    assert_finite_values(m, name)
    assert_nonnegative_values(m, name)
    storage.mode(m) <- "double"
    unname(m)
}

assert_truth <- function(truth, n_cells) {
    classes <- label_codes(truth, "truth")
    if (length(classes) != n_cells) {
        stop_pnmf("'truth' must have one label per cell (", n_cells, "), not ", length(classes))
    }
    if (max(classes) == 1L) stop_pnmf("'truth' must have at least two classes, not 1: there is nothing to score")
    classes
}

assert_no_container <- function(x) {
    if (is(x, "Seurat")) stop_pnmf("'x' is a Seurat object: use RunPNMF()")
    if (is(x, "SummarizedExperiment")) stop_pnmf("'x' is a ", class(x)[1], ": use runPNMF()")
}

assert_fittable <- function(x) {
    if (ncol(x) < 2L) stop_pnmf("'x' must have at least two cells (columns), not ", ncol(x))
    largest <- largest_entry(x)
    if (largest == 0) stop_pnmf("'x' must have a positive entry, but all are zero")
    if (largest > 1e120 || largest < 1e-120) {
        stop_pnmf("'x' must have a largest entry between 1e-120 and 1e120, not ", format(largest),
                  ": rescale it, because its squares would overflow or vanish")
    }
}

# Penalties times squared factors must stay finite. Otherwise NaN in an update could look like a zero.
assert_no_overflow <- function(x, penalties) {
    max_penalty <- 1e250 / max(1, squared_norm(x))
    if (any(penalties > max_penalty)) {
        name <- names(penalties)[which.max(penalties)]
        stop_pnmf("'", name, "' must be at most ", format(max_penalty, digits = 3), " for data of this size, not ",
                  format(max(penalties)), ": the objective would overflow")
    }
}

assert_distances_at_hand <- function(x) {
    if (is_streamed(x)) {
        stop_pnmf("'space' must be given for data on disk that exceed 'memory' of pnmf_control() (",
                  paste(dim(x), collapse = " x "), "): coordinates of the cells in which distances are measured, such ",
                  "as principal components")
    }
}

assert_delayed_array <- function(name) {
    if (!requireNamespace("DelayedArray", quietly = TRUE)) {
        stop_pnmf("'", name, "' is a DelayedMatrix: install DelayedArray to read it")
    }
}

# Cells are indexed by 32-bit integers, in R's sparse matrices and in the core alike.
assert_index_limits <- function(dims, name) {
    if (any(dims > .Machine$integer.max)) {
        stop_pnmf("'", name, "' must have fewer than 2^31 rows and columns, not ",
                  paste(dims, collapse = " x "))
    }
}

# min() and max() read the values in place; range() would copy them.
assert_finite_values <- function(values, name) {
    if (is.finite(min(values, 0)) && is.finite(max(values, 0))) return(invisible())
    kind <- if (anyNA(values)) "NA or NaN" else "infinite"
    count <- sum(!is.finite(values))
    stop_pnmf("'", name, "' must be finite, but ", count, if (count == 1L) " entry is " else " entries are ", kind)
}

assert_nonnegative_values <- function(values, name) {
    lowest <- min(values, 0)
    if (lowest < 0) {
        stop_pnmf("'", name, "' must be nonnegative, but its smallest entry is ", format(lowest),
                  " (use log-normalised values, not scaled or centred ones)")
    }
}

assert_path_data <- function(x, path) {
    x <- match_features(as_data_matrix(x), path, "x")
    places <- matched_places(colnames(x), path@cell_names, ncol(x), "x", "cells", "cell")
    if (is.null(places)) x else x[, places, drop = FALSE]
}

assert_gene_data <- function(data, path) {
    n <- dim(path)[2]
    if (length(dim(data)) != 2L || ncol(data) != n) {
        stop_pnmf("'data' must be a matrix of features x the path's ", n, " cells, not ", describe(data))
    }
    if (is.null(rownames(data))) {
        if (nrow(data) != dim(path)[1]) stop_pnmf("'data' must have row names, the names of the features")
        rownames(data) <- path@feature_names
    }
    if (!is.null(colnames(data)) && setequal(colnames(data), path@cell_names)) {
        return(data[, path@cell_names, drop = FALSE])
    }
    data
}

assert_genes <- function(genes, known) {
    unknown <- setdiff(genes, known)
    if (!is.character(genes) || length(genes) == 0L || length(unknown) > 0L) {
        stop_pnmf("'genes' must be names of features of the path or the data, not ",
                  if (is.character(genes) && length(unknown) > 0L) paste0("'", unknown[1], "'") else describe(genes))
    }
    unique(genes)
}

assert_same_cells <- function(scales, x) {
    threshold <- scales$threshold
    if (length(threshold) == 0L || !all(is.finite(threshold)) || is.unsorted(threshold, strictly = TRUE)) {
        stop_pnmf("'scales' must have finite, strictly ascending thresholds")
    }
    if (scales$n_cells != ncol(x)) {
        stop_pnmf("'scales' must be for the same cells as 'x': it has ", scales$n_cells, ", 'x' has ", ncol(x))
    }
    if (!is.null(scales$cell_names) && !is.null(colnames(x)) && !identical(scales$cell_names, colnames(x))) {
        first <- which(scales$cell_names != colnames(x))[1]
        stop_pnmf("'scales' must be for the same cells as 'x', in the same order: cell ", first, " is '",
                  scales$cell_names[first], "' there and '", colnames(x)[first], "' in 'x'")
    }
    scales
}

# Matrix counts its entries in 32 bits.
assert_edges_fit <- function(scales, t) {
    if (scales$n_edges[t] > .Machine$integer.max) {
        stop_pnmf("'t' must be a scale with fewer than 2^31 edges, not ", t, ", which has ",
                  format(scales$n_edges[t], big.mark = ","), ": use graph = \"knn\" in persistence_scales()")
    }
}

# Otherwise squared distances would overflow, or all underflow to zero.
assert_squares_exist <- function(x) {
    values <- if (is(x, "dgCMatrix")) x@x else x
    largest <- max(-min(values, 0), max(values, 0))
    if (largest > 1e150 || (largest > 0 && largest < 1e-150)) {
        stop_pnmf("'x' must have a largest entry between 1e-150 and 1e150 in size, not ", format(largest),
                  ": rescale it, because squared distances could not be represented")
    }
}

assert_nonzero_cells <- function(x) {
    empty <- Matrix::colSums(x != 0) == 0
    if (any(empty)) {
        stop_pnmf("'x' has ", sum(empty), " cell(s) without any nonzero entry (the first is ", which(empty)[1],
                  "): their cosine distance is undefined")
    }
}

assert_background <- function(background, names) {
    if (is.null(background)) return(unique(names))
    if (!is.character(background) || length(background) == 0L || anyNA(background)) {
        stop_pnmf("'background' must be names of genes or NULL, not ", describe(background))
    }
    if (!any(names %in% background)) {
        stop_pnmf("'background' must contain genes of the path, but has none of its ", length(names), " genes (the ",
                  "first is '", names[1], "')")
    }
    unique(background)
}

assert_shared_features <- function(shared, features) {
    if (length(shared) == 0L) {
        stop_pnmf("'newdata' must have features of the path, but has none of its ", length(features), " features (the ",
                  "first is '", features[1], "')")
    }
    shared
}

# A gzip file ends with its uncompressed size, which R does not check: a truncated file would look like a smaller one.
# If several gzip files are concatenated, only the last size can be checked.
assert_whole_gzip <- function(path, bytes) {
    connection <- file(path, "rb", raw = TRUE)
    on.exit(close(connection))
    if (!identical(readBin(connection, "raw", 2L), gzip_start[c(1L, 2L)])) return(invisible())
    seek(connection, max(0, file.size(path) - 4))
    last <- as.integer(readBin(connection, "raw", 4L))
    stated <- sum(last * 256^(seq_along(last) - 1))
    if (!identical(stated, bytes %% 2^32) && !has_second_gzip(connection)) {
        stop_pnmf(quoted_name(path), " must be a complete gzip file, but it seems to be truncated: it holds ", bytes,
                  " bytes, but its last entry says ", stated)
    }
}

assert_short_line <- function(pieces, path) {
    if (sum(lengths(pieces)) > max_line_bytes) {
        stop_pnmf(quoted_name(path), " must have lines of at most ", format(max_line_bytes), " bytes")
    }
}

assert_fits_memory <- function(n_scales, x, parameters) {
    needed <- n_scales * scale_bytes(x, parameters)
    if (needed > parameters$control$memory) {
        stop_pnmf("a path of ", n_scales, " scales at rank ", parameters$rank, " needs about ", format_bytes(needed),
                  ", more than 'memory' of pnmf_control() (", format_bytes(parameters$control$memory),
                  "): use fewer 'scales' or a lower 'rank', keep = \"embedding\", or raise 'memory'")
    }
}
