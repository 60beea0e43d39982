#' @rdname persistent_clusters
#' @param path For `plot()`, the path of the clusters, to name the branches.
#' @param genes Number of genes that name each branch of the plot, if `path` is
#'   given, see [cluster_programs()]; 0 for none. Names that would lie on other
#'   text are left out; a larger figure has room for more.
#' @param swap_rownames Names to show instead of the feature names, as in
#'   [cluster_programs()].
#' @export
plot.persistent_clusters <- function(x, path = NULL, genes = 3, swap_rownames = NULL, ...) {
    assert_no_dots(...)
    genes <- assert_count(genes, "genes", min = 0)
    names <- shown_branch_names(path, x, genes, swap_rownames)
    bars <- cluster_bars(x)
    texts <- bar_texts(bars, names, length(x$k))
    joints <- cluster_joints(bars)
    title <- if (x$flat_k == 1L) "No structure found" else sprintf("%d clusters recommended (blue)", x$flat_k)
    ggplot2::ggplot(bars) +
        ggplot2::geom_segment(
            ggplot2::aes(x = .data$x, xend = .data$x, y = .data$y, yend = .data$yend), data = joints, colour = "grey60"
        ) +
        ggplot2::geom_segment(
            ggplot2::aes(x = .data$start, xend = .data$end, y = .data$y, yend = .data$y, linewidth = .data$size,
                         colour = .data$recommended),
            lineend = "butt"
        ) +
        text_layer(texts) +
        ggplot2::scale_colour_manual(values = c("TRUE" = "#0072B2", "FALSE" = "grey65"), guide = "none") +
        ggplot2::scale_linewidth(range = bar_range, limits = c(0, NA), guide = "none") +
        ggplot2::scale_x_continuous(breaks = whole_breaks(length(x$k)),
                                    limits = c(0.5, axis_end(texts, length(x$k)))) +
        ggplot2::scale_y_continuous(expand = ggplot2::expansion(add = 0.7)) +
        ggplot2::labs(x = "scale (fine to coarse)", y = NULL, title = title,
                      subtitle = paste0("one bar per cluster, from its first to its last scale, ",
                                        "labelled with number and cells",
                                        if (!all(is.na(x$tree$support))) {
                                            "\n(support: found again when half of the cells are left out)"
                                        },
                                        if (any(x$tree$continuum, na.rm = TRUE)) "; stage: part of a continuum")) +
        ggplot2::theme_minimal(base_size = 11) +
        ggplot2::theme(panel.grid.major.y = ggplot2::element_blank(), panel.grid.minor = ggplot2::element_blank(),
                       axis.text.y = ggplot2::element_blank())
}

# Width of the thinnest and the thickest bar.
bar_range <- c(0.6, 5)

# Number, cells and support of every cluster above its bar, its genes below. A line of width w is 0.75 w mm thick.
bar_texts <- function(bars, names, n_scales) {
    marks <- data.frame(x = bars$start, y = bars$y, text = bars$label)
    marks$half_height <- 0.375 * (bar_range[1] + diff(bar_range) * bars$size / max(bars$size))
    marks$genes <- names$label[match(bars$cluster, names$cluster)]
    mark_texts(marks, n_scales)
}

whole_breaks <- function(n) unique(round(pretty(c(1, n), n = min(n, 10L))))

# One row per cluster: from `start` to `end` at height `y`.
cluster_bars <- function(x) {
    tree <- x$tree
    y <- unname(tree_lanes(tree, stats::weighted.mean))
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

# Height of every cluster in a drawing of the tree, named by cluster: the finest clusters 1, 2, ..., larger siblings
# first, so that no joint crosses a bar. The others are in the middle of those that they are made of.
# middle: function(lanes, sizes)
tree_lanes <- function(tree, middle = function(lanes, sizes) mean(range(lanes))) {
    lane <- stats::setNames(rep(NA_real_, nrow(tree)), tree$cluster)
    free <- 0
    place <- function(row) {
        parts <- which(tree$parent %in% tree$cluster[row])
        parts <- parts[order(-tree$size[parts], tree$cluster[parts])]
        for (part in parts) place(part)
        lane[row] <<- if (length(parts) > 0L) middle(lane[parts], tree$size[parts]) else free <<- free + 1
    }
    for (root in which(is.na(tree$parent))) place(root)
    lane
}

# Whether each cluster of the tree is one of the recommended clusters.
is_recommended <- function(x) !is.na(x$flat_scale) & x$tree$cluster %in% x$flat

# The vertical line from a cluster's end to the bar of its parent.
cluster_joints <- function(bars) {
    place <- match(bars$parent, bars$cluster)
    joined <- !is.na(place)
    data.frame(x = bars$end[joined], y = bars$y[joined], yend = bars$y[place[joined]])
}
