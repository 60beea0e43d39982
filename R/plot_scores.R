#' Plot clustering scores along the scales
#'
#' Draws the scores of [score_path()] against the scale, one panel per metric,
#' with baselines as horizontal lines.
#'
#' @param x The result of [score_path()].
#' @param metrics Columns to show.
#' @param baselines Named numeric vector, or data frame with a column `method`
#'   and one column per metric (such as rows of [cluster_scores()]): drawn as
#'   horizontal lines.
#' @param ... Not used.
#' @return A ggplot object with one panel per metric.
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 2, scales = 6, control = pnmf_control(max_outer = 5, tol = 0))
#' plot(score_path(path, attr(x, "circle")), baselines = c(NMF = 0.5))
#' @export
plot.path_scores <- function(x, metrics = c("ari", "nmi", "purity", "accuracy"), baselines = NULL, ...) {
    assert_no_dots(...)
    scores <- x
    unknown <- setdiff(metrics, setdiff(names(scores), "t"))
    if (length(metrics) == 0L || length(unknown) > 0L) {
        stop_pnmf("'metrics' must be columns of 'x', not \"", unknown[1], "\"")
    }
    long <- do.call(rbind, lapply(metrics, function(m) data.frame(t = scores$t, metric = m, score = scores[[m]])))
    long$metric <- factor(long$metric, metrics)
    plot <- ggplot2::ggplot(long, ggplot2::aes(x = .data$t, y = .data$score)) +
        ggplot2::geom_line(colour = "grey30") +
        ggplot2::geom_point(data = long[length(unique(long$t)) <= 60, ], colour = "grey30", size = 1) +
        ggplot2::facet_wrap(~metric) +
        ggplot2::scale_x_continuous(breaks = whole_breaks(max(long$t))) +
        ggplot2::labs(x = "scale (fine to coarse)", y = "score") +
        pnmf_theme()
    lines <- baseline_lines(baselines, metrics)
    if (is.null(lines)) return(plot)
    plot + ggplot2::geom_hline(data = lines, ggplot2::aes(yintercept = .data$score, colour = .data$method,
                                                          linetype = .data$method)) +
        ggplot2::scale_colour_manual(values = group_colours(nlevels(lines$method)), name = NULL) +
        ggplot2::scale_linetype_discrete(name = NULL)
}

# Baselines in long form: method, metric, score.
baseline_lines <- function(baselines, metrics) {
    if (is.null(baselines)) return(NULL)
    if (is.numeric(baselines) && !is.null(names(baselines))) {
        baselines <- data.frame(method = names(baselines),
                                matrix(baselines, length(baselines), length(metrics),
                                       dimnames = list(NULL, metrics)))
    }
    if (!is.data.frame(baselines) || !all(c("method", metrics) %in% names(baselines))) {
        stop_pnmf("'baselines' must be a named numeric vector or a data frame with 'method' and the metrics, not ",
                  describe(baselines))
    }
    long <- do.call(rbind, lapply(metrics, function(m) {
        data.frame(method = baselines$method, metric = m, score = baselines[[m]])
    }))
    long$metric <- factor(long$metric, metrics)
    long$method <- factor(long$method, unique(baselines$method))
    long
}
