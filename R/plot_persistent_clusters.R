#' @rdname persistent_clusters
#' @param path For `plot()`, the path of the clusters, to name the branches.
#' @param genes Number of genes that name each branch of the plot, if `path` is
#'   given, see [cluster_programs()]; 0 for none.
#' @param swap_rownames Names to show instead of the feature names, as in
#'   [cluster_programs()].
#' @export
plot.persistent_clusters <- function(x, path = NULL, genes = 3, swap_rownames = NULL, ...) {
    assert_no_dots(...)
    names <- shown_branch_names(path, x, assert_count(genes, "genes", min = 0), swap_rownames)
    bars <- cluster_bars(x)
    joints <- cluster_joints(bars)
    title <- if (x$flat_k == 1L) "No structure found" else sprintf("%d clusters recommended", x$flat_k)
    ggplot2::ggplot(bars) +
        ggplot2::geom_segment(
            ggplot2::aes(x = .data$x, xend = .data$x, y = .data$y, yend = .data$yend), data = joints, colour = "grey60"
        ) +
        ggplot2::geom_segment(
            ggplot2::aes(x = .data$start, xend = .data$end, y = .data$y, yend = .data$y, linewidth = .data$size,
                         colour = .data$recommended),
            lineend = "butt"
        ) +
        ggplot2::geom_text(
            ggplot2::aes(x = .data$start, y = .data$y, label = .data$label), size = 2.8, hjust = 0,
            vjust = above_mark(half_width(bars))
        ) +
        ggplot2::scale_colour_manual(values = c("TRUE" = "#0072B2", "FALSE" = "grey65"), name = "recommended",
                                     labels = c("TRUE" = "yes", "FALSE" = "no"), limits = c("TRUE", "FALSE")) +
        ggplot2::scale_linewidth(range = c(0.6, 8), limits = c(0, NA)) +
        ggplot2::scale_x_continuous(breaks = whole_breaks(length(x$k)),
                                    limits = c(0.5, right_end(bars, names, length(x$k)))) +
        ggplot2::scale_y_continuous(expand = ggplot2::expansion(add = 0.9)) +
        ggplot2::guides(linewidth = "none") +
        ggplot2::labs(x = "scale (fine to coarse)", y = NULL, title = title,
                      subtitle = paste0("one bar per cluster, as long as it persists: its number, cells",
                                        if (!all(is.na(x$tree$support))) {
                                            "\n(support: found again in half of the cells)"
                                        },
                                        if (any(x$tree$continuum, na.rm = TRUE)) "; stage: of a continuum")) +
        ggplot2::theme_minimal(base_size = 11) +
        ggplot2::theme(panel.grid.major.y = ggplot2::element_blank(), panel.grid.minor = ggplot2::element_blank(),
                       axis.text.y = ggplot2::element_blank(), legend.position = "bottom") +
        bar_text(bars, names)
}

# Of every bar, in mm: a line of width w is 0.75 w mm thick.
half_width <- function(bars) 0.375 * (0.6 + 7.4 * bars$size / max(bars$size))

# Where the axis ends: behind the last scale, and behind the names of bars that begin there.
right_end <- function(bars, names, n_scales) {
    genes <- names$label[match(bars$cluster, names$cluster)]
    max(n_scales + 1, bars$start + letter_width(n_scales) * nchar(genes), na.rm = TRUE)
}

# The genes of a cluster, below its bar.
bar_text <- function(bars, names) {
    if (is.null(names)) return(NULL)
    bars$genes <- names$label[match(bars$cluster, names$cluster)]
    bars$below <- 1 - above_mark(half_width(bars))
    named <- bars[!is.na(bars$genes), , drop = FALSE]
    ggplot2::geom_text(data = named, ggplot2::aes(x = .data$start, y = .data$y, label = .data$genes), size = 2.5,
                       hjust = 0, vjust = named$below, colour = "grey20", fontface = "italic")
}

whole_breaks <- function(n) unique(round(pretty(c(1, n), n = min(n, 10L))))

# One row per cluster: from `start` to `end` at height `y`. Leaves are ordered so that no joint crosses a bar.
cluster_bars <- function(x) {
    tree <- x$tree
    order <- drawn_order(tree)
    y <- numeric(nrow(tree))
    leaves <- order[!(tree$cluster[order] %in% tree$parent)]
    y[leaves] <- seq_along(leaves)
    for (row in rev(order)) {
        children <- which(tree$parent == tree$cluster[row])
        if (length(children) > 0L) y[row] <- stats::weighted.mean(y[children], tree$size[children])
    }
    flat <- is_recommended(x)
    end <- ifelse(is.na(tree$death), length(x$k) + 1, tree$death)
    data.frame(cluster = tree$cluster, parent = tree$parent, start = tree$birth - 0.5, end = end - 0.5, y = y,
               size = tree$size, label = bar_labels(tree), recommended = factor(flat, levels = c(TRUE, FALSE)))
}

bar_labels <- function(tree) {
    label <- sprintf("%d: %d", tree$cluster, tree$size)
    known <- which(!is.na(tree$support))
    label[known] <- sprintf("%s (%.2f)", label[known], tree$support[known])
    stage <- which(tree$continuum %in% TRUE)
    label[stage] <- paste(label[stage], "stage")
    label
}

# Rows of the tree: every cluster before those inside it, larger siblings first.
drawn_order <- function(tree) {
    open <- which(is.na(tree$parent))
    order <- integer(0)
    while (length(open) > 0L) {
        row <- open[1L]
        order <- c(order, row)
        children <- which(tree$parent == tree$cluster[row])
        open <- c(children[order(-tree$size[children])], open[-1L])
    }
    order
}

# Whether each cluster of the tree is one of the recommended clusters.
is_recommended <- function(x) !is.na(x$flat_scale) & x$tree$cluster %in% x$flat

# The vertical line from a cluster's end to the bar of its parent.
cluster_joints <- function(bars) {
    place <- match(bars$parent, bars$cluster)
    joined <- !is.na(place)
    data.frame(x = bars$end[joined], y = bars$y[joined], yend = bars$y[place[joined]])
}
