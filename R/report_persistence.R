# How long the clusters of a page persist: a cluster lasts as long as it has exactly the same cells.

# One row per cluster except the one with all cells, the most persistent first: its number on the page, the positions of
# its first and last scale among those shown, its cells, its persistence, and whether it is recommended. The persistence
# is that of persistent_clusters() for its clusters, otherwise the share of the scales shown.
cluster_lifetimes <- function(clusters, found = NULL) {
    lives <- lifetime_table(clusters)
    lives <- lives[lives$size < nrow(clusters), , drop = FALSE]
    lives$persistence <- (lives$last - lives$first + 1) / ncol(clusters)
    lives$recommended <- rep(FALSE, nrow(lives))
    if (!is.null(found) && nrow(lives) > 0L) {
        scale <- scale_numbers(clusters)[lives$first]
        number <- mapply(function(cell, t) found$clusters[[t]][cell], lives$cell, scale)
        row <- match(number, found$tree$cluster)
        lives$persistence <- found$tree$persistence[row]
        lives$recommended <- is_recommended(found)[row]
        lives$support <- found$tree$support[row]
        lives$p_value <- found$tree$p_value[row]
        lives$continuum <- found$tree$continuum[row]
    }
    lives <- lives[order(-lives$persistence, -lives$size, lives$cluster), names(lives) != "cell", drop = FALSE]
    rownames(lives) <- NULL
    lives
}

# Clusters of all scales; a cluster that continues from the previous scale has one row. `cell` is one of its cells.
lifetime_table <- function(clusters) {
    rows <- NULL
    open <- NULL
    for (s in seq_along(clusters)) {
        here <- scale_table(clusters, s)
        before <- if (s == 1L) rep(NA_integer_, nrow(here)) else same_cells(clusters, here, s)
        here$row <- open[before]
        new <- which(is.na(before))
        here$row[new] <- NROW(rows) + seq_along(new)
        rows <- rbind(rows, here[new, c("cluster", "cell", "first", "last", "size")])
        rows$last[here$row] <- s
        open <- rep(NA_integer_, max(clusters[[s]]))
        open[here$cluster] <- here$row
    }
    rows
}

scale_table <- function(clusters, s) {
    cluster <- sort(unique(clusters[[s]]))
    data.frame(cluster = cluster, cell = match(cluster, clusters[[s]]), first = s, last = s,
               size = tabulate(clusters[[s]], max(cluster))[cluster], row = NA_integer_)
}

# Number of the cluster with exactly the same cells at the previous scale; NA if there is none.
same_cells <- function(clusters, here, s) {
    earlier <- clusters[[s - 1L]]
    number <- earlier[here$cell]
    shared <- tabulate(match(clusters[[s]], here$cluster)[earlier == number[match(clusters[[s]], here$cluster)]],
                       nrow(here))
    ifelse(shared == here$size & tabulate(earlier, max(earlier))[number] == here$size, number, NA_integer_)
}
