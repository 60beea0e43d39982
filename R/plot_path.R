#' Plot the embeddings of a path side by side
#'
#' Draws one panel per scale. Two factors are shown directly. For higher ranks,
#' every panel is a map of its own (UMAP with 15 neighbours, a = b = 1) of the
#' embedding of that scale. It starts at the map of the next finer scale shown,
#' so that cells move little from panel to panel.
#'
#' @inheritParams subset_cells
#' @param at Scales to show; `NULL` means nine evenly spaced scales, one of them
#'   the [active_scale()].
#' @param labels One label per cell for the colours, or `NULL`. For an object,
#'   the name of a metadata column also works. There is no legend for more than 30
#'   labels; the caption says so.
#' @param factors Two factors to show directly, for any rank.
#' @param max_cells Maximum number of cells. If there are more, a seeded sample
#'   is shown, and the caption says so.
#' @param seed Seed for the UMAP and the sample.
#' @param ... Not used.
#' @return A ggplot object.
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 2, lambda_graph = 100, lambda_smooth = 100, scales = 9,
#'              control = pnmf_control(max_outer = 20, tol = 0))
#' plot_path(path, labels = attr(x, "circle"))
#' @export
plot_path <- function(path, at = NULL, labels = NULL, factors = NULL, max_cells = 5000, seed = NULL,
                      reduction = NULL, ...) {
    object <- path
    path <- as_path(path, reduction)
    labels <- labels_of(object, labels, cells = path@cell_names)
    at <- several_scales(at, ...)
    scales <- if (is.null(at)) typical_scales(path) else assert_indices(at, "at", n_scales(path))
    max_cells <- assert_count(max_cells, "max_cells")
    labels <- shown_labels(labels, dim(path)[2])
    shown <- shown_cells(dim(path)[2], max_cells, seed)
    points <- path_coordinates(path, scales, factors, shown, seed)
    points$label <- if (is.null(labels)) factor("cells") else labels[shown][points$cell]
    n <- length(shown)
    crowded <- nlevels(labels) > max_legend
    plot <- ggplot2::ggplot(points, ggplot2::aes(x = .data$x, y = .data$y, colour = .data$label)) +
        ggplot2::geom_point(size = point_size(n), alpha = point_alpha(n)) +
        ggplot2::facet_wrap(~panel, scales = "fixed", labeller = ggplot2::as_labeller(function(title) {
            sub(" (", "\n(", title, fixed = TRUE) # fits above a narrow panel
        })) +
        ggplot2::scale_colour_manual(values = group_colours(nlevels(points$label)), name = NULL) +
        ggplot2::labs(x = attr(points, "axes")[1], y = attr(points, "axes")[2],
                      caption = shown_note(path, if (is.null(at)) length(scales) else n_scales(path), n,
                                           if (crowded) paste(nlevels(labels), "labels, without a legend"))) +
        ggplot2::guides(colour = ggplot2::guide_legend(override.aes = list(size = 2, alpha = 1))) +
        pnmf_theme()
    if (is.null(labels) || crowded) plot + ggplot2::theme(legend.position = "none") else plot
}

# More labels would fill the figure, and their colours could not be told apart.
max_legend <- 30L

# Nine evenly spaced scales, with the active one in place of the nearest; both ends stay.
typical_scales <- function(path) {
    at <- evenly_spaced(n_scales(path), 9L)
    active <- active_scale(path)
    if (!(active %in% at)) at[1L + which.min(abs(at[2:8] - active))] <- active
    at
}

# NULL if all scales and cells are shown, and there is nothing else to note.
shown_note <- function(path, scales, cells, also = NULL) {
    part <- c(if (scales < n_scales(path)) sprintf("%d of %d scales", scales, n_scales(path)),
              if (cells < dim(path)[2]) sprintf("%d of %d cells", cells, dim(path)[2]))
    shown <- if (length(part) > 0L) paste(paste(part, collapse = ", "), "shown")
    if (length(c(shown, also)) > 0L) paste(c(shown, also), collapse = "; ")
}

shown_cells <- function(n, max_cells, seed) {
    if (n <= max_cells) return(seq_len(n))
    sort(with_random_state(assert_seed(seed), sample.int(n, max_cells)))
}

# One row per shown cell and scale: cell, panel, x, y; the names of the axes as an attribute.
path_coordinates <- function(path, scales, factors, shown, seed) {
    if (!is.null(factors)) {
        factors <- assert_indices(factors, "factors", n_factors(path))
        if (length(factors) != 2L) stop_pnmf("'factors' must be two factors, not ", length(factors))
    } else if (n_factors(path) <= 2L) {
        factors <- rep_len(seq_len(n_factors(path)), 2L)
    }
    H <- lapply(scales, function(t) embedding(path, t)[shown, , drop = FALSE])
    axes <- if (is.null(factors)) c("UMAP 1", "UMAP 2") else paste("factor", factors)
    H <- if (is.null(factors)) scale_layouts(H, seed) else lapply(H, function(h) h[, factors, drop = FALSE])
    rows <- Map(function(h, t) {
        data.frame(cell = seq_along(shown), t = t, x = h[, 1], y = h[, 2])
    }, H, scales)
    points <- do.call(rbind, rows)
    points$panel <- factor(scale_titles(path, points$t), scale_titles(path, scales))
    structure(points, axes = axes)
}

scale_titles <- function(path, scales) {
    sprintf("scale %d (%s)", scales, scale_resolution(path@scales, scales))
}
