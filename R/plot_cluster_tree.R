#' Plot the tree of clusters across scales
#'
#' Shows how clusters split and merge along the scales. Scales run from left
#' (fine) to right (coarse). Clusters are circles; their area shows the number
#' of cells. The width of an edge shows how many cells two clusters share, and
#' its opacity shows their share of the coarser cluster. Clusters are ordered so
#' that wide edges rarely cross.
#'
#' Colours show the majority label of each cluster: from `labels` if given,
#' otherwise from the clusters at the finest scale shown. Up to eight labels have
#' the colours of Okabe and Ito, which readers with any type of colour vision
#' can distinguish. Up to 30 labels have colours that differ about as much for
#' readers with full colour vision. More than 30 have viridis colours.
#'
#' @param tree A [cluster_tree()], or the labellings to build it from: a data
#'   frame, a [persistent_clusters()] result, a path, or a Seurat object or
#'   SingleCellExperiment with the columns of [FindPNMFClusters()].
#' @param labels Known labels of the cells, in the order of the rows of the
#'   labellings, or `NULL`. For an object, the name of a metadata column also
#'   works.
#' @param at Scales to show. `NULL` means all scales, or about `max_scales`
#'   evenly spread ones if there are more.
#' @param max_scales Maximum number of scales when `at` is `NULL`.
#' @param min_share Edges with less than this share of the cells of the coarser
#'   cluster are left out.
#' @param path The path of the clusters, if `tree` is a [persistent_clusters()]
#'   result: its genes name the branches, see [cluster_programs()]. Not needed if
#'   `tree` is a path.
#' @param genes Number of genes below the first circle of each cluster; 0 for
#'   none. Needs a path.
#' @param swap_rownames Names to show instead of the feature names: a column of
#'   the row data of an object `path`, such as `"symbol"`, or one name per feature.
#' @param reduction Name of the path, if the object holds several.
#' @param ... Not used.
#' @return A ggplot object.
#' @examples
#' clusters <- data.frame(
#'     scale.1 = rep(1:4, c(30, 25, 20, 5)),
#'     scale.2 = rep(c(1, 2, 3, 3), c(30, 25, 20, 5)),
#'     scale.3 = rep(c(1, 2, 2, 2), c(32, 23, 20, 5))
#' )
#' plot_cluster_tree(clusters)
#' plot_cluster_tree(cluster_tree(clusters), labels = rep(c("stem", "blood"), c(30, 50)))
#' @importFrom ggplot2 .data
#' @export
plot_cluster_tree <- function(tree, labels = NULL, at = NULL, max_scales = 12, min_share = 0.05,
                              path = NULL, genes = 3, swap_rownames = NULL, reduction = NULL, ...) {
    labels <- labels_of(tree, labels)
    genes <- assert_count(genes, "genes", min = 0)
    if (is(tree, "pNMFPath")) {
        path <- tree
        tree <- persistent_clusters(path)
    }
    clusters <- if (inherits(tree, "cluster_tree")) tree$clusters else assert_clusters(tree, "tree", 2L, reduction)
    labels <- labels_of_clustered(labels, tree, clusters)
    names <- if (is_host(tree) && is.null(path)) {
        host_branch_names(tree, clusters, genes, swap_rownames, reduction)
    } else {
        shown_branch_names(path, tree, genes, swap_rownames, if (is_host(path)) reduction)
    }
    max_scales <- assert_count(max_scales, "max_scales", min = 2)
    min_share <- assert_number(min_share, "min_share", min = 0, max = 1)
    tree <- cluster_tree(clusters[shown_scales(clusters, several_scales(at, ...), max_scales)])
    labels <- node_labels(labels, tree$clusters)
    drawing <- tree_drawing(tree, labels)
    named <- if (!is.null(names)) named_nodes(drawing$nodes, names)
    draw_tree(drawing, tree, attr(labels, "title"), min_share, room_for(named, drawing$nodes)) +
        branch_text(named, max(drawing$nodes$size))
}

# Cells without counts are in no cluster.
labels_of_clustered <- function(labels, tree, clusters) {
    cells <- if (is_host(tree)) {
        make.unique(colnames(tree))
    } else if (inherits(tree, "persistent_clusters")) {
        names(tree$flat)
    }
    labels <- labels_by_name(labels, if (is.null(cells)) rownames(clusters) else cells)
    if (length(labels) != length(cells) || length(cells) == nrow(clusters)) return(labels)
    labels[match(rownames(clusters), cells)]
}

# Names of branches, or NULL without a path or genes.
shown_branch_names <- function(path, found, genes, swap_rownames, reduction = NULL) {
    if (is.null(path) || genes == 0L) return(NULL)
    if (!inherits(found, "persistent_clusters")) {
        stop_pnmf("'path' can only name the branches of a persistent_clusters() result, not of ", describe(found))
    }
    branch_names(path, found, genes, swap_rownames, reduction)
}

# Of an object whose columns hold the clusters of persistent_clusters(); NULL for those of other methods.
host_branch_names <- function(object, shown, genes, swap_rownames, reduction) {
    if (genes == 0L) return(NULL)
    found <- persistent_clusters(object, reduction = reduction)
    clusters <- clusters_of(found)
    same <- ncol(shown) <= ncol(clusters) && nrow(shown) == nrow(clusters) &&
        all(unlist(shown) == unlist(clusters[scale_numbers(shown)]), na.rm = TRUE)
    if (same) branch_names(object, found, genes, swap_rownames, reduction)
}

# The first circle of every cluster that has a name, with its genes.
named_nodes <- function(nodes, names) {
    nodes <- first_nodes(nodes, names)
    nodes$genes <- names$label[match(nodes$cluster, names$cluster)]
    nodes
}

# Right of the last circles, in units of layers: names begin at their own circle and must not be cut off.
room_for <- function(named, nodes) {
    max(0.7, named$x + letter_width(max(nodes$x)) * nchar(named$genes) - max(nodes$x))
}

# Of a gene's name, in units of scales, in a figure of the usual size.
letter_width <- function(n_scales) 0.011 * n_scales

# The genes of a cluster, below its first circle.
branch_text <- function(nodes, largest) {
    if (is.null(nodes)) return(NULL)
    ggplot2::geom_text(data = nodes, ggplot2::aes(label = .data$genes), size = 2.5, hjust = 0.1,
                       vjust = 1 - above_mark(circle_radius(nodes$size, largest)), colour = "grey20",
                       fontface = "italic")
}

# The node of the finest scale of every cluster that has a name.
first_nodes <- function(nodes, names) {
    nodes <- nodes[order(nodes$scale), , drop = FALSE]
    nodes[!duplicated(nodes$cluster) & nodes$cluster %in% names$cluster, , drop = FALSE]
}

# In mm: a circle of size s is 0.75 s mm wide.
circle_radius <- function(size, largest) 0.375 * 9 * sqrt(size / largest)

shown_scales <- function(clusters, at, max_scales) {
    available <- scale_numbers(clusters)
    if (is.null(at)) {
        return(unique(round(seq(1, length(available), length.out = min(length(available), max_scales)))))
    }
    position <- match(at, available)
    if (!is.numeric(at) || anyNA(position) || length(unique(position)) < 2L) {
        stop_pnmf("'at' must be at least two of the scales ", abbreviated(available), ", not ",
                  if (is.numeric(at)) abbreviated(at) else describe(at))
    }
    sort(unique(position))
}

node_labels <- function(labels, clusters) {
    if (is.null(labels)) {
        first <- clusters[[1]]
        title <- sprintf("cluster at\nscale %d", scale_numbers(clusters)[1])
        return(structure(factor(first, levels = label_order(first)), title = title))
    }
    structure(shown_labels(labels, nrow(clusters)), title = "majority label")
}

# Coordinates and colours: x is the layer, y the position of the node in it, centred.
tree_drawing <- function(tree, labels) {
    clusters <- tree$clusters
    layers <- split(seq_len(nrow(tree$nodes)), factor(tree$nodes$scale, levels = unique(tree$nodes$scale)))
    codes <- lapply(seq_along(clusters), function(j) match(clusters[[j]], tree$nodes$cluster[layers[[j]]]))
    weights <- lapply(seq_along(codes)[-1], function(j) contingency_table(codes[[j - 1L]], codes[[j]]))
    position <- ordered_layers(weights)
    nodes <- tree$nodes
    nodes$x <- rep(seq_along(layers), lengths(layers))
    nodes$y <- unlist(lapply(position, function(p) mean(p) - p))
    nodes$label <- unlist(lapply(codes, majority_labels, labels = labels))
    nodes$label <- factor(nodes$label, levels = levels(labels))
    edges <- tree$edges
    ends <- c(from = "from", to = "to")
    edges[c("x", "xend")] <- lapply(ends, function(end) nodes$x[match(edges[[end]], nodes$node)])
    edges[c("y", "yend")] <- lapply(ends, function(end) nodes$y[match(edges[[end]], nodes$node)])
    list(nodes = nodes, edges = edges)
}

majority_labels <- function(codes, labels) {
    counts <- table(codes, labels)
    colnames(counts)[max.col(counts, ties.method = "first")]
}

draw_tree <- function(drawing, tree, title, min_share, room) {
    edges <- drawing$edges[drawing$edges$to_share >= min_share, , drop = FALSE]
    edges <- edges[order(edges$to_share), , drop = FALSE]
    layers <- unique(drawing$nodes[c("x", "scale")])
    ggplot2::ggplot(drawing$nodes, ggplot2::aes(x = .data$x, y = .data$y)) +
        ggplot2::geom_segment(
            ggplot2::aes(xend = .data$xend, yend = .data$yend, linewidth = .data$cells, alpha = .data$to_share),
            data = edges, colour = "grey35", lineend = "round"
        ) +
        ggplot2::geom_point(ggplot2::aes(size = .data$size, fill = .data$label), shape = 21, colour = "grey20") +
        ggplot2::geom_text(ggplot2::aes(label = .data$size), size = 2.8, colour = "grey20",
                           vjust = above_mark(circle_radius(drawing$nodes$size, max(drawing$nodes$size)))) +
        ggplot2::scale_fill_manual(values = group_colours(nlevels(drawing$nodes$label)), drop = FALSE, name = title) +
        ggplot2::scale_size_area(max_size = 9, guide = "none") +
        ggplot2::scale_linewidth(range = c(0.3, 4), limits = c(0, NA), guide = "none") +
        ggplot2::scale_alpha(range = c(0.1, 0.9), limits = c(0, 1), name = "share of the\ncoarser cluster") +
        ggplot2::scale_x_continuous(breaks = layers$x, labels = layers$scale,
                                    expand = ggplot2::expansion(add = c(0.5, room))) +
        ggplot2::scale_y_continuous(expand = ggplot2::expansion(add = 0.8)) +
        ggplot2::guides(
            fill = ggplot2::guide_legend(override.aes = list(size = 4), order = 1),
            alpha = ggplot2::guide_legend(override.aes = list(linewidth = 2), order = 2)
        ) +
        ggplot2::labs(x = "scale (fine to coarse)", y = NULL,
                      title = sprintf("Clusters of %d cells across %d scales", nrow(tree$clusters), nrow(layers)),
                      subtitle = "circles: clusters with their number of cells") +
        ggplot2::theme_minimal(base_size = 11) +
        ggplot2::theme(panel.grid = ggplot2::element_blank(), axis.text.y = ggplot2::element_blank())
}

#' @rdname cluster_tree
#' @export
plot.cluster_tree <- function(x, ...) {
    plot_cluster_tree(x, ...)
}
