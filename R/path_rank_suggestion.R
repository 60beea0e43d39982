#' @rdname suggest_rank
#' @export
print.rank_suggestion <- function(x, ...) {
    ranks <- x$evidence$rank
    chosen <- x$evidence[x$evidence$suggested, ]
    reason <- if (x$n_repeats > 0L) {
        sprintf("held-out error %.4f (best: %.4f at rank %d), factor stability %.2f", chosen$holdout_error,
                min(x$evidence$holdout_error), ranks[which.min(x$evidence$holdout_error)], chosen$stability)
    } else {
        "by the reconstruction error; no cells were held out"
    }
    writeLines(c(
        sprintf("suggested rank: %d (of %s)", x$rank, abbreviated(ranks)),
        reason,
        sprintf("reconstruction error %.4f; alone it suggests rank %d", chosen$error, x$elbow),
        sprintf("errors are shares of the error without factors; another factor must lower it by %s", format(x$price)),
        if (x$rank == max(ranks)) "this is the largest rank tried: try larger ones",
        "a heuristic: look at plot(x) and x$evidence"
    ))
    invisible(x)
}

#' @rdname suggest_rank
#' @export
plot.rank_suggestion <- function(x, ...) {
    evidence <- x$evidence
    panels <- c(holdout_error = "held-out error (lower is better)", error = "reconstruction error",
                stability = "stability of factors (higher is better)")
    panels <- panels[!vapply(names(panels), function(m) anyNA(evidence[[m]]), logical(1))]
    long <- do.call(rbind, lapply(names(panels), function(m) {
        spread <- if (m == "holdout_error") evidence$holdout_se else 0
        data.frame(rank = evidence$rank, value = evidence[[m]], spread = spread, measure = panels[[m]],
                   suggested = evidence$suggested)
    }))
    long$measure <- factor(long$measure, levels = panels)
    ggplot2::ggplot(long, ggplot2::aes(x = .data$rank, y = .data$value)) +
        ggplot2::geom_vline(xintercept = x$rank, linetype = "dashed", colour = "grey40") +
        ggplot2::geom_line(colour = "#0072B2") +
        ggplot2::geom_linerange(ggplot2::aes(ymin = .data$value - .data$spread, ymax = .data$value + .data$spread),
                                colour = "#0072B2") +
        ggplot2::geom_point(ggplot2::aes(colour = .data$suggested), size = 2) +
        ggplot2::scale_colour_manual(values = c("FALSE" = "#0072B2", "TRUE" = "#D55E00"), guide = "none") +
        ggplot2::facet_wrap("measure", ncol = 1, scales = "free_y") +
        ggplot2::scale_x_continuous(breaks = evidence$rank) +
        ggplot2::labs(x = "rank", y = NULL, title = sprintf("Suggested rank: %d", x$rank),
                      subtitle = "a heuristic; bars: standard error over repeats and halves") +
        ggplot2::theme_minimal(base_size = 11) +
        ggplot2::theme(panel.grid.minor = ggplot2::element_blank())
}
