# The part of a cell's name, in parentheses, that is its label.
label_patterns <- list(
    GSE75748 = "^[^.]+\\.([0-9]+h).*$",
    GSE94820 = "^([^_]+)_.*$",
    GSE75140 = "^.*_(?:hOrg)?([0-9]+(?:d|wpc))(?:_.*)?$"
)

labels_in_names <- function(cells, format) {
    pattern <- label_patterns[[format]]
    if (is.null(pattern)) return(NULL)
    odd <- !grepl(pattern, cells)
    if (any(odd)) {
        stop_pnmf("the cell names must contain the labels as in ", format, ", but ", sum(odd), " of ", length(cells),
                  " do not, such as \"", cells[odd][1], "\"; give 'labels' or another 'format'")
    }
    as_label_factor(sub(pattern, "\\1", cells), cells)
}

# Levels ordered by their leading number and unit (days before weeks), otherwise alphabetically.
as_label_factor <- function(labels, cells) {
    if (!is.factor(labels)) {
        distinct <- sort(unique(as.character(labels)), method = "radix")
        number <- suppressWarnings(as.numeric(sub("^([0-9]*).*$", "\\1", distinct)))
        unit <- sub("^[0-9]*", "", distinct)
        if (!anyNA(number)) distinct <- distinct[order(unit, number)]
        labels <- factor(as.character(labels), levels = distinct)
    }
    names(labels) <- cells
    droplevels(labels)
}

given_labels <- function(labels, cells) {
    label_codes(labels, "labels")
    if (length(labels) != length(cells)) {
        stop_pnmf("'labels' must have one label per cell (", length(cells), "), not ", length(labels))
    }
    as_label_factor(labels, cells)
}
