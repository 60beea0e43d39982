#' Lipschitz constants of the graph Laplacian along the scales
#'
#' Computes how much the Laplacian changes per unit of threshold between
#' consecutive scales, and the bounds that follow from the paper.
#'
#' @details
#' Between the thresholds \eqn{\epsilon_{t-1}}{e_(t-1)} and
#' \eqn{\epsilon_t}{e_t}, weights of existing edges change by at most \eqn{\alpha
#' / (e\,\epsilon_{t-1})}{alpha / (exp(1) e_(t-1))} per unit of threshold, the
#' largest value of the derivative \eqn{\alpha u e^{-u} / \epsilon}{alpha u
#' exp(-u) / e}, \eqn{u = d^2 / \epsilon^\alpha}{u = d^2 / e^alpha}; weights of
#' new edges appear at values below 1. With both directions of every edge
#' counted and the degrees bounded by Cauchy's inequality,
#' \deqn{\|L_t - L_{t-1}\|_F \le (1 + \sqrt n)\left(\sqrt{2 E_{old}}\,
#' \frac{\alpha}{e\,\epsilon_{t-1}} + \frac{\sqrt{2 E_{new}}}{\epsilon_t -
#' \epsilon_{t-1}}\right)(\epsilon_t - \epsilon_{t-1}).}{|L_t - L_(t-1)| <= (1 +
#' sqrt(n)) (sqrt(2 E_old) alpha / (exp(1) e_(t-1)) + sqrt(2 E_new) / (e_t -
#' e_(t-1))) (e_t - e_(t-1)).}
#' `bound` is this constant for the interval itself. `uniform_bound` is the
#' paper's single constant for all intervals. It combines the same two terms
#' between consecutive edge lengths: the largest first term, and the largest
#' number of edges that appear together, divided by the smallest gap between two
#' lengths. Because of this smallest gap, it is very large for all but tiny
#' data.
#'
#' @param scales A [persistence_scales()] object, a [pNMFPath-class], or a
#'   Seurat object or SingleCellExperiment that contains a path.
#' @param alpha Decay of the graphs' weights, see [scale_graph()]; `NULL` means
#'   the value of the path, or 1.5 if there is no path.
#' @param threads Number of threads.
#' @return A data frame with one row for every scale but the finest: `t`,
#'   `d_threshold`, `d_laplacian`, `ratio` (of the two: the observed constant),
#'   `bound` and `uniform_bound`.
#' @seealso [increments()], [eigenvalue_paths()]
#' @examples
#' scales <- persistence_scales(simulate_circles(seed = 1), n_scales = 10)
#' laplacian_lipschitz(scales)
#' @export
laplacian_lipschitz <- function(scales, alpha = NULL, threads = default_threads()) {
    scales <- as_scales(scales)
    alpha <- graph_decay(scales, alpha)
    assert_scales_to_compare(length(scales$threshold), "scales")
    scales$edges <- scale_edges(scales)
    d_threshold <- diff(scales$threshold)
    d_laplacian <- laplacian_steps(scales, alpha, threads)
    data.frame(
        t = seq_along(scales$threshold)[-1], d_threshold = d_threshold, d_laplacian = d_laplacian,
        ratio = d_laplacian / d_threshold, bound = interval_bounds(scales, alpha),
        uniform_bound = uniform_lipschitz_bound(scales, alpha)
    )
}

interval_bounds <- function(scales, alpha) {
    finer <- scales$threshold[-length(scales$threshold)]
    edges <- findInterval(scales$threshold, scales$edges$length, left.open = TRUE)
    old <- edges[-length(edges)]
    (1 + sqrt(scales$n_cells)) *
        (weight_rate(old, finer, alpha) + sqrt(2 * diff(edges)) / diff(scales$threshold))
}

# sqrt(2 E) alpha / (e eps); edges of length zero keep their weight.
weight_rate <- function(edges, threshold, alpha) {
    ifelse(edges > 0 & threshold > 0, sqrt(2 * edges) * alpha / (exp(1) * threshold), 0)
}

# Between consecutive points of all edge lengths and thresholds together.
uniform_lipschitz_bound <- function(scales, alpha) {
    points <- sort(unique(c(scales$edges$length, scales$threshold)))
    below <- findInterval(points, scales$edges$length, left.open = TRUE)
    (1 + sqrt(scales$n_cells)) *
        (max(weight_rate(below, points, alpha)) + sqrt(2 * max(diff(below))) / min(diff(points)))
}
