# Would one cloud split like this? And does a cluster come back if half of the cells are left out?

resamples <- 10L
max_cells_of_sample <- 10000L
significance <- 0.05

# w(a, b) W / (vol(a) vol(b)) of every merger, all of it within the two clusters that merge.
merger_resolutions <- function(tree) {
    below <- leaves_below(tree)
    vapply(seq_along(tree$a), function(m) {
        a <- below[, tree$a[m]]
        b <- below[, tree$b[m]]
        between <- sum(tree$weight[a, b])
        inside <- c(sum(tree$weight[a, a]), sum(tree$weight[b, b]))
        between * (sum(inside) + 2 * between) / prod(inside + between)
    }, numeric(1))
}

# For every merger, the probability that one cloud splits as clearly that follows the same curve and has no gap, by
# Holm's method for all mergers. A merger that such a cloud would have, but not one that is normal with the covariance
# of the cells, is a cut through a continuum. Mergers with a gap, and those that contain one, are supported.
merger_tests <- function(tree, coordinates, threads) {
    below <- leaves_below(tree)
    resolution <- merger_resolutions(tree)
    p <- with_random_state(NULL, vapply(seq_along(resolution), function(m) {
        inside <- below[tree$leaf, tree$leaves + m]
        points <- coordinates[, inside, drop = FALSE]
        group <- 1L + below[tree$leaf[inside], tree$b[m]]
        c(cloud_p_value(resolution[m], ncol(points), bridged_cloud(points, group), threads),
          cloud_p_value(resolution[m], ncol(points), normal_cloud(points), threads))
    }, numeric(2)))
    p <- matrix(apply(matrix(p, 2L), 1L, stats::p.adjust, "holm"), ncol = 2L)
    gap <- p[, 1L] <= significance
    data.frame(p_value = p[, 1L], continuum = !gap & p[, 2L] <= significance,
               supported = shown_mergers(tree, gap | joins_rare(tree)))
}

# A merger is shown if it, or one inside it, is significant.
shown_mergers <- function(tree, significant) {
    shown <- significant
    for (m in seq_along(shown)) {
        inside <- c(tree$a[m], tree$b[m]) - tree$leaves
        shown[m] <- shown[m] || any(shown[inside[inside > 0L]])
    }
    shown
}

# Mean over samples of half of the cells, at most max_cells, of the largest Jaccard index of a cluster with any cluster
# of the sample's own tree. Cells are drawn by their place along the first coordinate, so that their order does not
# matter.
cluster_support <- function(tree, coordinates, seed, threads, max_cells = max_cells_of_sample) {
    n <- ncol(coordinates)
    if (n < 20L) return(rep(NA_real_, tree$leaves + length(tree$a)))
    below <- leaves_below(tree)
    place <- do.call(order, lapply(seq_len(nrow(coordinates)), function(d) coordinates[d, ]))
    samples <- with_random_state(seed, lapply(seq_len(resamples), function(k) {
        place[sort(sample.int(n, min(n %/% 2L, max_cells)))]
    }))
    found <- grown_trees(lapply(samples, function(some) coordinates[, some, drop = FALSE]), threads)
    index <- vapply(seq_len(resamples), function(k) {
        best_jaccard(below[tree$leaf[samples[[k]]], , drop = FALSE], found[[k]])
    }, numeric(ncol(below)))
    rowMeans(matrix(index, ncol(below)))
}

# Of every cluster with any cluster of the tree `found` of the same cells.   member: cells x clusters
best_jaccard <- function(member, found) {
    if (found$leaves == 0L) return(colMeans(member))
    other <- leaves_below(found)[pmax(found$leaf, 1L), , drop = FALSE] & found$leaf > 0L
    shared <- crossprod(member, cbind(TRUE, other))
    union <- outer(colSums(member), c(nrow(member), colSums(other)), `+`) - shared
    apply(shared / pmax(union, 1), 1L, max)
}
