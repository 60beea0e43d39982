#' Write an interactive page of a path
#'
#' `path_report()` writes a self-contained HTML page on which you can look at a
#' path and move through its scales. The page works offline, and you can send it
#' to people who do not use R. [explore_path()] opens the same view from the
#' console.
#'
#' @details
#' The page shows
#' * the scale slider, above the barcode of the connected components and their
#'   number;
#' * the cells at the current scale: the two factors of a path of rank 2 or the
#'   chosen `factors`, otherwise one UMAP for all scales. Colours show the
#'   labels, the clusters of the scale, a factor or a gene;
#' * the [cluster_tree()] with the current scale marked. Selecting a cluster, in
#'   the tree or in the list below it, selects its cells everywhere;
#' * the top features of each factor, the selected cells, the scores of
#'   [score_path()] when there are labels, and the parameters of the fit.
#'
#' Clusters keep their numbers and colours from scale to scale as far as their
#' cells stay together. Colours are those of [plot_path()]; readers with any
#' type of colour vision can distinguish them. All controls work with the
#' keyboard.
#'
#' To keep the page small, at most `max_cells` points are drawn. Clusters, tree
#' and scores use all cells, and the page says so. Coordinates are rounded to
#' 1/65535 of their range, factors and genes to 1/255. Cells can be coloured by
#' the 12 heaviest factors. The UMAP is computed at as many scales as 15,000
#' points allow. At the scales in between, cells are placed between their two
#' positions, in proportion to how far their embedding has moved.
#'
#' Needs the packages plotly, htmltools and jsonlite, and uwot for more than two
#' factors.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one, see [RunPNMF()] and [runPNMF()].
#' @param file Name of the page to write, ending in `.html`.
#' @param labels One label per cell, or `NULL`. For a container, the name of a
#'   metadata column also works.
#' @param data Matrix of features x cells, to colour cells by genes. `NULL` uses
#'   the data in the path, which has none unless bases are recomputed on demand.
#'   Containers hold their own data.
#' @param genes Features by which cells can be coloured; `NULL` means up to 60
#'   of the top features of the factors.
#' @param scales Scales on the slider, ascending; `NULL` means all scales, or 40
#'   evenly spread ones if there are more.
#' @param factors Two factors to draw, for any rank.
#' @param k Number of clusters, the same at every scale; `NULL` shows the
#'   clusters of [persistent_clusters()], which merge along the path.
#' @param clusters Labellings to show instead, cells x scales, as
#'   [path_clusters()] returns.
#' @param suggested The suggested scale, where the slider starts. `NULL` uses
#'   [suggest_scale()] (up to 2,000 cells), `NA` marks none.
#' @param max_cells Maximum number of cells to draw. If there are more, a random
#'   sample is drawn.
#' @param title The title of the page.
#' @param overwrite Replace an existing file?
#' @param seed Seed for the sample, the UMAP and the clusters.
#' @param reduction,layer Seurat: the reduction that holds the path, and the
#'   layer that holds the data of the genes.
#' @param name,assay.type SingleCellExperiment: the name of the path, and the
#'   assay that holds the data of the genes.
#' @param ... For containers, the arguments for paths. For paths, further
#'   arguments, passed to [path_clusters()]: `method`, `normalize`, `n_start`
#'   (10 by default), `n_neighbors`, `resolution`, `BPPARAM`.
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
path_report.default <- function(path, file, labels = NULL, ...) stop_no_path(path)

stop_no_path <- function(path) {
    stop_pnmf("'path' must be a pNMFPath object, as pnmf() returns, or a Seurat object or SingleCellExperiment that ",
              "contains one, not ", describe(path))
}

#' @rdname path_report
#' @order 2
#' @export
path_report.pNMFPath <- function(path, file, labels = NULL, data = NULL, genes = NULL, scales = NULL, factors = NULL,
                                 k = NULL, clusters = NULL, suggested = NULL, max_cells = 5000,
                                 title = "A path of embeddings", overwrite = FALSE, seed = NULL, ...) {
    overwrite <- assert_flag(overwrite, "overwrite")
    file <- assert_page_name(file, overwrite)
    assert_installed(c("plotly", "htmltools", "jsonlite"), "path_report()")
    view <- report_view(path, labels, data, genes, scales, factors, k, clusters, suggested, max_cells, title, seed, ...)
    write_page(report_html(view), file)
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
