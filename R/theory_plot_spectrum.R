#' Plot the smallest Laplacian eigenvalues against the scale
#'
#' Draws one line per eigenvalue on a logarithmic axis. The number of zeros is
#' the number of connected components, so the line of the j-th eigenvalue begins
#' at the first scale with fewer than j components.
#'
#' @param x The eigenvalues of all scales, see [laplacian_spectrum()].
#' @param ... Not used.
#' @return A ggplot object.
#' @seealso [laplacian_spectrum()]
#' @examples
#' scales <- persistence_scales(simulate_circles(seed = 1))
#' plot(laplacian_spectrum(scales, k = 8))
#' @importFrom ggplot2 .data
#' @export
plot.eigenvalue_paths <- function(x, ...) {
    assert_no_dots(...)
    paths <- x
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
        pnmf_theme()
}
