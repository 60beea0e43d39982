#' Write an interactive page of a path
#'
#' `path_report()` writes a self-contained HTML page on which you can look at a
#' path and move through its scales. The page works offline, and you can send it
#' to people who do not use R. [explore_path()] opens the same view from the
#' console.
#'
#' @details
#' The page shows
#' * the scale slider, with the [effective_cells()] and the number of clusters
#'   of the scale;
#' * a map of the cells at the current scale: the two factors of a path of rank
#'   2 or the chosen `factors`, otherwise a UMAP of the embedding of that scale
#'   (15 neighbours, a = b = 1). It starts at the map of the next finer scale, so
#'   that cells move little. No position is interpolated. Colours show one of
#'   the `labels`, the clusters of the scale, a program or any gene;
#' * the [cluster_tree()] with the current scale marked and the first genes of
#'   [cluster_programs()] at its branches, and all clusters by their
#'   persistence, with their support if [persistent_clusters()] has it. A
#'   cluster has the number that [persistent_clusters()] gives it;
#' * the programs of the scale by their track in [factor_tracks()], with the
#'   genes that distinguish them. A track keeps its number at every scale. With
#'   `x`, programs without genes of their own are grey, as in
#'   [factor_markers()];
#' * the selected cells (a cluster, a label, or drawn with the lasso): their
#'   labels, programs and marker genes, computed in the browser from the cells
#'   drawn. Markers are ranked by Welch's t. It ranks genes and is not a test.
#'
#' Labels and clusters can be saved as CSV, and the map as SVG. All controls work
#' with the keyboard, and the page follows the light or dark mode of the reader.
#'
#' Programs are sorted by the structure they carry: the share of the variance of
#' their values that is between clusters, times
#' \eqn{1 - \sum_g p_g^2}{1 - sum of p_g^2} where
#' \eqn{p_g = w_g^2 / \sum w^2}{p_g = w_g^2 / sum w^2} is the share of gene g in
#' the squared loading of the factor. The product is averaged over the scales.
#'
#' To keep the page small, at most `max_cells` cells are drawn, and the page says
#' so. Clusters and tree use all cells. Coordinates are rounded to 1/65535 of
#' their range, factors to 1/255, genes to 1/11, and all numbers are compressed.
#' All genes of `x` are on the page as long as they take less than 4.2 MB.
#' Beyond that the genes found in the most cells are.
#'
#' Needs the packages plotly, htmltools and jsonlite.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one, see [RunPNMF()] and [runPNMF()].
#' @param file Name of the page to write, ending in `.html`.
#' @param labels One label per cell, several such columns as a data frame or
#'   named list, or `NULL`. For a container, names of metadata columns also work.
#'   The page also offers the clusters of a container: the identities and
#'   `seurat_clusters` of a Seurat object, `colLabels()` of a
#'   SingleCellExperiment. The tree and the agreement (adjusted Rand index) use
#'   the first column of `labels`. Cells whose label is `NA` are the group
#'   "no label".
#' @param x Matrix of genes x cells, such as log-normalised counts of all
#'   genes. Without data, genes show their fitted values.
#'   Containers hold their own data.
#' @param clusters Clusters to show: [persistent_clusters()] or, to compare,
#'   labellings of cells x scales as [path_clusters()] returns. `NULL` means
#'   `persistent_clusters(path)`.
#' @param at Scales on the slider, ascending; `NULL` means all scales, or 20
#'   evenly spread ones if there are more.
#' @param factors Two factors to draw, for any rank.
#' @param suggested The suggested scale, where the slider starts. `NULL` means
#'   that of the recommended clusters, `NA` none: it starts at the
#'   [active_scale()].
#' @param max_cells Maximum number of cells to draw. If there are more, a random
#'   sample is drawn.
#' @param title The title of the page; by default its numbers of cells and scales.
#' @param overwrite Replace an existing file?
#' @param swap_rownames Containers: names to show and search instead of the
#'   feature names, a column of the row data, such as `"symbol"`, or one name per
#'   feature of the path.
#' @param reduction Containers: the name of the path, if there are several.
#' @param layer Seurat: the layer that holds the data of the genes.
#' @param assay.type SingleCellExperiment: the assay that holds the data of the
#'   genes.
#' @param name SingleCellExperiment: another word for `reduction`.
#' @param ... `seed`, of the sample and the map; for containers, all arguments for
#'   paths.
#' @return The name of the file, invisibly.
#' @seealso [explore_path()], [plot_path()], [animate_path()]
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 2, scales = 6, lambda_graph = 100, lambda_smooth = 100,
#'              control = pnmf_control(max_outer = 10, tol = 0))
#' if (requireNamespace("plotly", quietly = TRUE)) {
#'     page <- tempfile(fileext = ".html")
#'     path_report(path, page, labels = attr(x, "circle"), suggested = NA)
#'     if (interactive()) browseURL(page)
#' }
#' @order 1
#' @export
path_report <- function(path, file, labels = NULL, ...) UseMethod("path_report")

#' @export
path_report.default <- function(path, file, labels = NULL, ...) path_report(as_path(path), file, labels, ...)

#' @rdname path_report
#' @order 2
#' @export
path_report.pNMFPath <- function(path, file, labels = NULL, x = NULL, clusters = NULL, at = NULL,
                                 factors = NULL, suggested = NULL, max_cells = 5000,
                                 title = report_title(path), overwrite = FALSE, ...) {
    write_report(file, list(path = path, labels = labels, x = x, clusters = clusters, at = at,
                            factors = factors, suggested = suggested, max_cells = max_cells, title = title), ...,
                 overwrite = overwrite)
}

# parts, ...: arguments of report_view()
write_report <- function(file, parts, ..., overwrite = FALSE) {
    overwrite <- assert_flag(overwrite, "overwrite")
    file <- assert_page_name(file, overwrite)
    assert_installed(c("plotly", "htmltools", "jsonlite"), "path_report()")
    html <- report_html(do.call(report_view, view_arguments(parts, list(...)), quote = TRUE))
    write_page(html, file)
    invisible(file)
}

stop_unwritable <- function(file, reason) stop_pnmf("'file' cannot be written: ", describe(file), ", ", reason)

write_page <- function(html, file) {
    tryCatch({
        connection <- file(file, "wb")
        on.exit(close(connection))
        writeBin(charToRaw(enc2utf8(html)), connection)
    }, error = function(e) stop_unwritable(file, conditionMessage(e)),
    warning = function(w) stop_unwritable(file, conditionMessage(w)))
}

# Checked before the work begins, not after it.
assert_page_name <- function(file, overwrite) {
    assert_export(file, c("html", "htm"), overwrite)
    if (dir.exists(file) || file.access(if (file.exists(file)) file else dirname(file), 2L) != 0L) {
        stop_unwritable(file, "no permission to write there")
    }
    file
}
