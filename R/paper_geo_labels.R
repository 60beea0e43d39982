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

# Labels from the user: a vector, or the name of a file.
given_labels <- function(labels, label_column, cells) {
    if (is.character(labels) && length(labels) == 1L && (length(cells) > 1L || file.exists(labels))) {
        labels <- labels_in_file(assert_readable_file(labels, "labels"), label_column, cells)
    }
    label_codes(labels, "labels")
    if (length(labels) != length(cells)) {
        stop_pnmf("'labels' must have one label per cell (", length(cells), "), not ", length(labels))
    }
    as_label_factor(labels, cells)
}

labels_in_file <- function(path, label_column, cells) {
    table <- label_table(path)
    ids <- which(vapply(seq_len(ncol(table)), function(j) all(cells %in% table[, j]), logical(1)))
    partial <- vapply(seq_len(ncol(table)), function(j) mean(cells %in% table[, j]), numeric(1))
    if (length(ids) == 0L && any(partial > 0.5)) {
        missing <- cells[!(cells %in% table[, which.max(partial)])]
        stop_pnmf("'labels': ", quoted_name(path), " must name every cell, but lacks ", length(missing), " of ",
                  length(cells), ", such as \"", missing[1], "\"")
    }
    header <- has_header(table, ids, cells, path)
    column <- label_position(if (header) table[1, ], ncol(table), label_column, ids[1], path)
    rows <- if (length(ids) > 0L) match(cells, table[, ids[1]]) else seq_along(cells) + header
    table[rows, column]
}

max_label_bytes <- 1e8

# All lines as a character matrix. A header that lacks one field gets an empty first field.
label_table <- function(path) {
    lines <- first_lines(path, Inf, max_label_bytes)
    if (length(lines) == 0L) stop_pnmf("'labels' must be a file with labels, but ", quoted_name(path), " is empty")
    sep <- if (grepl("[,\t;]", lines[length(lines)])) {
        likely_separator(lines[length(lines)])
    } else if (grepl("\" \"", lines[length(lines)], fixed = TRUE)) {
        " "
    } else {
        "\t"
    }
    fields <- lapply(split_fields(lines, sep), trimws)
    width <- length(fields[[length(fields)]])
    if (length(fields[[1]]) == width - 1L) fields[[1]] <- c("", fields[[1]])
    field_table(fields, width, seq_along(lines), path)
}

has_header <- function(table, ids, cells, path) {
    if (length(ids) > 0L) return(!(table[1, ids[1]] %in% cells))
    extra <- nrow(table) - length(cells)
    if (!(extra %in% 0:1)) {
        stop_pnmf("'labels' must have one label per cell (", length(cells), "), but ", quoted_name(path), " has ",
                  nrow(table), if (nrow(table) == 1L) " line" else " lines")
    }
    extra == 1L
}

label_position <- function(header, width, label_column, id, path) {
    if (!is.null(label_column)) {
        column <- if (is.character(label_column)) match(label_column[1], header) else label_column
        if (length(label_column) != 1L || is.na(column) || !(column %in% seq_len(width))) {
            stop_pnmf("'label_column' must be a column of ", quoted_name(path), " (",
                      if (is.null(header)) paste("1 to", width) else paste0("\"", header, "\"", collapse = ", "),
                      "), not ", describe(label_column))
        }
        return(as.integer(column))
    }
    usual <- c("label", "labels", "cell_type", "celltype", "cell type", "x", "class", "cluster", "group", "type")
    named <- match(usual, tolower(header))
    named <- named[!is.na(named) & !(named %in% id)]
    if (length(named) > 0L) named[1] else max(setdiff(seq_len(width), if (width > 1L) id))
}
