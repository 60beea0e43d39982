#' Write gene programs and usages to a file
#'
#' Exports the programs of one scale for other tools. The extension of the file
#' decides the format: `.gmt` for gene sets, as [factor_enrichment()], GSEA and
#' others read them; `.csv` or `.tsv` for a table.
#'
#' @details
#' A gene set holds the `n` genes with the largest scores of [factor_markers()],
#' only those above 0. Its name is `scale<t>_factor<k>`, its description says
#' whether the program is supported. The table of z-scores has one row per gene
#' and one column per program, the z of [factor_markers()]. The table of usages
#' has one row per cell: the embedding divided by its sum over the programs.
#'
#' @inheritParams factor_markers
#' @param file Name of the file, ending in `.gmt`, `.csv` or `.tsv`.
#' @param what What a table holds: `"z"` (z-scores of genes) or `"usage"` (of
#'   cells).
#' @param n Number of genes per set.
#' @param overwrite Whether an existing file may be replaced.
#' @param ... Not used.
#' @return `file`, invisibly.
#' @seealso [factor_markers()], [factor_enrichment()]
#' @examples
#' data(pbmc_sorted)
#' x <- normalize_counts(pbmc_sorted$counts)[, 1:300]
#' path <- pnmf(x, rank = 6, scales = 3, control = pnmf_control(max_outer = 10, tol = 0))
#' file <- tempfile(fileext = ".gmt")
#' write_programs(path, file, n = 5, x = x)
#' readLines(file)
#' usages <- tempfile(fileext = ".csv")
#' write_programs(path, usages, what = "usage")
#' head(read.csv(usages, row.names = 1), 3)
#' @export
write_programs <- function(path, file, what = c("z", "usage"), t = NULL, n = 50, x = NULL, overwrite = FALSE,
                           swap_rownames = NULL, reduction = NULL, ...) {
    assert_no_dots(...)
    object <- path
    path <- as_path(object, reduction)
    overwrite <- assert_flag(overwrite, "overwrite")
    kind <- assert_export(file, c("gmt", "csv", "tsv"), overwrite)
    what <- assert_choice(what, c("z", "usage"), "what")
    if (kind == "gmt" && what == "usage") stop_pnmf("'file' must end in .csv or .tsv for usages, not in .gmt")
    t <- chosen_scale(t, path)
    n <- assert_count(n, "n")
    names <- displayed_names(object, path, swap_rownames, reduction, plain = kind == "gmt")
    if (what == "usage") {
        write_table(unit_sums(embedding(path, t)), file, kind, "cell")
        return(invisible(file))
    }
    x <- path_data(object, path, x, reduction, "write_programs()")
    scores <- marker_scores(x, embedding(path, t), if (kind == "gmt") unname(loading(path, t)))
    if (kind == "gmt") {
        writeLines(gmt_lines(scores, t, n, names), file)
    } else {
        z <- scores$z
        dimnames(z) <- list(names, factor_names(n_factors(path))[scores$used])
        write_table(z, file, kind, "feature")
    }
    invisible(file)
}

unit_sums <- function(H) H / pmax(rowSums(H), 1e-300)

# One line per program with a specific gene: name, description and genes, separated by tabs. Says which have none.
gmt_lines <- function(scores, t, n, names) {
    lines <- vapply(seq_along(scores$used), function(column) {
        score <- scores$score[, column]
        best <- utils::head(intersect(best_genes(score), which(score > 0)), n)
        if (length(best) == 0L) return(NA_character_)
        paste(c(sprintf("scale%d_factor%d", t, scores$used[column]),
                if (scores$supported[column]) "supported" else "not supported", unique(names[best])), collapse = "\t")
    }, character(1))
    if (anyNA(lines)) {
        inform_pnmf("programs without specific genes at scale ", t, " were not written: ",
                    paste("factor", scores$used[is.na(lines)], collapse = ", "))
    }
    lines[!is.na(lines)]
}

write_table <- function(values, file, kind, first) {
    table <- data.frame(rownames(values), values, check.names = FALSE)
    names(table)[1] <- first
    utils::write.table(table, file, sep = if (kind == "csv") "," else "\t", row.names = FALSE, qmethod = "double")
}
