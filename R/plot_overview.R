#' Plot a path
#'
#' `what = "overview"` shows a path in three panels: the barcode of the connected
#' components, the [effective_cells()] of every scale (components, where scales
#' are not spread by effective cells), and the objective after every sweep, if
#' there are several. The active and the suggested scale are marked.
#' `what = "barcode"` is [plot()][plot.persistence_scales] of its scales.
#' `what = "objective"` is the convergence figure of the paper: the objective
#' after each sweep, its relative decrease, and, for a fit with
#' `pnmf_control(record = TRUE)`, the objective after every single update.
#'
#' @param x A [pNMFPath-class]; for an object that contains one, use
#'   `plot(PNMFPath(object))`.
#' @param what What to show.
#' @param active The scale to mark as active.
#' @param suggested The scale to mark as suggested. `NULL` uses
#'   [suggest_scale()] (up to 2,000 cells), `NA` marks none.
#' @param ... Not used.
#' @return A ggplot object.
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 12,
#'              control = pnmf_control(max_outer = 10, tol = 0, record = TRUE))
#' plot(path)
#' plot(path, active = 3, suggested = NA)
#' plot(path, "objective")
#' @export
plot.pNMFPath <- function(x, what = c("overview", "barcode", "objective"), active = active_scale(x), suggested = NULL,
                          ...) {
    if ("labels" %in% ...names()) stop_pnmf("'labels' belongs to plot_path(), which shows the cells: see ?plot_path")
    assert_no_dots(...)
    what <- assert_choice(what, c("overview", "barcode", "objective"), "what")
    assert_no_reference(x, "x")
    switch(what, overview = draw_overview(x, active, suggested), barcode = plot.persistence_scales(x@scales),
           objective = draw_objective(x))
}

draw_overview <- function(x, active, suggested) {
    active <- assert_count(active, "active", max = n_scales(x))
    marks <- marked_scales(x, active, suggested_scale(x, suggested))
    barcode <- overview_barcode(x)
    curves <- overview_curves(x)
    ggplot2::ggplot(mapping = ggplot2::aes(x = .data$x, y = .data$y)) +
        ggplot2::geom_segment(data = barcode, ggplot2::aes(xend = .data$end, yend = .data$y), colour = "grey45",
                              linewidth = if (nrow(barcode) > 150L) 0.2 else 0.6) +
        ggplot2::geom_step(data = curves[curves$panel == "scales", ], colour = okabe_ito[1],
                           direction = "hv") +
        ggplot2::geom_line(data = curves[curves$panel == "sweeps", ], colour = okabe_ito[1]) +
        ggplot2::geom_vline(data = marks, ggplot2::aes(xintercept = .data$x, colour = .data$mark,
                                                       linetype = .data$mark)) +
        ggplot2::facet_wrap(~panel, scales = "free", nrow = 1, labeller = ggplot2::as_labeller(overview_titles(x))) +
        ggplot2::scale_colour_manual(values = stats::setNames(okabe_ito[2:3], mark_names), name = NULL) +
        ggplot2::scale_linetype_manual(values = stats::setNames(c("solid", "22"), mark_names), name = NULL) +
        ggplot2::scale_x_continuous(breaks = function(range) pretty(range)) + # scales and sweeps have whole numbers
        ggplot2::labs(x = NULL, y = NULL, title = path_summary_lines(x)[1], caption = bars_note(x)) +
        pnmf_theme() +
        ggplot2::theme(legend.position = "bottom")
}

overview_panels <- c("distances", "scales", "sweeps")

overview_titles <- function(path) {
    count <- if (is.null(path@scales$effective_cells)) "components" else "log10 effective cells"
    stats::setNames(c("components alive, by distance", paste0(count, ", by scale"), "objective, by sweep"),
                    overview_panels)
}

mark_names <- c("active scale", "suggested scale")

as_panel <- function(k) factor(overview_panels[k], overview_panels)

suggested_scale <- function(path, suggested) {
    if (is.null(suggested)) {
        if (dim(path)[2] > 2000L || n_scales(path) < 3L) return(NA_integer_)
        return(suggest_scale(path)$t)
    }
    if (length(suggested) == 1L && is.na(suggested)) return(NA_integer_)
    assert_count(suggested, "suggested", max = n_scales(path))
}

# A vertical line per marked scale: at its threshold in the first panel, at its index in the second.
marked_scales <- function(path, active, suggested) {
    t <- c(active, suggested)
    end <- barcode_end(path)
    marks <- data.frame(mark = factor(rep(mark_names, 2L), mark_names),
                        x = c(pmin(thresholds(path)[t], end), t),
                        panel = as_panel(rep(c(1L, 2L), each = 2L)))
    marks[!is.na(marks$x), , drop = FALSE]
}

# The last, infinite component is drawn a little longer than the others.
barcode_end <- function(path) 1.05 * max(path@scales$mst$length)

overview_barcode <- function(path) {
    end <- c(path@scales$mst$length, barcode_end(path))
    drawn <- evenly_spaced(length(end), max_bars)
    data.frame(x = 0, end = end[drawn], y = drawn, panel = as_panel(1L))
}

# More bars than this would overlap.
max_bars <- 2000L

bars_note <- function(path) {
    n <- nrow(path@scales$mst) + 1L
    if (n > max_bars) sprintf("%d of %d bars are drawn", max_bars, n)
}

overview_curves <- function(path) {
    sweeps <- if (nrow(path@objective) > 1L) path@objective # one sweep is no curve
    effective <- path@scales$effective_cells
    rbind(
        data.frame(x = seq_len(n_scales(path)), y = if (is.null(effective)) path@scales$betti0 else log10(effective),
                   panel = as_panel(2L)),
        if (!is.null(sweeps)) data.frame(x = sweeps$outer, y = sweeps$objective, panel = as_panel(3L))
    )
}
