# The convergence figure of the paper.
draw_objective <- function(path) {
    record <- convergence_record(path)
    if (nrow(record) < 2L) stop_pnmf("'what' = \"objective\" needs at least two sweeps, but the path has one")
    ggplot2::ggplot(record, ggplot2::aes(x = .data$step, y = .data$value)) +
        ggplot2::geom_line(colour = okabe_ito[1]) +
        ggplot2::geom_point(data = record[record$few, ], colour = okabe_ito[1], size = 1) +
        ggplot2::facet_wrap(~panel, scales = "free", nrow = 1) +
        ggplot2::labs(x = NULL, y = NULL, caption = without_decrease(path)) +
        pnmf_theme()
}

# Sweeps that a logarithmic axis cannot show.
without_decrease <- function(path) {
    n <- sum(path@objective$relative_decrease <= 0, na.rm = TRUE)
    if (n > 0L) paste(counted(n, "sweep"), "without a decrease not shown")
}

# Long form: one row per panel and step. Positive relative decreases are shown as log10.
convergence_record <- function(path) {
    sweeps <- path@objective
    decrease <- sweeps[!is.na(sweeps$relative_decrease) & sweeps$relative_decrease > 0, , drop = FALSE]
    updates <- path@convergence$updates
    views <- list(
        data.frame(panel = "objective by sweep", step = sweeps$outer, value = sweeps$objective),
        if (nrow(decrease) > 0L) {
            data.frame(panel = "log10 relative decrease by sweep", step = decrease$outer,
                       value = log10(decrease$relative_decrease))
        },
        if (is.data.frame(updates) && nrow(updates) > 0L) {
            data.frame(panel = "objective by update", step = seq_len(nrow(updates)), value = updates$objective)
        }
    )
    record <- do.call(rbind, views)
    record$panel <- factor(record$panel, unique(record$panel))
    record$few <- stats::ave(record$step, record$panel, FUN = length) <= 60
    record
}
