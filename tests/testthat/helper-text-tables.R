# Writes lines to a new file, compressed if the name ends in gz, and returns its path.
written <- function(lines, name = "table.csv", eol = "\n") {
    file <- file.path(tempfile("written"), name)
    dir.create(dirname(file))
    connection <- if (grepl("gz$", name)) gzfile(file, "wb") else file(file, "wb")
    on.exit(close(connection))
    writeLines(lines, connection, sep = eol)
    file
}

# A small table of counts, half of it zero, with the given cells.
small_counts <- function(cells, genes = c("GATA6", "NANOG", "SOX17", "T")) {
    values <- with_random_state(1, matrix(round(stats::rexp(length(genes) * length(cells)), 3), length(genes)))
    values[seq(1, length(values), by = 2)] <- 0
    dimnames(values) <- list(genes, cells)
    values
}

delimited <- function(values, sep, corner = "", quote = FALSE) {
    mark <- function(x) if (quote) paste0("\"", x, "\"") else x
    header <- paste(c(if (!is.null(corner)) mark(corner), mark(colnames(values))), collapse = sep)
    rows <- vapply(seq_len(nrow(values)), function(i) {
        paste(c(mark(rownames(values)[i]), format(values[i, ], trim = TRUE, digits = 15)), collapse = sep)
    }, character(1))
    c(header, rows)
}
