# What pnmf() takes, but what the user should know of: raw counts, cells without a value, repeated names, rows that look
# like cells, a column that numbers the rows.

# Says it, and returns what later functions need to know: list(raw_counts = TRUE, empty_cells = positions), each only if
# it applies.
input_notes <- function(x) {
    counts <- looks_like_counts(x)
    if (counts) warn_raw_counts("'x'", "run normalize_counts()")
    empty <- which(cell_means(x) == 0)
    if (length(empty) > 0L) inform_empty_cells(cell_names_of(x)[empty])
    inform_repeated(colnames(x), "cell")
    inform_repeated(rownames(x), "feature")
    warn_if_transposed(rownames(x))
    warn_if_index(x)
    c(if (counts) list(raw_counts = TRUE), if (length(empty) > 0L) list(empty_cells = empty))
}

# Raw counts work, but the few genes with the largest counts dominate the fit.
looks_like_counts <- function(x) {
    if (is_streamed(x)) return(x$counts)
    values <- some_values(x)
    largest <- max(values, 0)
    largest > 1 && largest < 1e9 && all(values == round(values))
}

warn_raw_counts <- function(where, advice) {
    warn_pnmf(where, " holds whole numbers only and looks like raw counts: ", advice, " first",
              class = "pnmf_raw_counts")
}

# Data for a path must be on the scale of those it was fitted to.
warn_if_new_counts <- function(x, path, name) {
    if (isTRUE(path@parameters$raw_counts) || !looks_like_counts(x)) return(invisible())
    warn_raw_counts(name, "normalise it as the data of the fit")
}

# Evaluates a fit to data out of a container. `where` and `advice` are what the container calls its data, and its
# function that normalises them.
with_counts_named <- function(fit, where, advice) {
    withCallingHandlers(fit, pnmf_raw_counts = function(warning) {
        warn_raw_counts(where, advice)
        invokeRestart("muffleWarning")
    })
}

inform_empty_cells <- function(names) {
    one <- length(names) == 1L
    inform_pnmf(length(names), if (one) " cell has" else " cells have", " no positive value (", abbreviated(names, 4L),
                "): nothing is known about ", if (one) "it, and it gets" else "them, and they get", " no cluster (NA)")
}

inform_repeated <- function(names, what) {
    repeated <- which(duplicated(names))
    if (length(repeated) == 0L) return(invisible())
    inform_pnmf(length(repeated), " ", what, if (length(repeated) == 1L) " name repeats" else " names repeat",
                " an earlier one: the path calls ", if (length(repeated) == 1L) "it '" else "the first repeat '",
                make.unique(names)[repeated[1]], "' instead of '", names[repeated[1]], "'")
}

# Rows are features. Ten letters of DNA or more are a barcode, not the name of a gene.
warn_if_transposed <- function(names) {
    barcodes <- grepl("^([^_]+_)?[ACGT]{10,}([-_.][A-Za-z0-9]+)*$", names)
    if (length(names) > 0L && mean(barcodes) > 0.5) {
        warn_pnmf("the rows of 'x' have names like barcodes of cells ('", names[barcodes][1], "'): 'x' must be ",
                  "features x cells, so t(x) may be meant (transpose counts before you normalise them)")
    }
}

# Tables that were written with row numbers have them as their first column.
warn_if_index <- function(x) {
    n <- nrow(x)
    if (is_streamed(x) || n < 10L) return(invisible())
    steps <- diff(x[, 1L])
    if (all(steps == 1)) {
        warn_pnmf("the first column of 'x' (", describe(cell_names_of(x)[1L]), ") numbers the rows from ", x[1L, 1L],
                  " to ", x[n, 1L], ": if it is not a cell, leave it out with x[, -1]")
    }
}
