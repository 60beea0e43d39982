#' Plot the barcode and the Betti curve of the scales
#'
#' Shows at which distances the cells merge. The upper panel has one bar per
#' connected component, from 0 to the distance at which it merges into another
#' one, longest first. An arrow marks the component that never dies. The lower
#' panel shows the number of components at every threshold, with the scales as
#' points. A last threshold far beyond the last merge is drawn as a triangle at
#' the right edge, and the caption gives its value.
#'
#' @param x A [persistence_scales()] object. For a path, use
#'   `plot(path, "barcode")`.
#' @param ... Not used.
#' @return A ggplot object.
#' @examples
#' scales <- persistence_scales(simulate_circles(seed = 1), n_scales = 12)
#' plot(scales)
#' @importFrom ggplot2 .data
#' @export
plot.persistence_scales <- function(x, ...) {
    assert_no_dots(...)
    scales <- x
    panels <- c("barcode: one bar per component", "number of components")
    deaths <- component_deaths(scales)
    end <- last_distance_shown(scales, deaths)
    in_panel <- function(data, k) cbind(data, panel = factor(panels[k], levels = panels))
    draw_barcode(
        bars = in_panel(barcode_bars(deaths, end), 1L), curve = in_panel(betti_curve(deaths, end), 2L),
        points = in_panel(scale_points(scales, end), 2L), scales = scales
    )
}

# Death of every component, longest-lived first; components that no edge of the tree joins never die.
component_deaths <- function(scales) {
    c(rep(Inf, scales$n_cells - nrow(scales$mst)), rev(sort(scales$mst$length)))
}

# Just beyond the last merge and the second-to-last scale.
last_distance_shown <- function(scales, deaths) {
    all_scales <- scales$threshold
    largest <- max(deaths[is.finite(deaths)], all_scales[-length(all_scales)], 0)
    if (largest > 0) 1.05 * largest else max(all_scales)
}

# Bars that would overlap on the logarithmic axis are drawn once.
barcode_bars <- function(deaths, end, max_bars = 300) {
    n <- length(deaths)
    rank <- if (n <= max_bars) seq_len(n) else unique(round(exp(seq(0, log(n), length.out = max_bars))))
    data.frame(rank = rank, end = pmin(deaths[rank], end), dies = deaths[rank] <= end)
}

# The components at distance d are those that die at d or later, so the curve steps down right after a death.
betti_curve <- function(deaths, end) {
    ends <- unique(sort(deaths[deaths <= end]))
    data.frame(distance = c(0, ends, end), components = c(length(deaths), length(deaths) -
        findInterval(c(ends, end), sort(deaths), left.open = TRUE)))
}

scale_points <- function(scales, end) {
    data.frame(distance = pmin(scales$threshold, end), components = scales$betti0, beyond = scales$threshold > end)
}

draw_barcode <- function(bars, curve, points, scales) {
    few <- nrow(points) <= 100L
    ggplot2::ggplot() +
        ggplot2::geom_segment(
            ggplot2::aes(x = 0, xend = .data$end, y = .data$rank, yend = .data$rank, colour = .data$dies),
            data = bars, linewidth = if (nrow(bars) <= 100L) 0.8 else 0.4
        ) +
        ggplot2::geom_segment(
            ggplot2::aes(x = 0.97 * .data$end, xend = .data$end, y = .data$rank, yend = .data$rank),
            data = bars[!bars$dies, ], colour = "#D55E00",
            arrow = ggplot2::arrow(length = ggplot2::unit(2.5, "mm"), type = "closed")
        ) +
        ggplot2::geom_step(
            ggplot2::aes(x = .data$distance, y = .data$components), data = curve, colour = "#0072B2", direction = "vh"
        ) +
        ggplot2::geom_point(
            ggplot2::aes(x = .data$distance, y = .data$components), data = points[!points$beyond, ],
            shape = 21, fill = "#E69F00", colour = if (few) "black" else "#E69F00", size = if (few) 2 else 0.6
        ) +
        ggplot2::geom_point(
            ggplot2::aes(x = .data$distance, y = .data$components), data = points[points$beyond, ],
            shape = 24, fill = "#E69F00", size = 2.5
        ) +
        ggplot2::facet_wrap("panel", ncol = 1L) +
        ggplot2::scale_colour_manual(values = c("TRUE" = "#0072B2", "FALSE" = "#D55E00"), guide = "none") +
        ggplot2::scale_y_log10(breaks = count_breaks(scales$n_cells)) +
        barcode_labels(scales, points) +
        pnmf_theme()
}

barcode_labels <- function(scales, points) {
    beyond <- points$beyond
    ggplot2::labs(
        x = sprintf("distance (%s)", scales$metric), y = "components",
        title = sprintf("Connected components of %d cells", scales$n_cells),
        subtitle = sprintf("points: %s (%s)", counted(nrow(points), "scale"), scale_kind(scales)),
        caption = if (any(beyond)) {
            sprintf("triangle: the last scale, at %s", format(max(scales$threshold), digits = 4))
        }
    )
}

# 1, 2, 5, 10, ... for small n, otherwise powers of ten.
count_breaks <- function(n) {
    powers <- 10^(0:floor(log10(n)))
    if (n > 500) powers else sort(as.vector(outer(c(1, 2, 5), powers)))
}
