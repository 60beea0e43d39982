#' Write an interactive page of a path
#'
#' `path_report()` writes a self-contained HTML page on which you can look at a
#' path and move through its scales. The page works offline, and you can send it
#' to people who do not use R. [explore_path()] opens the same view from the
#' console.
#'
#' @details
#' The page shows
#' * the scale slider, below the barcode of the connected components and their
#'   number;
#' * the cells at the current scale: the two factors of a path of rank 2 or the
#'   chosen `factors`, otherwise a UMAP of each scale. Colours show one of the
#'   `labels`, the clusters of the scale, a factor or a gene, which is found by
#'   name. A gene has fitted values at each scale, the product of basis and
#'   embedding, and measured values if there are `data`;
#' * the [cluster_tree()] with the current scale marked. Selecting a cluster, in
#'   the tree or in the list below it, selects its cells everywhere;
#' * the clusters by their persistence, with the scales at which each has exactly
#'   the same cells; the recommended ones of [persistent_clusters()] are marked;
#' * the top features of each factor, the selected cells, the scores of
#'   [score_path()] against the first of the labels, and the parameters of the
#'   fit.
#'
#' Factors are sorted by the structure they carry: the share of the variance of
#' their values that is between clusters, times
#' \eqn{1 - \sum_g p_g^2}{1 - sum of p_g^2} where
#' \eqn{p_g = w_g^2 / \sum w^2}{p_g = w_g^2 / sum w^2} is the share of gene g in
#' the squared loading of the factor. The product is averaged over the scales.
#' The second term is 0 for a factor of a single gene, so such factors come last,
#' whatever their weight.
#'
#' Clusters keep their numbers and colours from scale to scale as far as their
#' cells stay together. Colours are those of [plot_path()]; readers with any
#' type of colour vision can distinguish the first eight. All controls work with
#' the keyboard.
#'
#' To keep the page small, at most `max_cells` points are drawn. Clusters, tree
#' and scores use all cells, and the page says so. Coordinates are rounded to
#' 1/65535 of their range, factors, loadings and genes to 1/255, and the numbers
#' are compressed. A page of 50,000 cells is smaller than 10 MB. There is room
#' for 6 million factor values (cells x factors x scales). If there are more, the
#' page has only the factors with the most structure, and no fitted values of
#' genes.
#'
#' Needs the packages plotly, htmltools and jsonlite, and uwot for more than two
#' factors.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one, see [RunPNMF()] and [runPNMF()].
#' @param file Name of the page to write, ending in `.html`.
#' @param labels One label per cell, several such columns as a data frame or
#'   named list, or `NULL`. For a container, names of metadata columns also work.
#'   The page also offers the clusters of a container: the identities and
#'   `seurat_clusters` of a Seurat object, `colLabels()` of a
#'   SingleCellExperiment. Tree and scores use the first column of `labels`.
#' @param data Matrix of features x cells, to colour cells by measured values of
#'   genes. `NULL` uses the data in the path, which has none unless bases are
#'   recomputed on demand. Containers hold their own data.
#' @param genes Features of the path or of `data` by which cells can be coloured.
#'   `NULL` means 500: the top features of the factors, then the features whose
#'   fitted values vary most. A thousand genes take about 2 MB at 5,000 cells.
#' @param scales Scales on the slider, ascending; `NULL` means all scales, or 40
#'   evenly spread ones if there are more.
#' @param factors Two factors to draw, for any rank.
#' @param k Number of clusters, the same at every scale; `NULL` shows the
#'   clusters of [persistent_clusters()], which merge along the path.
#' @param clusters Labellings to show instead, cells x scales, as
#'   [path_clusters()] or [persistent_clusters()] returns.
#' @param suggested The suggested scale, where the slider starts. `NULL` uses
#'   [suggest_scale()] (up to 2,000 cells), `NA` marks none.
#' @param max_cells Maximum number of cells to draw. If there are more, a random
#'   sample is drawn.
#' @param title The title of the page.
#' @param overwrite Replace an existing file?
#' @param seed Seed for the sample, the UMAP and the clusters.
#' @param swap_rownames Names to show and search instead of the feature names: a
#'   column of the row data of the object, such as `"symbol"`, or one name per
#'   feature of the path.
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
                                 title = "A path of embeddings", overwrite = FALSE, seed = NULL, swap_rownames = NULL,
                                 ...) {
    overwrite <- assert_flag(overwrite, "overwrite")
    file <- assert_page_name(file, overwrite)
    assert_installed(c("plotly", "htmltools", "jsonlite"), "path_report()")
    view <- report_view(path, labels, data, genes, scales, factors, k, clusters, suggested, max_cells, title, seed,
                        swap_rownames, ...)
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

# Checked before the work begins, not after it.
assert_page_name <- function(file, overwrite) {
    file <- assert_string(file, "file")
    if (!grepl("\\.html?$", file, ignore.case = TRUE)) stop_pnmf("'file' must end in .html, not ", describe(file))
    if (!dir.exists(dirname(file))) stop_pnmf("'file' must be in an existing folder, not in ", describe(dirname(file)))
    if (file.exists(file) && !overwrite) {
        stop_pnmf("'file' already exists: ", describe(file), "; choose another name, or set overwrite = TRUE")
    }
    if (dir.exists(file) || file.access(if (file.exists(file)) file else dirname(file), 2L) != 0L) {
        stop_unwritable(file, "no permission to write there")
    }
    file
}
