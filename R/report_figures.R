# The charts of the page as plotly figures: plain lists of data and layout. All share one horizontal axis, the position
# of a scale among those shown (1, 2, ...), on which the page marks the current scale. Text from the data is escaped,
# because plotly interprets tags.

# Margins of each chart in pixels; the track of the slider in report.css starts and ends where the ruler does.
figure_margin <- list(l = 56L, r = 20L, t = 8L, b = 48L)
ink <- "#1a1a1a"

report_figures <- function(view) {
    list(cells = cells_figure(view), tree = tree_figure(view))
}

figure_layout <- function(...) {
    base <- list(
        autosize = TRUE, margin = figure_margin, showlegend = FALSE, hovermode = "closest", dragmode = FALSE,
        paper_bgcolor = "rgba(0,0,0,0)", plot_bgcolor = "rgba(0,0,0,0)",
        font = list(family = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif", size = 12L, color = ink)
    )
    utils::modifyList(base, list(...))
}

# The axis of scales: ticks at no more than 12 of them.
scale_axis <- function(view, text, title) {
    n <- length(view$scales)
    ticks <- evenly_spaced(n, 12L)
    list(range = c(0.5, n + 0.5), tickmode = "array", tickvals = I(ticks), ticktext = I(text[ticks]), title = title,
         tickangle = 0L, zeroline = FALSE, showgrid = FALSE, fixedrange = TRUE)
}

mark_line <- function(x, colour = ink, dash = "solid") {
    list(type = "line", layer = "below", xref = "x", yref = "paper", x0 = x, x1 = x, y0 = 0, y1 = 1,
         line = list(color = colour, width = 2L, dash = dash))
}

# The first shape is the line of the current scale, which the page moves.
scale_marks <- function(view) {
    marks <- list(mark_line(1L))
    if (!is.na(view$suggested)) marks <- c(marks, list(mark_line(view$suggested, okabe_ito[3], "dot")))
    marks
}

cells_figure <- function(view) {
    n <- length(view$shown)
    marker <- list(size = max(3, 3 * point_size(n)), opacity = max(0.5, point_alpha(n)))
    points <- list(type = if (n > 2000L) "scattergl" else "scatter", mode = "markers", x = list(), y = list(),
                   hoverinfo = "text", marker = marker)
    on_top <- utils::modifyList(points, list(marker = list(size = marker$size + 1, opacity = 1)))
    axis <- function(values, title) {
        room <- 0.04 * max(diff(range(values)), 1e-12)
        list(range = range(values) + c(-room, room), title = title, zeroline = FALSE, showgrid = FALSE,
             showline = TRUE, linecolor = "#999999", ticks = "", showticklabels = !grepl("UMAP", title))
    }
    list(data = list(points, on_top),
         layout = figure_layout(xaxis = axis(view$layout$x, view$layout$axes[1]), dragmode = "zoom",
                                yaxis = c(axis(view$layout$y, view$layout$axes[2]),
                                          if (is_map(view)) list(scaleanchor = "x"))))
}

is_map <- function(view) grepl("UMAP", view$layout$axes[1])

# Edges in few traces, by width and darkness; the last trace has the nodes, in the order of view$tree$nodes.
tree_figure <- function(view) {
    if (is.null(view$tree)) return(NULL)
    nodes <- view$tree$nodes
    edges <- view$tree$edges[view$tree$edges$to_share >= 0.05, , drop = FALSE]
    width <- ceiling(4 * sqrt(edges$cells / max(edges$cells)))
    dark <- ceiling(3 * edges$to_share)
    traces <- lapply(split(edges, list(width, dark), drop = TRUE), edge_trace, edges = edges)
    max_size <- if (length(unique(nodes$x)) > 12L) 18 else 26
    nodes$width <- round(pmax(6, max_size * sqrt(nodes$size / max(nodes$size))), 1)
    circles <- list(
        type = "scatter", mode = "markers", x = I(nodes$x), y = I(nodes$y), hoverinfo = "text",
        text = I(node_texts(nodes, view$branches)),
        marker = list(size = I(nodes$width), opacity = 1,
                      color = I(view$cluster_colours[as.integer(as.character(nodes$cluster))]),
                      line = list(color = ink, width = 1L))
    )
    list(data = c(unname(traces), list(circles)),
         layout = figure_layout(
             xaxis = scale_axis(view, axis_text(view), axis_title(view)), shapes = scale_marks(view),
             annotations = branch_annotations(nodes, view$branches),
             yaxis = list(visible = FALSE, fixedrange = TRUE, range = range(nodes$y) + c(-0.7, 0.7))
         ))
}

axis_text <- function(view) {
    effective <- view$path@scales$effective_cells[view$scales]
    if (length(effective) > 0L) format_effective(effective) else as.character(view$scales)
}

axis_title <- function(view) {
    if (is.null(view$path@scales$effective_cells)) "scale (fine to coarse)" else "effective cells of the scale"
}

edge_trace <- function(group, edges) {
    width <- 0.5 + 6 * max(group$cells) / max(edges$cells)
    list(type = "scatter", mode = "lines", hoverinfo = "skip",
         x = I(as.vector(rbind(group$x, group$xend, NA))), y = I(as.vector(rbind(group$y, group$yend, NA))),
         line = list(width = round(width, 1),
                     color = sprintf("rgba(128,128,128,%.2f)", 0.2 + 0.6 * max(group$to_share))))
}

# More clusters than this leave no room for the genes between them; the circles and the table still have them.
max_named_lanes <- 14L

# The genes of a cluster, below its first circle. Unlike texts of a trace, annotations have a background (report.css).
branch_annotations <- function(nodes, branches) {
    first <- first_nodes(nodes, branches)
    if (nrow(first) == 0L || max(nodes$y) - min(nodes$y) >= max_named_lanes) return(list())
    genes <- branch_genes_of(first, branches)
    anchor <- text_anchor(first$x, nchar(genes), max(nodes$x))
    lapply(seq_along(genes), function(i) {
        list(x = first$x[i], y = first$y[i], text = genes[i], xanchor = anchor[i], yanchor = "top",
             yshift = -first$width[i] / 2, showarrow = FALSE, borderpad = 0L, font = list(size = 10L))
    })
}

# The node of the finest scale of every cluster that has a name.
first_nodes <- function(nodes, names) {
    nodes <- nodes[order(nodes$scale), , drop = FALSE]
    nodes[!duplicated(nodes$cluster) & nodes$cluster %in% names$cluster, , drop = FALSE]
}

# The end of a text that is at its circle: it runs to the right where that fits, else to both sides, else to the left.
text_anchor <- function(x, letters, n_scales) {
    width <- letter_width(n_scales) * letters
    room <- n_scales + 0.5 - x
    c("left", "center", "right")[1L + (width > room) + (width / 2 > room)]
}

# Of a gene's name, in units of scales, in a chart of the usual size.
letter_width <- function(n_scales) 0.011 * n_scales

branch_genes_of <- function(nodes, branches) {
    htmltools::htmlEscape(branches$label[match(nodes$cluster, branches$cluster)])
}

node_texts <- function(nodes, branches) {
    label <- htmltools::htmlEscape(as.character(nodes$label))
    most <- if (length(label) == 0L) "" else paste0("<br>", ifelse(label == "mixed", "", "mostly "), label)
    named <- nodes$cluster %in% branches$cluster
    apart <- rep("", nrow(nodes))
    if (any(named)) apart[named] <- paste0("<br>set apart by ", branch_genes_of(nodes[named, ], branches))
    cells <- counted(whole_number(nodes$size), "cell")
    sprintf("cluster %s at scale %d<br>%s%s%s", nodes$cluster, nodes$scale, cells, most, apart)
}

short_number <- function(x) vapply(x, function(value) format(signif(value, 3), digits = 3), character(1))

whole_number <- function(x) format(x, big.mark = ",", trim = TRUE, scientific = FALSE)
