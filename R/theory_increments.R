#' Measure how thresholds, graphs and embeddings change from scale to scale
#'
#' `increments()` returns, for every scale except the finest, the changes
#' \eqn{\epsilon_t - \epsilon_{t-1}}{eps_t - eps_(t-1)} of the threshold,
#' \eqn{\|L_t - L_{t-1}\|_F}{|L_t - L_(t-1)|} of the graph's Laplacian and
#' \eqn{\|H_t - H_{t-1}\|_F}{|H_t - H_(t-1)|} of the embedding.
#' `increment_correlations()` correlates the three.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one; for `increment_correlations()` also what `increments()`
#'   returns.
#' @param threads Number of threads.
#' @param reduction Name of the path, if the object holds several.
#' @return `increments()`: a data frame with `t` (2, 3, ...), `d_threshold`,
#'   `d_laplacian` and `d_embedding`. `increment_correlations()`: a data frame
#'   with one row for each `pair` (`"threshold_laplacian"`,
#'   `"laplacian_embedding"`, `"threshold_embedding"`), Pearson's `r` and its
#'   two-sided `p`, both `NA` if one of the two is constant.
#' @seealso [increment_bounds()], [plot()][plot.increments]
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 20,
#'              control = pnmf_control(max_outer = 10, tol = 0))
#' head(increments(path))
#' increment_correlations(path)
#' @export
increments <- function(path, threads = default_threads(), reduction = NULL) {
    path <- as_path(path, reduction)
    assert_scales_to_compare(n_scales(path), "path")
    assert_graphs(path@scales, "path")
    later <- seq_len(n_scales(path))[-1]
    before <- scale_embedding(path, 1L)
    d_embedding <- vapply(later, function(t) {
        H <- scale_embedding(path, t)
        step <- length2(H - before)
        before <<- H
        step
    }, numeric(1))
    steps <- data.frame(
        t = later, d_threshold = diff(thresholds(path)),
        d_laplacian = laplacian_steps(path@scales, path@parameters$alpha, threads), d_embedding = d_embedding
    )
    class(steps) <- c("increments", "data.frame")
    steps
}

#' @rdname increments
#' @export
increment_correlations <- function(path, threads = default_threads(), reduction = NULL) {
    steps <- as_increments(path, threads, reduction)
    if (nrow(steps) < 3L) {
        stop_pnmf("'path' must have at least four scales for a correlation of their increments, not ",
                  nrow(steps) + 1L)
    }
    tests <- vapply(increment_pairs, function(pair) pearson(steps[[pair[1]]], steps[[pair[2]]]), numeric(2))
    data.frame(pair = names(increment_pairs), r = tests[1, ], p = tests[2, ], row.names = NULL)
}

increment_pairs <- list(
    threshold_laplacian = c("d_threshold", "d_laplacian"), laplacian_embedding = c("d_laplacian", "d_embedding"),
    threshold_embedding = c("d_threshold", "d_embedding")
)

as_increments <- function(path, threads = default_threads(), reduction = NULL) {
    if (is(path, "pNMFPath") || is_host(path)) return(increments(path, threads, reduction))
    wanted <- c("t", "d_threshold", "d_laplacian", "d_embedding")
    if (!is.data.frame(path) || !all(wanted %in% names(path))) {
        stop_pnmf("'path' must be a pNMFPath object, as pnmf() returns, or a data frame as increments() returns, not ",
                  describe(path))
    }
    path
}

# c(r, p); NA for a constant.
pearson <- function(x, y) {
    if (stats::sd(x) == 0 || stats::sd(y) == 0) return(c(NA_real_, NA_real_))
    test <- stats::cor.test(x, y)
    c(test$estimate, test$p.value)
}

# |L_t - L_{t-1}|_F for t = 2, 3, ...
laplacian_steps <- function(scales, alpha, threads) {
    laplacian_increments_cpp(scales$n_cells, scale_edges(scales), scales$threshold, alpha,
                             assert_count(threads, "threads"))
}

assert_scales_to_compare <- function(n, name) {
    if (n < 2L) stop_pnmf("'", name, "' must have at least two scales to compare, not ", n)
}
