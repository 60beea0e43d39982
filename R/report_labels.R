# Labellings of the cells on a page: any number of columns, and the clusters of the object.

# A list of factors, named. `labels`: NULL, one label per cell, or a data frame or list of such. Cells may lack a label.
# cells: their names, by which named labels and the rows of a data frame are matched
label_columns <- function(labels, n, cells = NULL) {
    if (is.null(labels)) return(list())
    if (is(labels, "DFrame")) labels <- BiocGenerics::as.data.frame(labels, optional = TRUE)
    if (!is.list(labels)) return(list(label = shown_labels(labels_by_name(labels, cells), n)))
    if (is.data.frame(labels)) {
        rows <- labels_by_name(stats::setNames(seq_len(nrow(labels)), rownames(labels)), cells)
        labels <- labels[rows, , drop = FALSE]
    }
    if (length(labels) == 0L || is.null(names(labels)) || !all(nzchar(names(labels))) || anyDuplicated(names(labels))) {
        stop_pnmf("'labels' must be one label per cell, or a data frame or list of such columns with distinct names, ",
                  "not ", describe(labels))
    }
    labels <- lapply(as.list(labels), labels_by_name, cells)
    stats::setNames(Map(function(column, name) shown_labels(column, n, paste0("labels$", name)), labels,
                        names(labels)), names(labels))
}

# The clusterings of the object that differ from the given labellings, have more than one group and no missing values.
own_columns <- function(own, columns, n) {
    for (name in names(own)) {
        if (anyNA(own[[name]])) next
        new <- cell_labels(own[[name]], n)
        known <- vapply(columns, same_partition, logical(1), new)
        if (nlevels(new) < 2L || any(known)) next
        columns[[utils::tail(make.unique(c(names(columns), name), " "), 1L)]] <- new
    }
    columns
}

same_partition <- function(a, b) {
    nlevels(a) == nlevels(b) && nrow(unique(data.frame(as.integer(a), as.integer(b)))) == nlevels(a)
}

# One label per cell, or for an object one or several names of columns.
host_labels <- function(object, labels, cells = NULL) {
    several <- is.character(labels) && length(labels) > 1L &&
        (length(labels) != ncol(object) || all(labels %in% host_columns(object)))
    if (several) {
        return(stats::setNames(lapply(labels, function(name) labels_of(object, name, cells = cells)), labels))
    }
    found <- labels_of(object, labels, cells = cells)
    named <- is.character(labels) && length(labels) == 1L && length(found) != 1L
    if (named) stats::setNames(list(found), labels) else found
}

# Clusterings that functions of Seurat and Bioconductor store in an object.
host_clusterings <- function(object, cells = NULL) {
    if (is(object, "Seurat")) {
        columns <- c(identity = "ident", "seurat_clusters" = "seurat_clusters")
        columns <- columns[columns %in% host_columns(object)]
        return(lapply(columns, function(name) host_column(object, name, cells)))
    }
    labels <- SingleCellExperiment::colLabels(object, onAbsence = "none")
    if (is.null(labels)) list() else list("colLabels" = labels)
}
