# The charts of the page as plotly figures: plain lists of data and layout. All share one horizontal axis, the position
# of a scale among those shown (1, 2, ...), on which the page marks the current scale. Text from the data is escaped,
# because plotly interprets tags.

# Margins of each chart in pixels; the track of the slider in report.css starts and ends where the ruler does.
figure_margin <- list(l = 56L, r = 20L, t = 8L, b = 48L)
ink <- "#1a1a1a"

report_figures <- function(view) {
    list(ruler = ruler_figure(view), cells = cells_figure(view), tree = tree_figure(view), scores = scores_figure(view))
}

figure_layout <- function(...) {
    base <- list(
        autosize = TRUE, margin = figure_margin, showlegend = FALSE, hovermode = "closest", dragmode = FALSE,
        paper_bgcolor = "#ffffff", plot_bgcolor = "#ffffff",
        font = list(family = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif", size = 12L, color = ink)
    )
    utils::modifyList(base, list(...))
}

# The axis of scales: ticks at no more than `max_ticks` of them.
scale_axis <- function(view, text, title, max_ticks = 9L) {
    n <- length(view$scales)
    ticks <- evenly_spaced(n, max_ticks)
    list(range = c(0.5, n + 0.5), tickmode = "array", tickvals = I(ticks), ticktext = I(text[ticks]), title = title,
         tickangle = 0L, zeroline = FALSE, showgrid = FALSE, fixedrange = TRUE)
}

mark_line <- function(x, colour = ink, dash = "solid") {
    list(type = "line", xref = "x", yref = "paper", x0 = x, x1 = x, y0 = 0, y1 = 1,
         line = list(color = colour, width = 2L, dash = dash))
}

# The first shape is the line of the current scale, which the page moves.
scale_marks <- function(view) {
    marks <- list(mark_line(1L))
    if (!is.na(view$suggested)) marks <- c(marks, list(mark_line(view$suggested, okabe_ito[3], "dot")))
    marks
}

# Distances on the axis of scales: thresholds at 1, 2, ..., straight lines in between.
place_of_distance <- function(distance, thresholds) {
    n <- length(thresholds)
    place <- c(0.5, seq_len(n))
    at <- c(min(0, thresholds[1]), thresholds)
    distinct <- !duplicated(at, fromLast = TRUE)
    if (sum(distinct) < 2L) return(rep(1, length(distance)))
    stats::approx(at[distinct], place[distinct], pmin(distance, max(at)), rule = 2)$y
}

# Barcode above, components below, both on logarithmic axes.
ruler_figure <- function(view) {
    scales <- view$path@scales
    limits <- thresholds(view$path)[view$scales]
    deaths <- component_deaths(scales)
    bars <- barcode_bars(deaths, max(limits))
    end <- ifelse(bars$dies, place_of_distance(bars$end, limits), length(limits) + 0.5)
    list(
        data = list(
            bar_trace(end[bars$dies], bars$rank[bars$dies], okabe_ito[1]),
            bar_trace(end[!bars$dies], bars$rank[!bars$dies], okabe_ito[2]),
            list(type = "scatter", mode = "lines+markers", x = I(seq_along(limits)), y = I(scales$betti0[view$scales]),
                 yaxis = "y2", line = list(color = okabe_ito[1], shape = "hv", width = 1.5),
                 marker = list(color = "#E69F00", size = if (length(limits) <= 60L) 8L else 4L,
                               line = list(color = ink, width = 1L)),
                 text = I(sprintf("scale %d: threshold %s, %s", view$scales, short_number(limits),
                                  counted(scales$betti0[view$scales], "component"))), hoverinfo = "text")
        ),
        layout = figure_layout(
            margin = list(b = 26L), xaxis = c(scale_axis(view, short_number(limits), "", 6L), anchor = "y2"),
            yaxis = count_axis("bars", c(0.5, 1)), yaxis2 = c(count_axis("components", c(0, 0.42)), anchor = "x"),
            shapes = scale_marks(view)
        )
    )
}

count_axis <- function(title, domain) {
    list(type = "log", title = title, domain = domain, dtick = 1L, fixedrange = TRUE, zeroline = FALSE)
}

bar_trace <- function(end, rank, colour) {
    list(type = "scatter", mode = "lines", hoverinfo = "skip", line = list(color = colour, width = 1.5),
         x = I(as.vector(rbind(rep(0.5, length(end)), end, NA))), y = I(as.vector(rbind(rank, rank, NA))))
}

# The page fills in the points: all cells, then the selected ones on top.
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
                                yaxis = axis(view$layout$y, view$layout$axes[2])))
}

# Edges in few traces, by width and darkness; the last trace has the nodes, in the order of view$tree$nodes.
tree_figure <- function(view) {
    if (is.null(view$tree)) return(NULL)
    nodes <- view$tree$nodes
    edges <- view$tree$edges[view$tree$edges$to_share >= 0.05, , drop = FALSE]
    width <- ceiling(4 * sqrt(edges$cells / max(edges$cells)))
    dark <- ceiling(3 * edges$to_share)
    traces <- lapply(split(edges, list(width, dark), drop = TRUE), edge_trace, edges = edges)
    max_size <- if (length(unique(nodes$x)) > 12L) 18 else 26
    circles <- list(
        type = "scatter", mode = "markers", x = I(nodes$x), y = I(nodes$y), hoverinfo = "text",
        text = I(node_texts(nodes)),
        marker = list(size = I(round(pmax(6, max_size * sqrt(nodes$size / max(nodes$size))), 1)), opacity = 1,
                      color = I(group_colours(cluster_count(view))[as.integer(nodes$cluster)]),
                      line = list(color = ink, width = 1L))
    )
    list(data = c(unname(traces), list(circles)),
         layout = figure_layout(
             xaxis = scale_axis(view, as.character(view$scales), "scale (fine to coarse)"), shapes = scale_marks(view),
             yaxis = list(visible = FALSE, fixedrange = TRUE, range = range(nodes$y) + c(-0.7, 0.7))
         ))
}

cluster_count <- function(view) max(vapply(view$clusters, max, integer(1)))

edge_trace <- function(group, edges) {
    width <- 0.5 + 6 * max(group$cells) / max(edges$cells)
    list(type = "scatter", mode = "lines", hoverinfo = "skip",
         x = I(as.vector(rbind(group$x, group$xend, NA))), y = I(as.vector(rbind(group$y, group$yend, NA))),
         line = list(width = round(width, 1), color = sprintf("rgba(60,60,60,%.2f)", 0.1 + 0.6 * max(group$to_share))))
}

node_texts <- function(nodes) {
    most <- if (is.null(nodes$label)) "" else paste0("<br>mostly ", htmltools::htmlEscape(as.character(nodes$label)))
    sprintf("cluster %s at scale %d<br>%s%s", nodes$cluster, nodes$scale, counted(nodes$size, "cell"), most)
}

scores_figure <- function(view) {
    if (is.null(view$scores)) return(NULL)
    metrics <- c(ari = "ARI", nmi = "NMI", purity = "purity", accuracy = "accuracy")
    traces <- Map(function(metric, colour, dash) {
        list(type = "scatter", mode = "lines+markers", name = metrics[[metric]], x = I(seq_along(view$scales)),
             y = I(signif(view$scores[[metric]], 5)), line = list(color = colour, dash = dash, width = 2L),
             marker = list(size = 5L), hoverinfo = "y+name")
    }, names(metrics), okabe_ito[seq_len(4L)], c("solid", "dash", "dot", "dashdot"))
    list(data = unname(traces), layout = figure_layout(
        showlegend = TRUE, legend = list(orientation = "h", x = 0, y = 1.02, yanchor = "bottom"),
        margin = list(t = 56L), shapes = scale_marks(view),
        xaxis = scale_axis(view, as.character(view$scales), "scale (fine to coarse)"),
        yaxis = list(range = c(min(0, view$scores$ari) - 0.02, 1.03), title = "score", fixedrange = TRUE,
                     zeroline = FALSE)
    ))
}

short_number <- function(x) vapply(x, function(value) format(signif(value, 3), digits = 3), character(1))

whole_number <- function(x) format(x, big.mark = ",", trim = TRUE, scientific = FALSE)

# "1 cell", "2,000 cells"
counted <- function(n, what) paste0(whole_number(n), " ", what, ifelse(n == 1, "", "s"))
