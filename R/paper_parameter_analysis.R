#' Score every combination of the three penalties
#'
#' Shows how the penalties affect the agreement with known labels. Fits a path
#' for each combination of `lambda_graph`, `lambda_smooth` and `lambda_anchor`,
#' clusters the cells at one scale by k-means, on the embedding as it is (the
#' setting `normalize = FALSE` of [score_path()]), and compares the clusters with
#' the labels. Three values per penalty give the 27 combinations of the parameter
#' analysis in the paper.
#'
#' @param x Nonnegative data, features x cells, as for [pnmf()].
#' @param truth Known labels of the cells, at least two classes.
#' @param lambdas Values of the penalties: a vector for all three, or a list with
#'   `lambda_graph`, `lambda_smooth` and `lambda_anchor`.
#' @param t The scale to score: a whole number, 1 is the finest.
#' @param k Number of clusters; `NULL` for the number of classes in `truth`.
#' @param n_start,seed Number of k-means starts and their seed, as in
#'   [path_clusters()].
#' @param control Settings of the fits, see [pnmf_control()]. By default each
#'   fit uses one thread, because the fits themselves can run in parallel.
#' @param BPPARAM `NULL`, or a BiocParallel backend that distributes the fits
#'   over its workers.
#' @param ... Further arguments, passed to [pnmf()], such as `rank`, `scales` or
#'   `solver`. Without `scales`, the scales are computed once and used by all
#'   fits.
#' @return A data frame with one row per combination: `lambda_graph`,
#'   `lambda_smooth`, `lambda_anchor`, `ari`, `nmi`, `purity`, `accuracy` and
#'   their mean, `average`.
#' @seealso [plot()][plot.parameter_analysis], [score_path()]
#' @examples
#' x <- simulate_circles(n_per_circle = 8, n_noise = 10, seed = 1)
#' results <- parameter_analysis(x, attr(x, "circle"), lambdas = c(0.1, 10),
#'                               rank = 2, scales = 4, n_start = 5,
#'                               control = pnmf_control(max_outer = 5, tol = 0, threads = 1))
#' results
#' @export
parameter_analysis <- function(x, truth, lambdas = c(0.1, 1, 10), t = 1, k = NULL, n_start = 50, seed = NULL,
                               control = pnmf_control(threads = 1, verbose = FALSE), ..., BPPARAM = NULL) {
    x <- as_data_matrix(x)
    truth <- assert_truth(truth, ncol(x))
    grid <- penalty_grid(lambdas)
    k <- assert_count(if (is.null(k)) max(truth) else k, "k", max = ncol(x))
    assert_no_checkpoint(control)
    fit <- complete_fit_arguments(list(control = control, ...), x)
    t <- assert_count(t, "t", max = length(fit$scales$threshold))
    settings <- list(fit = fit, t = t, clustering = clustering_settings(k, "kmeans", FALSE, n_start, seed, 10, 1))
    tasks <- lapply(seq_len(nrow(grid)), function(i) as.list(grid[i, ]))
    scores <- run_independent(tasks, score_penalties, BPPARAM, x = x, truth = truth, settings = settings)
    scores <- data.frame(do.call(rbind, scores))
    results <- data.frame(grid, scores, average = rowMeans(scores))
    class(results) <- c("parameter_analysis", "data.frame")
    results
}

penalty_names <- c("lambda_graph", "lambda_smooth", "lambda_anchor")

# One row per combination, the first penalty varying fastest.
penalty_grid <- function(lambdas) {
    if (!is.list(lambdas)) lambdas <- stats::setNames(list(lambdas, lambdas, lambdas), penalty_names)
    if (!setequal(names(lambdas), penalty_names)) {
        stop_pnmf("'lambdas' must be numbers, or a list with ", paste(penalty_names, collapse = ", "), ", not ",
                  if (is.null(names(lambdas))) describe(lambdas) else paste("one with", abbreviated(names(lambdas))))
    }
    for (name in penalty_names) {
        values <- lambdas[[name]]
        if (!is.numeric(values) || length(values) == 0L || !all(is.finite(values)) || any(values < 0)) {
            stop_pnmf("'lambdas' must be finite numbers of at least 0, not ", describe(values))
        }
    }
    expand.grid(lapply(lambdas[penalty_names], unique), KEEP.OUT.ATTRS = FALSE)
}

# The scales do not depend on the penalties: all fits share them.
complete_fit_arguments <- function(arguments, x) {
    assert_passed_on(arguments[names(arguments) != "control"], c("rank", "scales", "alpha", "solver"))
    choices <- c("hals", "mu", "authors")
    solver <- assert_choice(if (is.null(arguments$solver)) choices else arguments$solver, choices, "solver")
    parameters <- list(rank = assert_rank(arguments$rank, x), control = complete_control(arguments$control, "hals"),
                       solver = solver, alpha = assert_alpha(arguments$alpha, solver, arguments$scales))
    arguments$alpha <- parameters$alpha
    arguments$scales <- with_edges(scales_for(x, arguments$scales, parameters))
    arguments
}

# ari, nmi, purity and accuracy of one combination.
score_penalties <- function(penalties, x, truth, settings) {
    path <- do.call(pnmf, c(list(x), penalties, settings$fit))
    cluster_scores(truth, cluster_cells(embedding(path, settings$t), settings$clustering, paste("scale", settings$t)))
}
