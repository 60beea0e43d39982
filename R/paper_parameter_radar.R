#' Plot a parameter analysis as radar charts
#'
#' Shows the scores of [parameter_analysis()]. Each value of `lambda_graph` has
#' a panel, with one polygon per combination of the other two penalties and one
#' corner per score. Colours show `lambda_smooth`, line types `lambda_anchor`.
#' The centre is 0, the outer ring 1.
#'
#' @param x The result of [parameter_analysis()]: a data frame with
#'   `lambda_graph`, `lambda_smooth`, `lambda_anchor`, `ari`, `nmi`, `purity`,
#'   `accuracy` and `average`. Scores below 0 are drawn at the centre.
#' @param ... Not used.
#' @return A ggplot object.
#' @examples
#' x <- simulate_circles(n_per_circle = 8, n_noise = 10, seed = 1)
#' results <- parameter_analysis(x, attr(x, "circle"), lambdas = c(0.1, 10),
#'                               rank = 2, scales = 4, n_start = 5,
#'                               control = pnmf_control(max_outer = 5, tol = 0, threads = 1))
#' plot(results)
#' @importFrom ggplot2 .data
#' @export
plot.parameter_analysis <- function(x, ...) {
    assert_no_dots(...)
    results <- assert_parameter_results(x, "x")
    corners <- radar_corners(results)
    labels <- data.frame(radar_position(rep(1.28, length(radar_scores)), seq_along(radar_scores)),
                         score = names(radar_scores))
    ggplot2::ggplot(mapping = ggplot2::aes(x = .data$x, y = .data$y)) +
        ggplot2::geom_path(data = radar_rings(), ggplot2::aes(group = .data$ring), colour = "grey85", linewidth = 0.3) +
        ggplot2::geom_segment(data = data.frame(radar_position(rep(1, length(radar_scores)), seq_along(radar_scores))),
                              ggplot2::aes(xend = 0, yend = 0), colour = "grey85", linewidth = 0.3) +
        ggplot2::geom_polygon(data = corners, ggplot2::aes(group = .data$combination, colour = .data$lambda_smooth,
                                                           linetype = .data$lambda_anchor),
                              fill = NA, linewidth = 0.6, alpha = 0.8, key_glyph = "path") +
        ggplot2::geom_text(data = labels, ggplot2::aes(label = .data$score), size = 3, colour = "grey30") +
        ggplot2::facet_wrap(~panel, nrow = 1) +
        ggplot2::scale_colour_manual(values = group_colours(nlevels(corners$lambda_smooth))) +
        ggplot2::scale_linetype_discrete() +
        ggplot2::guides(linetype = ggplot2::guide_legend(override.aes = list(colour = "grey30"))) +
        ggplot2::scale_x_continuous(limits = c(-1.75, 1.75)) + # room for the names of the scores
        ggplot2::coord_equal() +
        ggplot2::labs(subtitle = "rings: scores of 0.25, 0.5, 0.75 and 1") +
        pnmf_theme() +
        ggplot2::theme(axis.title = ggplot2::element_blank(), axis.text = ggplot2::element_blank(),
                       axis.ticks = ggplot2::element_blank(), panel.grid = ggplot2::element_blank(),
                       legend.position = "bottom")
}

radar_scores <- c(ARI = "ari", NMI = "nmi", purity = "purity", accuracy = "accuracy", average = "average")

# The first score points up, the others follow clockwise.
radar_position <- function(radius, corner) {
    angle <- 2 * pi * (corner - 1) / length(radar_scores)
    data.frame(x = radius * sin(angle), y = radius * cos(angle))
}

# One row per combination and score, in the order of the corners.
radar_corners <- function(results) {
    rows <- lapply(seq_len(nrow(results)), function(i) {
        score <- pmax(unlist(results[i, radar_scores], use.names = FALSE), 0)
        data.frame(combination = i, results[rep(i, length(score)), penalty_names], score = names(radar_scores),
                   value = score, radar_position(score, seq_along(score)), row.names = NULL)
    })
    corners <- do.call(rbind, rows)
    graph <- factor(corners$lambda_graph)
    corners$panel <- factor(paste("lambda_graph =", graph), paste("lambda_graph =", levels(graph)))
    corners$lambda_smooth <- factor(corners$lambda_smooth)
    corners$lambda_anchor <- factor(corners$lambda_anchor)
    corners
}

# Closed pentagons at the quarters.
radar_rings <- function() {
    around <- c(seq_along(radar_scores), 1L)
    do.call(rbind, lapply(c(0.25, 0.5, 0.75, 1), function(ring) {
        data.frame(ring = ring, radar_position(rep(ring, length(around)), around))
    }))
}

assert_parameter_results <- function(results, name = "results") {
    wanted <- c(penalty_names, radar_scores)
    if (!is.data.frame(results) || nrow(results) == 0L) {
        stop_pnmf("'", name, "' must be a data frame as parameter_analysis() returns, not ", describe(results))
    }
    missing <- setdiff(wanted, names(results))
    if (length(missing) > 0L) {
        stop_pnmf("'", name, "' must be a data frame as parameter_analysis() returns, but it lacks ",
                  paste(missing, collapse = ", "))
    }
    finite <- vapply(results[wanted], function(value) is.numeric(value) && all(is.finite(value)), logical(1))
    if (!all(finite)) {
        stop_pnmf("'", name, "$", wanted[!finite][1], "' must be finite numbers, not ",
                  describe(results[[wanted[!finite][1]]]))
    }
    results
}
