#' @rdname suggest_rank
#' @export
plot.rank_suggestion <- function(x, ...) {
    panels <- c(holdout_error = "held-out error (lower is better)", error = "reconstruction error",
                stability = "stability of factors (higher is better)")
    panels <- panels[!vapply(names(panels), function(m) anyNA(x$evidence[[m]]), logical(1))]
    draw_evidence(x$evidence, "rank", panels, x$rank) +
        ggplot2::scale_x_continuous(breaks = x$evidence$rank) +
        ggplot2::labs(x = "rank", title = sprintf("Suggested rank: %d", x$rank),
                      subtitle = "a heuristic; bars: standard error over repeats and halves")
}

#' @rdname suggest_scale
#' @export
plot.scale_suggestion <- function(x, ...) {
    title <- if (is.na(x$t)) "No scale stands out" else sprintf("Suggested scale: %d", x$t)
    draw_evidence(x$evidence, "t", c(clusters = "clusters", modularity = "modularity of the clusters"), x$t) +
        ggplot2::scale_x_continuous(breaks = function(limits) unique(round(pretty(limits)))) +
        ggplot2::labs(x = "scale (fine to coarse)", title = title,
                      subtitle = "a heuristic; the dashed line is the suggestion")
}

# A panel per measure, along `at`, a column of the evidence. panels: titles of the measures, named by their columns.
# suggested: a value of `at`, NA for none
draw_evidence <- function(evidence, at, panels, suggested) {
    long <- do.call(rbind, lapply(names(panels), function(m) {
        data.frame(at = evidence[[at]], value = evidence[[m]], measure = factor(panels[[m]], panels),
                   spread = if (m == "holdout_error") evidence$holdout_se else 0, suggested = evidence$suggested)
    }))
    ggplot2::ggplot(long[!is.na(long$value), ], ggplot2::aes(x = .data$at, y = .data$value)) +
        list(if (!is.na(suggested)) {
            ggplot2::geom_vline(xintercept = suggested, linetype = "dashed", colour = "grey40")
        }) +
        ggplot2::geom_line(colour = "#0072B2") +
        ggplot2::geom_linerange(ggplot2::aes(ymin = .data$value - .data$spread, ymax = .data$value + .data$spread),
                                colour = "#0072B2") +
        ggplot2::geom_point(ggplot2::aes(colour = .data$suggested), size = 2) +
        ggplot2::scale_colour_manual(values = c("FALSE" = "#0072B2", "TRUE" = "#D55E00"), guide = "none") +
        ggplot2::facet_wrap("measure", ncol = 1L, scales = "free_y") +
        ggplot2::labs(y = NULL) +
        pnmf_theme()
}
