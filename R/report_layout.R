# Positions of the cells on the page at each scale: two factors directly, or one UMAP for all scales.

# Matrices x and y (shown cells x scales), the names of the axes, and a note on the scales used for the UMAP: as many as
# `umap_points` allow, at least two. 15,000 points take about half a minute.
report_layout <- function(path, scales, factors, shown, seed, umap_points = 15000L) {
    direct <- !is.null(factors) || n_factors(path) <= 2L
    n_anchors <- if (direct) length(scales) else max(2L, umap_points %/% length(shown))
    anchors <- evenly_spaced(length(scales), n_anchors)
    points <- path_coordinates(path, scales[anchors], factors, shown, seed)
    layout <- list(x = matrix(points$x, length(shown)), y = matrix(points$y, length(shown)),
                   axes = attr(points, "axes"), note = NULL)
    if (length(anchors) == length(scales)) return(layout)
    H <- lapply(scales, function(t) unit_spread(embedding(path, t)[shown, , drop = FALSE]))
    layout[c("x", "y")] <- lapply(layout[c("x", "y")], between_anchors, H = H, anchors = anchors)
    layout$note <- sprintf("The UMAP was computed at scales %s; in between, a cell moves as far as its embedding does.",
                           paste(scales[anchors], collapse = ", "))
    layout
}

# Between anchors a < s < b a cell goes from its place at a to its place at b by the share d_a / (d_a + d_b), where d_a
# and d_b are the distances of its embedding at s to those at a and b.   known: cells x anchors; result: cells x scales
between_anchors <- function(known, H, anchors) {
    after <- findInterval(seq_along(H), anchors, rightmost.closed = TRUE)
    vapply(seq_along(H), function(s) {
        left <- after[s]
        if (anchors[left] == s) return(known[, left])
        if (anchors[left + 1L] == s) return(known[, left + 1L])
        share <- travelled(H[[anchors[left]]], H[[s]], H[[anchors[left + 1L]]])
        (1 - share) * known[, left] + share * known[, left + 1L]
    }, numeric(nrow(known)))
}

travelled <- function(from, now, to) {
    gone <- sqrt(rowSums((now - from)^2))
    left <- sqrt(rowSums((to - now)^2))
    ifelse(gone + left > 0, gone / (gone + left), 0.5)
}
