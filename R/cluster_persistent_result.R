# From a tree of leaves and mergers to the result of persistent_clusters().

# tests, support: NULL if nothing was tested
new_persistent_clusters <- function(tree, cells, tests, support) {
    n_scales <- length(cells$scales$threshold)
    level <- 1L + vapply(seq_len(n_scales), function(t) sum(tree$at <= t), integer(1))
    members <- level_members(tree)
    modularity <- level_modularity(tree, members, cells)[level]
    best <- most_modular_scale(level, modularity, tree)
    number <- cluster_numbers(tree, members, level[if (is.na(best)) n_scales else best])
    of_cells <- function(values) values_of_cells(values, cells$kept, length(cells$names))
    labels <- function(l) of_cells(number[members[, l]][tree$leaf])
    clusters <- lapply(level, labels)
    names(clusters) <- scale_name(seq_len(n_scales))
    flat <- if (is.na(best)) labels(ncol(members)) else clusters[[best]]
    if (is.na(best)) flat[!is.na(flat)] <- 1L
    structure(
        list(
            clusters = data.frame(clusters, check.names = FALSE, row.names = cells$names),
            k = tree$leaves + 1L - level, tree = visible_tree(tree, members, level, number, tests, support),
            flat = stats::setNames(flat, cells$names), flat_k = length(unique(flat[cells$kept])), flat_scale = best,
            supported = stats::setNames(of_cells(number[supported_clusters(tree, tests)][tree$leaf]), cells$names),
            supported_k = if (is.null(tests)) NA_integer_ else 1L + sum(tests$supported),
            confidence = stats::setNames(of_cells(cell_confidence(cells$coordinates, flat[cells$kept])), cells$names),
            modularity = modularity,
            threshold = cells$scales$threshold, effective_cells = cells$scales$effective_cells,
            members = matrix(number[members], nrow(members))[tree$leaf, , drop = FALSE], kept = cells$kept
        ),
        class = "persistent_clusters"
    )
}

# The cluster of every leaf if only supported splits are made; those that contain a supported one are supported, too.
supported_clusters <- function(tree, tests) {
    if (is.null(tests)) return(rep(NA_integer_, tree$leaves))
    cluster <- seq_len(tree$leaves)
    for (m in which(!tests$supported)) cluster[cluster %in% c(tree$a[m], tree$b[m])] <- tree$leaves + m
    cluster
}

# The values of the cells `kept`, and NA for the others of n cells.
values_of_cells <- function(values, kept, n) replace(rep(NA, n), kept, values)

# Modularity of every level,  sum over clusters of  w(c, c) / W - gamma (vol(c) / W)^2,  where gamma is the resolution
# at which a cloud with the covariance of the cells falls in two, with the tolerance of the tests.
level_modularity <- function(tree, members, cells) {
    if (tree$leaves == 1L) return(0)
    draw <- normal_cloud(cells$coordinates)
    cloud <- with_random_state(NULL, cloud_resolution(length(cells$kept), draw, cells$threads))
    apply(members, 2L, function(cluster) {
        weight <- rowsum(t(rowsum(tree$weight, cluster)), cluster) / sum(tree$weight)
        sum(diag(weight)) - exp(cloud$mean) / cloud_tolerance * sum(rowSums(weight)^2)
    })
}

# The scale of the largest modularity among those with several clusters; of several such scales the middle one.
most_modular_scale <- function(level, modularity, tree) {
    several <- which(level <= length(tree$a))
    if (length(several) == 0L) return(NA_integer_)
    best <- level[several[which.max(modularity[several])]]
    same <- which(level == best)
    same[(length(same) + 1L) %/% 2L]
}

# One number per cluster of the tree: those of the level `first` by size, then the other leaves by size, then the other
# mergers in their order.
cluster_numbers <- function(tree, members, first) {
    size <- cluster_sizes(tree)
    # ties: the last to merge first
    merged <- match(seq_along(size), c(rbind(tree$a, tree$b)), nomatch = 2L * length(size))
    ordered <- function(cluster) cluster[order(-size[cluster], -merged[cluster])]
    recommended <- ordered(unique(members[, first]))
    leaves <- ordered(setdiff(seq_len(tree$leaves), recommended))
    order(c(recommended, leaves, setdiff(tree$leaves + seq_along(tree$a), recommended)))
}

cluster_sizes <- function(tree) as.integer(crossprod(leaves_below(tree), tabulate(tree$leaf, tree$leaves)))

# One row per cluster that exists at some scale, by number.
visible_tree <- function(tree, members, level, number, tests, support) {
    alive <- vapply(level, function(l) seq_along(number) %in% members[, l], logical(length(number)))
    alive <- matrix(alive, length(number))
    cluster <- which(rowSums(alive) > 0L)
    cluster <- cluster[order(number[cluster])]
    birth <- apply(alive[cluster, , drop = FALSE], 1L, function(l) which(l)[1L])
    death <- birth + rowSums(alive[cluster, , drop = FALSE])
    ended <- death <= length(level)
    first_leaf <- apply(leaves_below(tree)[, cluster, drop = FALSE], 2L, function(l) which(l)[1L])
    parent <- rep(NA_integer_, length(cluster))
    parent[ended] <- number[members[cbind(first_leaf[ended], level[death[ended]])]]
    merger <- vapply(cluster, function(c) match(TRUE, tree$a == c | tree$b == c), integer(1))
    data.frame(
        cluster = number[cluster], parent = parent, birth = birth,
        death = ifelse(ended, as.integer(death), NA_integer_),
        size = cluster_sizes(tree)[cluster], persistence = (death - birth) / length(level),
        support = if (is.null(support)) NA_real_ else support[cluster],
        p_value = if (is.null(tests)) NA_real_ else tests$p_value[merger],
        continuum = if (is.null(tests)) NA else tests$continuum[merger]
    )
}
