#' Read the data sets of the paper from downloaded files
#'
#' Reads a table of expression values, and the labels of its cells, from a plain
#' or compressed (gz, bz2, xz) text file. Nothing is downloaded.
#'
#' Each format is the layout of a supplementary file in the Gene Expression
#' Omnibus:
#' * `"GSE75748"` (`GSE75748_sc_time_course_ec.csv.gz`): comma-separated, one
#'   row per gene. Labels are the hours in the cell names: `H9.00hb4s_001` is
#'   `00h`.
#' * `"GSE94820"`
#'   (`GSE94820_raw.expMatrix_DCnMono.discovery.set.submission.txt.gz`):
#'   tab-separated, one row per gene; the header often lacks one field. Labels
#'   are the cell names up to the first underscore: `CD141_P7_S73` is `CD141`.
#' * `"GSE75140"` (`GSE75140_hOrg.fetal.master.data.frame.txt.gz`):
#'   tab-separated, one row per *cell*, with quoted names. The last column is
#'   not a gene and is dropped. Labels are the stages in the names:
#'   `A10_fetal_12wpc_c1` is `12wpc`, `B12_hOrg33d_c2` is `33d`. The values are
#'   already log2 FPKM. The archive lists one cell, `F5_fetal_12wpc_c1`, as 13
#'   weeks; use `labels` to follow the archive.
#' * `"csv"`: any table with names in the first row and the first column,
#'   separated by commas, tabs or semicolons. Without `labels`, the result has
#'   no labels.
#'
#' `"auto"` uses the name of the file, then the pattern of its cell names.
#'
#' @param path Name of the file.
#' @param format One of the formats above.
#' @param labels Labels to use instead of those in the cell names, one per cell.
#' @param cells `"columns"` or `"rows"`: where the cells of a `"csv"` table are.
#'   Not used for the other formats.
#' @param duplicates What to do with features of the same name: stop, keep the
#'   first, or add them up (right for counts, wrong for log values). Cells of
#'   the same name always give an error.
#' @param max_entries Maximum number of entries (features x cells). Reading
#'   stops as soon as the table exceeds it.
#' @return A list with `counts`, features x cells with names, a sparse
#'   `dgCMatrix` if at least half of the entries are 0 and a plain matrix
#'   otherwise; and `labels`, a factor named by the cells, or `NULL`.
#' @examples
#' file <- tempfile(fileext = ".csv")
#' writeLines(c(",H9.00hb4s_001,H9.12h_001,H9.12h_002", "GATA6,0,3.5,0", "NANOG,12,0,1"), file)
#' data <- read_geo_counts(file)
#' data$counts
#' data$labels
#' @export
read_geo_counts <- function(path, format = c("auto", "GSE75748", "GSE94820", "GSE75140", "csv"), labels = NULL,
                            cells = c("columns", "rows"), duplicates = c("error", "first", "sum"),
                            max_entries = 2e8) {
    path <- assert_readable_file(path, "path")
    assert_whole_text(path)
    format <- assert_choice(format, c("auto", "GSE75748", "GSE94820", "GSE75140", "csv"), "format")
    cells <- assert_choice(cells, c("columns", "rows"), "cells")
    duplicates <- assert_choice(duplicates, c("error", "first", "sum"), "duplicates")
    max_entries <- assert_number(max_entries, "max_entries", min = 1)
    layout <- table_layout(path, format, cells)
    counts <- read_delimited_counts(path, layout, max_entries)
    counts <- settle_duplicates(counts, duplicates, path)
    labels <- if (is.null(labels)) {
        labels_in_names(colnames(counts), layout$format)
    } else {
        given_labels(labels, colnames(counts))
    }
    list(counts = lighter_form(counts), labels = labels)
}

# The layout, known before reading: format, separator, where the cells are, whether the last column is a remark.
table_layout <- function(path, format, cells) {
    start <- first_lines(path, 2L)
    if (length(start) < 2L) {
        stop_pnmf("'path' must be a table with a header and at least one row, but ", quoted_name(path), " has ",
                  length(start), if (length(start) == 1L) " line" else " lines")
    }
    sep <- likely_separator(start[1])
    header <- trimws(split_fields(start[1], sep)[[1]])
    row <- trimws(split_fields(start[2], sep)[[1]])
    if (format == "auto") format <- likely_format(path, header, row[1])
    list(
        format = format, sep = sep,
        cells = if (format == "GSE75140") "rows" else if (format == "csv") cells else "columns",
        drop_last = format == "GSE75140" && ends_in_remark(header, row)
    )
}

likely_separator <- function(line) {
    candidates <- c(",", "\t", ";")
    found <- vapply(candidates, function(sep) sum(strsplit(line, "", fixed = TRUE)[[1]] == sep), numeric(1))
    candidates[which.max(found)]
}

likely_format <- function(path, header, first_row) {
    known <- c("GSE75748", "GSE94820", "GSE75140")
    named <- known[vapply(known, grepl, logical(1), x = basename(path), fixed = TRUE)]
    if (length(named) == 1L) return(named)
    columns <- header[nzchar(header)]
    if (length(columns) > 0L && all(grepl(label_patterns$GSE75748, columns))) return("GSE75748")
    if (length(columns) > 0L && all(grepl("^[^_]+_P[0-9]+_S[0-9]+$", columns))) return("GSE94820")
    if (grepl("_(hOrg|fetal)", first_row) && grepl(label_patterns$GSE75140, first_row)) return("GSE75140")
    "csv"
}

# The last column of GSE75140 is an annotation: its entry is not a number, or its header says what it annotates.
ends_in_remark <- function(header, row) {
    last <- suppressWarnings(as.numeric(row[length(row)]))
    is.na(last) || tolower(header[length(header)]) %in% c("species", "cell_id", "experiment", "source")
}

settle_duplicates <- function(counts, duplicates, path) {
    genes <- rownames(counts)
    again <- duplicated(genes)
    if (!any(again)) return(counts)
    if (duplicates == "first") return(counts[!again, , drop = FALSE])
    if (duplicates == "error") {
        stop_pnmf(quoted_name(path), " must have unique feature names, but ", sum(again),
                      if (sum(again) == 1L) " is" else " are", " repeated, such as \"", genes[again][1],
                  "\"; see 'duplicates'")
    }
    code <- match(genes, unique(genes))
    adder <- Matrix::sparseMatrix(i = code, j = seq_along(code), x = 1, dims = c(max(code), length(code)),
                                  dimnames = list(unique(genes), NULL))
    as_compressed_columns(adder %*% counts)
}

lighter_form <- function(counts) {
    if (length(counts@x) <= 0.5 * prod(dim(counts))) return(counts)
    as.matrix(counts)
}
