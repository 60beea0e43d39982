#' Plot the increments of thresholds, graphs and embeddings against each other
#'
#' Shows three panels, one for each pair of quantities of [increments()], with
#' Pearson's r and its p-value; each scale is a point. A few coarse scales often
#' take much longer steps than all others and then determine the correlation
#' alone. `log = TRUE` makes the other scales visible.
#'
#' @param x The result of [increments()], for at least four scales.
#' @param log Use logarithmic axes, leaving out increments of zero? Otherwise the
#'   least-squares line is drawn. The correlations are always those of the
#'   increments themselves.
#' @param ... Not used.
#' @return A ggplot object.
#' @seealso [increment_correlations()]
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 20,
#'              control = pnmf_control(max_outer = 10, tol = 0))
#' plot(increments(path))
#' @importFrom ggplot2 .data
#' @export
plot.increments <- function(x, log = FALSE, ...) {
    assert_no_dots(...)
    steps <- x
    log <- assert_flag(log, "log")
    points <- increment_points(steps, increment_titles(increment_correlations(steps)))
    if (log) points <- points[points$x > 0 & points$y > 0, , drop = FALSE]
    subtitle <- if (log) "logarithmic axes; r and p are of the changes themselves" else "line: least squares"
    ggplot2::ggplot(points, ggplot2::aes(x = .data$x, y = .data$y)) +
        increment_scales(log) +
        ggplot2::geom_point(ggplot2::aes(colour = .data$t), size = 1.8) +
        ggplot2::facet_wrap("panel", nrow = 1, scales = "free") +
        ggplot2::scale_colour_viridis_c(name = "scale", end = 0.9) +
        ggplot2::labs(x = NULL, y = NULL, title = "Changes from one scale to the next", subtitle = subtitle) +
        pnmf_theme()
}

increment_scales <- function(log) {
    if (log) return(list(ggplot2::scale_x_log10(), ggplot2::scale_y_log10()))
    list(ggplot2::geom_smooth(method = "lm", formula = y ~ x, se = FALSE, colour = "grey45", linewidth = 0.5))
}

# One panel per pair, in the order of increment_correlations().
increment_points <- function(steps, titles) {
    do.call(rbind, Map(function(axis, title) {
        data.frame(panel = factor(title, levels = titles), t = steps$t, x = steps[[axis[1]]], y = steps[[axis[2]]])
    }, increment_pairs, titles))
}

increment_titles <- function(correlations) {
    pairs <- c("Laplacian (up), threshold (across)", "embedding (up), Laplacian (across)",
               "embedding (up), threshold (across)")
    sprintf("%s\nr = %.4f, p = %s", pairs, correlations$r,
            vapply(correlations$p, format, character(1), digits = 3))
}
