# Coarser levels follow the genes. The graph of shared neighbours has few edges between clusters that are far apart, and
# these few cells in transition would decide which clusters merge.

# The tree with other mergers after `level` (the number of clusters of each level and its resolution stay): average
# linkage, in which every cell counts the same, of the clusters at that level. distance_of: from the group of every cell
# (1, 2, ...) to the distances between the groups, here of their profiles
with_coarse_levels <- function(tree, level, path,
                               distance_of = function(group) profile_distances(cluster_profiles(path, group))) {
    later <- seq_along(tree$a)[seq_along(tree$a) >= level]
    if (length(later) < 2L) return(tree)
    members <- level_members(tree)
    cluster <- sort(unique(members[, level]))
    group <- match(members[, level], cluster)[tree$leaf]
    order_in_graph <- levels_apart(members[match(cluster, members[, level]), seq(level, ncol(members))])
    distance <- distance_of(group) + tie_weight * order_in_graph
    joined <- stats::hclust(stats::as.dist(distance), "average", members = tabulate(group))$merge
    number <- function(place) ifelse(place < 0L, cluster[abs(place)], tree$leaves + level - 1L + place)
    tree$a[later] <- number(joined[, 1L])
    tree$b[later] <- number(joined[, 2L])
    tree
}

# Where profiles are equally close, as they are if they have few features, the order of the graph decides: average
# linkage is linear in the distances.
tie_weight <- 1e-9

# Share of the levels at which two clusters are apart.   members: clusters x levels
levels_apart <- function(members) {
    apart <- lapply(seq_len(ncol(members)), function(level) outer(members[, level], members[, level], `!=`))
    Reduce(`+`, apart) / ncol(members)
}

# The mean of the fit W H at the finest scale over the cells of each group.   features x groups
cluster_profiles <- function(path, group) {
    means <- group_means(t(scale_embedding(path, 1L)), group)
    tcrossprod(unname(loading(path, 1L)), means)
}

# 1 - Spearman's correlation. A constant profile is correlated with none. Digits beyond the tenth, which depend on the
# order of the cells, make no ranks.
profile_distances <- function(profiles) {
    correlation <- suppressWarnings(stats::cor(signif(profiles, 10), method = "spearman"))
    1 - replace(correlation, is.na(correlation), 0)
}

# Means of the rows of x in groups 1, 2, ..., none of them empty.   groups x columns
group_means <- function(x, group) rowsum(x, group) / tabulate(group)
