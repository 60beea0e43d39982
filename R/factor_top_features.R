#' List and plot the top features of each factor
#'
#' `top_features()` lists the features with the largest loadings of each factor.
#' `plot_loadings()` shows them at one scale, or follows the top features of the
#' finest chosen scale along several scales. `plot_factor_heatmap()` shows the
#' embeddings of the cells.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one.
#' @param t The scale; `NULL` means the [active_scale()]: the recommended scale
#'   unless you set another.
#' @param n Number of features per factor.
#' @param factors Factors to use; `NULL` means all, or the twelve heaviest for
#'   `plot_loadings()`, with a message.
#' @param scales For `plot_loadings()`: several scales to follow the features
#'   along; `NULL` shows scale `t` alone.
#' @param labels One label per cell. The columns of the heatmap are ordered and
#'   split by it. For an object, the name of a metadata column also works.
#' @param max_cells Maximum number of cells in the heatmap. If there are more, a
#'   seeded sample is shown.
#' @param swap_rownames Names to show instead of the feature names: a column of
#'   the object's row data, such as `"symbol"`, or one name per feature.
#' @param reduction Name of the path, if the object holds several.
#' @return `top_features()`: a data frame `t`, `factor`, `rank`, `feature`,
#'   `loading`. The plots: ggplot objects.
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 3, scales = 5, control = pnmf_control(max_outer = 5, tol = 0))
#' top_features(path, n = 3)
#' plot_loadings(path, n = 3)
#' plot_factor_heatmap(path, labels = attr(x, "circle"))
#' @export
top_features <- function(path, t = NULL, n = 10, factors = NULL, swap_rownames = NULL,
                         reduction = NULL) {
    object <- path
    path <- as_path(path, reduction)
    t <- chosen_scale(t, path)
    W <- loading(path, t)
    names <- displayed_names(object, path, swap_rownames, reduction)
    n <- min(assert_count(n, "n"), nrow(W))
    factors <- if (is.null(factors)) seq_len(ncol(W)) else assert_indices(factors, "factors", ncol(W))
    rows <- lapply(factors, function(j) {
        best <- order(-W[, j], seq_len(nrow(W)))[seq_len(n)]
        data.frame(t = t, factor = j, rank = seq_len(n), feature = names[best],
                   loading = unname(W[best, j]))
    })
    do.call(rbind, rows)
}
