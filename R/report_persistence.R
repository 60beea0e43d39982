# How long the clusters of a page persist: one row per cluster of persistent_clusters() that exists at a scale shown,
# except the one with all cells, the most persistent first. first, last: positions among the scales shown
cluster_lifetimes <- function(found, scales) {
    tree <- found$tree
    end <- ifelse(is.na(tree$death), length(found$k) + 1L, tree$death)
    lives <- data.frame(
        cluster = tree$cluster, first = findInterval(tree$birth, scales, left.open = TRUE) + 1L,
        last = findInterval(end, scales, left.open = TRUE), size = tree$size, persistence = tree$persistence,
        recommended = is_recommended(found), tree[c("support", "p_value", "continuum")]
    )
    lives <- lives[lives$first <= lives$last & lives$size < length(found$kept), , drop = FALSE]
    lives <- lives[order(-lives$persistence, -lives$size, lives$cluster), , drop = FALSE]
    rownames(lives) <- NULL
    lives
}
