# Reads a table of nonnegative numbers with a header row and a column of names, in pieces of bounded size.
# Returns a dgCMatrix, features x cells.
read_delimited_counts <- function(path, layout, max_entries, piece_entries = 2e6) {
    connection <- gzfile(path, "rb")
    on.exit(close(connection))
    reader <- line_reader(connection)
    header <- trimws(split_fields(reader(1L)$text, layout$sep)[[1]])
    rows <- max(1L, as.integer(piece_entries / length(header)))
    pieces <- list()
    names <- character(0)
    columns <- NULL
    step <- progress_steps("reading counts", NA)
    repeat {
        lines <- step(reader(rows))
        if (length(lines$text) == 0L) break
        fields <- split_fields(lines$text, layout$sep)
        if (is.null(columns)) columns <- column_names(header, length(fields[[1]]), layout, path)
        if ((length(names) + length(fields)) * as.numeric(length(columns)) > max_entries) {
            stop_pnmf(quoted_name(path), " holds more than ", format(max_entries), " entries (features x cells), ",
                      "the limit 'max_entries': raise it if there is enough memory")
        }
        table <- field_table(fields, length(columns) + 1L, lines$number, path)
        kept <- seq_len(length(columns) - layout$drop_last)
        values <- field_values(table[, kept + 1L, drop = FALSE], lines$number, columns[kept], path)
        names <- c(names, trimws(table[, 1]))
        if (layout$cells == "rows") values <- t(values)
        pieces[[length(pieces) + 1L]] <- as_compressed_columns(Matrix::Matrix(values, sparse = TRUE, doDiag = FALSE))
    }
    bound <- do.call(if (layout$cells == "rows") cbind else rbind, pieces)
    named_counts(bound, names, columns[kept], layout$cells, path)
}

# Fields of each line. Lines with quotes are rare and need scan(), which warns if a quote is not closed: then the number
# of fields or the field itself is wrong. All other lines use the fast strsplit(). The added separator keeps an empty
# last field, which strsplit() would drop.
split_fields <- function(lines, sep) {
    quoted <- grepl("\"", lines, fixed = TRUE)
    fields <- vector("list", length(lines))
    fields[!quoted] <- strsplit(paste0(lines[!quoted], sep), sep, fixed = TRUE)
    fields[quoted] <- lapply(lines[quoted], function(line) {
        suppressWarnings(scan(text = line, what = "", sep = sep, quote = "\"", quiet = TRUE, comment.char = "",
                              na.strings = character(0), encoding = "UTF-8"))
    })
    fields
}

# The header may lack the field for the column of names.
column_names <- function(header, n_fields, layout, path) {
    if (n_fields < 2L + layout$drop_last) {
        stop_pnmf(quoted_name(path), " must have a column of names and at least one column of numbers",
                  if (layout$drop_last) " before its last column, which is a remark", ", ",
                  "separated by commas, tabs or semicolons")
    }
    if (length(header) == n_fields) return(header[-1])
    if (length(header) == n_fields - 1L) return(header)
    stop_pnmf(quoted_name(path), " must have as many fields in its first row as in its header (", length(header),
              "), or one more, not ", n_fields)
}

field_table <- function(fields, n_fields, number, path) {
    ragged <- which(lengths(fields) != n_fields)
    if (length(ragged) > 0L) {
        stop_pnmf("line ", number[ragged[1]], " of ", quoted_name(path), " must have ", n_fields,
                  " fields like the lines before it, not ", length(fields[[ragged[1]]]))
    }
    matrix(unlist(fields, use.names = FALSE), ncol = n_fields, byrow = TRUE)
}

field_values <- function(table, number, columns, path) {
    values <- suppressWarnings(as.numeric(table))
    bad <- which(!is.finite(values) | values < 0)
    if (length(bad) > 0L) {
        row <- (bad[1] - 1L) %% nrow(table) + 1L
        column <- (bad[1] - 1L) %/% nrow(table) + 1L
        stop_pnmf("line ", number[row], ", column \"", columns[column], "\" of ", quoted_name(path),
                  " must be a finite number of at least 0, not \"", table[bad[1]], "\"")
    }
    matrix(values, nrow(table), ncol(table))
}

named_counts <- function(counts, names, columns, cells, path) {
    dimnames(counts) <- if (cells == "rows") list(columns, names) else list(names, columns)
    for (side in seq_len(2L)) {
        missing <- which(!nzchar(dimnames(counts)[[side]]))
        if (length(missing) > 0L) {
            stop_pnmf(quoted_name(path), " must name every ", c("feature", "cell")[side], ", but number ", missing[1],
                      " has no name")
        }
    }
    again <- duplicated(colnames(counts))
    if (any(again)) {
        stop_pnmf(quoted_name(path), " must have unique cell names, but \"", colnames(counts)[again][1],
                  "\" is repeated")
    }
    counts
}
