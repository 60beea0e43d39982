#' Score the clusters of every scale against known labels
#'
#' `score_path()` clusters every scale by [path_clusters()] and compares each
#' labelling with `truth` by [cluster_scores()]. `summary()` extracts the
#' paper's two rows from the table: "pNMF" is the finest scale, "pNMF-best" the
#' scale with the best average of the four scores. "pNMF-best" uses the labels
#' to choose a scale. It shows what the path contains, not what a user without
#' labels would get; see [suggest_scale()] for that.
#'
#' @inheritParams subset_cells
#' @param truth Known labels of the cells, in the order of the cells of the
#'   path. For an object, the name of a metadata column also works.
#' @param k Number of clusters; `NULL` for the number of classes in `truth`.
#' @param ... Further arguments, passed to [path_clusters()], such as `at`,
#'   `normalize`, `n_start`, `seed` or `BPPARAM`. Not used by `summary()`.
#' @return `score_path()` returns a data frame with one row per scale: `t`,
#'   `ari`, `nmi`, `purity`, `accuracy`, `average` (the mean of the four).
#'   `summary()` returns the two rows of that table, with `method` (`"pNMF"`,
#'   `"pNMF-best"`) as the first column. If several scales are best, it takes
#'   the finest. "pNMF" is the finest scale that was scored.
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 2, scales = 6, control = pnmf_control(max_outer = 5, tol = 0))
#' circle <- rep(1:4, each = 20)
#' scores <- score_path(path, circle, n_start = 10)
#' scores
#' summary(scores)
#' @export
score_path <- function(path, truth, k = NULL, ..., reduction = NULL) {
    object <- path
    path <- as_path(path, reduction)
    truth <- labels_of(object, truth, "truth", path@cell_names)
    classes <- assert_truth(truth, dim(path)[2])
    if (is.null(k)) k <- max(classes)
    score_clusters(path_clusters(path, k, ...), classes)
}

# Codes 1, 2, ... of the known labels.
assert_truth <- function(truth, n_cells) {
    classes <- label_codes(truth, "truth")
    if (length(classes) != n_cells) {
        stop_pnmf("'truth' must have one label per cell (", n_cells, "), not ", length(classes), column_hint(truth))
    }
    if (max(classes) == 1L) stop_pnmf("'truth' must have at least two classes, not 1: there is nothing to score")
    classes
}

# Scores of labellings, cells x scales, against codes of the known labels.
score_clusters <- function(clusters, classes) {
    scores <- vapply(clusters, function(labels) cluster_scores(classes, labels), numeric(4))
    scores <- data.frame(t = scale_numbers(clusters), t(scores), row.names = NULL)
    scores$average <- rowMeans(scores[, c("ari", "nmi", "purity", "accuracy")])
    class(scores) <- c("path_scores", "data.frame")
    scores
}

#' @rdname score_path
#' @param object The result of `score_path()`.
#' @export
summary.path_scores <- function(object, ...) {
    assert_no_dots(...)
    if (nrow(object) == 0L) stop_pnmf("'object' must have the scores of at least one scale, not none")
    object <- object[order(object$t), , drop = FALSE]
    chosen <- object[c(1L, which.max(object$average)), , drop = FALSE]
    data.frame(method = c("pNMF", "pNMF-best"), chosen, row.names = NULL)
}
