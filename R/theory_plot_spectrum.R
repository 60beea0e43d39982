#' Plot the smallest Laplacian eigenvalues against the scale
#'
#' Draws one line per eigenvalue on a logarithmic axis. The number of zeros is
#' the number of connected components, so the line of the j-th eigenvalue begins
#' at the first scale with fewer than j components.
#'
#' @inheritParams eigenvalue_paths
#' @param t Scales to show; `NULL` means all scales, or 100 evenly spread ones
#'   if there are more.
#' @return A ggplot object.
#' @seealso [eigenvalue_paths()]
#' @examples
#' plot_spectrum(persistence_scales(simulate_circles(seed = 1)), k = 8, t = 60:80)
#' @importFrom ggplot2 .data
#' @export
plot_spectrum <- function(scales, k = 10, t = NULL, alpha = NULL) {
    if (is.null(t)) {
        total <- length(as_scales(scales)$threshold)
        t <- unique(round(seq(1, total, length.out = min(total, 100L))))
    }
    paths <- eigenvalue_paths(scales, k, t, alpha)
    positive <- paths[paths$eigenvalue > 0, , drop = FALSE]
    if (nrow(positive) == 0L) {
        stop_pnmf("'k' must exceed the number of components at one of the scales: the ", max(paths$index),
                  " smallest eigenvalues are all zero")
    }
    ggplot2::ggplot(positive, ggplot2::aes(x = .data$t, y = .data$eigenvalue, colour = .data$index,
                                           group = .data$index)) +
        ggplot2::geom_line(linewidth = 0.6) +
        ggplot2::geom_point(size = 1.2) +
        ggplot2::scale_x_continuous(breaks = function(range) unique(round(pretty(range)))) +
        ggplot2::scale_y_log10() +
        ggplot2::scale_colour_viridis_c(name = "eigenvalue\nnumber", end = 0.9) +
        ggplot2::labs(x = "scale (fine to coarse)", y = "eigenvalue of the Laplacian",
                      title = sprintf("The %d smallest Laplacian eigenvalues along the scales", max(paths$index)),
                      subtitle = "from the scale where each leaves zero: one zero per connected component") +
        ggplot2::theme_minimal(base_size = 11) +
        ggplot2::theme(panel.grid.minor = ggplot2::element_blank())
}
