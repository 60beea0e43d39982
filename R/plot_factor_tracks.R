#' @rdname factor_tracks
#' @param max_tracks Maximum number of tracks to draw, the heaviest first. A
#'   message says if some are left out.
#' @export
plot.factor_tracks <- function(x, max_tracks = 25, ...) {
    max_tracks <- assert_count(max_tracks, "max_tracks")
    tracks <- x$tracks
    if (nrow(tracks) > max_tracks) {
        inform_pnmf("drawing the ", max_tracks, " heaviest of ", nrow(tracks), " tracks: raise 'max_tracks' for more")
        tracks <- tracks[order(-tracks$weight)[seq_len(max_tracks)], ]
    }
    points <- track_points(x$factors[x$factors$track %in% tracks$track, ])
    starts <- points[!duplicated(points$track), ]
    starts$label <- track_names(tracks$features[match(starts$track, tracks$track)])
    starts$ink <- ifelse(tracks$supported[match(starts$track, tracks$track)] %in% FALSE, "grey65", "grey20")
    links <- track_links(points)
    ggplot2::ggplot(points, ggplot2::aes(x = .data$t, y = .data$y)) +
        ggplot2::geom_segment(data = links, ggplot2::aes(xend = .data$xend, yend = .data$yend,
                                                         colour = .data$similarity), linewidth = 1) +
        ggplot2::geom_point(ggplot2::aes(size = .data$weight), colour = "grey25") +
        ggplot2::geom_text(data = starts, ggplot2::aes(label = paste0(.data$track, "  ", .data$label)), hjust = 0,
                           nudge_y = 0.33, size = 2.6, colour = starts$ink) +
        ggplot2::scale_colour_viridis_c(name = "similarity\nto the scale\nbefore", end = 0.9,
                                        limits = c(min(links$similarity, 0.5), 1)) +
        ggplot2::scale_size_area(max_size = min(3.5, 25 / nrow(tracks)), name = "share of\nthe fit") +
        ggplot2::scale_x_continuous(breaks = function(range) unique(round(pretty(range)))) +
        ggplot2::labs(x = "scale (fine to coarse)", y = NULL,
                      title = sprintf("Gene programs along %d scales", length(unique(x$factors$t))),
                      subtitle = paste0("one line per track, named by its features; lines that run together are alike",
                                        if (any(tracks$supported %in% FALSE)) "\ngrey names: not supported")) +
        pnmf_theme() +
        ggplot2::theme(axis.text.y = ggplot2::element_blank(), axis.ticks.y = ggplot2::element_blank(),
                       panel.grid.major.y = ggplot2::element_blank())
}

# Three names, so that the lines of tracks that merge do not run through them.
track_names <- function(features) {
    vapply(strsplit(features, " ", fixed = TRUE), function(names) {
        paste(short_names(utils::head(names, 3L)), collapse = " ")
    }, "")
}

# Every track has a lane. Tracks that merge somewhere have neighbouring lanes, and merged tracks move to the middle of
# their lanes.
track_points <- function(factors) {
    lane <- match(factors$track, track_order(factors))
    own <- lane
    middle <- stats::ave(own, factors$t, factors$group)
    factors$y <- -(middle + 0.12 * (own - middle))
    factors[order(factors$track, factors$t), ]
}

# Single linkage on the number of scales that two tracks spend together.
track_order <- function(factors) {
    tracks <- sort(unique(factors$track))
    if (length(tracks) < 3L) return(tracks)
    together <- matrix(0, length(tracks), length(tracks))
    for (rows in split(seq_len(nrow(factors)), factors$t)) {
        place <- match(factors$track[rows], tracks)
        together[place, place] <- together[place, place] + outer(factors$group[rows], factors$group[rows], "==")
    }
    tracks[stats::hclust(stats::as.dist(1 / (1 + together)), method = "average")$order]
}

track_links <- function(points) {
    follows <- which(points$track[-1] == points$track[-nrow(points)])
    data.frame(t = points$t[follows], y = points$y[follows], xend = points$t[follows + 1L],
               yend = points$y[follows + 1L], similarity = points$similarity[follows + 1L])
}
