#' Plot the tree of clusters across scales
#'
#' Shows how clusters split and merge along the scales. Scales run from left
#' (fine) to right (coarse). Clusters are circles; their area shows the number
#' of cells. Number and cells are written where a cluster begins or changes. The
#' width of an edge shows how many cells two clusters share, and its opacity shows
#' their share of the coarser cluster. Clusters are ordered so that wide edges
#' rarely cross.
#'
#' Colours show the majority label of each cluster: from `labels` if given,
#' otherwise from the clusters at the finest scale shown. A cluster in which no
#' label has half of the cells is white, "mixed". Up to eight labels have
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
#'   none. Needs a path. Names that would lie on other text are left out; a larger
#'   figure has room for more.
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
        assert_no_reference(tree, "tree")
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
    draw_tree(tree_drawing(tree, labels), tree, attr(labels, "title"), min_share, names)
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

# Number and cells of every cluster where it begins or changes, and its genes.
tree_texts <- function(drawing, names) {
    edges <- drawing$edges
    same <- edges$from_cluster == edges$to_cluster & edges$from_share == 1 & edges$to_share == 1
    nodes <- drawing$nodes[!(drawing$nodes$node %in% edges$to[same]), , drop = FALSE]
    marks <- data.frame(x = nodes$x, y = nodes$y, text = sprintf("%s: %d", nodes$cluster, nodes$size),
                        half_height = circle_radius(nodes$size, max(drawing$nodes$size)))
    marks$genes <- names$label[match(nodes$cluster, names$cluster)]
    outgoing <- edges[match(nodes$node, edges$from), ]
    marks$leaves <- ifelse(is.na(outgoing$yend), 0, sign(outgoing$yend - outgoing$y))
    mark_texts(marks, max(drawing$nodes$x))
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
    structure(shown_labels(labels, nrow(clusters)), title = "majority label", least = 0.5)
}

# Coordinates and colours: x is the layer, y the height of the node in it.
tree_drawing <- function(tree, labels) {
    clusters <- tree$clusters
    layers <- split(seq_len(nrow(tree$nodes)), factor(tree$nodes$scale, levels = unique(tree$nodes$scale)))
    codes <- lapply(seq_along(clusters), function(j) match(clusters[[j]], tree$nodes$cluster[layers[[j]]]))
    weights <- lapply(seq_along(codes)[-1], function(j) contingency_table(codes[[j - 1L]], codes[[j]]))
    position <- ordered_layers(weights)
    nodes <- tree$nodes
    nodes$x <- rep(seq_along(layers), lengths(layers))
    edges <- tree$edges
    nodes$y <- unlist(if (anyDuplicated(edges$from)) centred_heights(position) else nested_heights(codes, position))
    nodes$label <- unlist(lapply(codes, majority_labels, labels = labels))
    nodes$label <- factor(nodes$label, levels = union(levels(labels), nodes$label))
    ends <- c(from = "from", to = "to")
    edges[c("x", "xend")] <- lapply(ends, function(end) nodes$x[match(edges[[end]], nodes$node)])
    edges[c("y", "yend")] <- lapply(ends, function(end) nodes$y[match(edges[[end]], nodes$node)])
    list(nodes = nodes, edges = edges)
}

centred_heights <- function(position) lapply(position, function(p) mean(p) - p)

# Of clusters that lie inside those of the next scale: the finest have lanes, the others are in the middle of theirs.
nested_heights <- function(codes, position) {
    cell <- match(seq_along(position[[1]]), codes[[1]]) # one of each of the finest clusters
    places <- Map(function(code, p) p[code[cell]], codes, position)
    lane <- order(do.call(order, unname(rev(places))))
    lapply(codes, function(code) -as.vector(tapply(lane, code[cell], function(lanes) mean(range(lanes)))))
}

# The label of most cells of each cluster; "mixed" if known labels have none with half of them.
majority_labels <- function(codes, labels) {
    share <- prop.table(table(codes, labels), 1L)
    label <- colnames(share)[max.col(share, ties.method = "first")]
    label[apply(share, 1L, max) < max(attr(labels, "least"), 0)] <- "mixed"
    label
}

# Colours of labels; clusters without a majority are white.
label_fills <- function(labels) replace(group_colours(nlevels(labels)), levels(labels) == "mixed", "white")

draw_tree <- function(drawing, tree, title, min_share, names) {
    edges <- drawing$edges[drawing$edges$to_share >= min_share, , drop = FALSE]
    edges <- edges[order(edges$to_share), , drop = FALSE]
    layers <- unique(drawing$nodes[c("x", "scale")])
    texts <- tree_texts(drawing, names)
    room <- axis_end(texts, nrow(layers)) - nrow(layers)
    ggplot2::ggplot(drawing$nodes, ggplot2::aes(x = .data$x, y = .data$y)) +
        ggplot2::geom_segment(
            ggplot2::aes(xend = .data$xend, yend = .data$yend, linewidth = .data$cells, alpha = .data$to_share),
            data = edges, colour = "grey35", lineend = "round"
        ) +
        ggplot2::geom_point(ggplot2::aes(size = .data$size, fill = .data$label), shape = 21, colour = "grey20") +
        text_layer(texts) +
        ggplot2::scale_fill_manual(values = label_fills(drawing$nodes$label), drop = FALSE, name = title) +
        ggplot2::scale_size_area(max_size = 9, guide = "none") +
        ggplot2::scale_linewidth(range = c(0.3, 4), limits = c(0, NA), guide = "none") +
        ggplot2::scale_alpha(range = c(0.1, 0.9), limits = c(0, 1), name = "share of the\ncoarser cluster") +
        ggplot2::scale_x_continuous(breaks = layers$x, labels = layers$scale,
                                    expand = ggplot2::expansion(add = c(0.5, room))) +
        ggplot2::scale_y_continuous(expand = ggplot2::expansion(add = c(1.2, 0.8))) +
        ggplot2::guides(
            fill = ggplot2::guide_legend(override.aes = list(size = 4), order = 1),
            alpha = ggplot2::guide_legend(override.aes = list(linewidth = 2), order = 2)
        ) +
        ggplot2::labs(x = "scale (fine to coarse)", y = NULL,
                      title = sprintf("Clusters of %d cells across %d scales", nrow(tree$clusters), nrow(layers)),
                      subtitle = "number: cells, where a cluster begins or changes") +
        ggplot2::theme_minimal(base_size = 11) +
        ggplot2::theme(panel.grid = ggplot2::element_blank(), axis.text.y = ggplot2::element_blank())
}

#' @rdname cluster_tree
#' @export
plot.cluster_tree <- function(x, ...) {
    plot_cluster_tree(x, ...)
}
