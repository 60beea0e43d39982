# Would one cloud split like this? And does a cluster come back if half of the cells are left out?

cloud_draws <- 9L
max_cells_of_cloud <- 300L
resamples <- 10L
significance <- 0.05

# Resolutions of the last mergers in clouds without structure of n cells, in logarithms: the mean and the spread of the
# draws. draw: a function of a number of cells that returns points, dimensions x cells. A cloud of many cells is
# extrapolated from clouds of a quarter of the largest size drawn and of that size: the resolution falls as a power of
# the cells between n^0 (a ball) and n^-1 (a curve, where a cut meets the same number of cells whatever their density).
cloud_resolution <- function(n, draw) {
    m <- min(n, max_cells_of_cloud)
    found <- cloud_resolutions(m, draw)
    slope <- if (n > m) (mean(cloud_resolutions(m %/% 4L, draw)) - mean(found)) / log(4) else 0
    list(mean = mean(found) - min(max(slope, 0), 1) * log(n / m), spread = stats::sd(found))
}

cloud_resolutions <- function(n, draw) {
    vapply(seq_len(cloud_draws), function(k) log(last_resolution(grown_tree(draw(n), cluster_neighbors(n)))), numeric(1))
}

last_resolution <- function(tree) if (length(tree$resolution) == 0L) 1 else min(tree$resolution)

# Normal points with the covariance of the given ones.   coordinates: dimensions x cells
normal_cloud <- function(coordinates) {
    centred <- coordinates - rowMeans(coordinates)
    spread <- if (nrow(centred) <= ncol(centred)) tcrossprod(centred) else crossprod(centred)
    deviation <- sqrt(pmax(eigen(spread, symmetric = TRUE, only.values = TRUE)$values, 0))
    deviation <- deviation[deviation > 1e-8 * max(deviation, 1e-300)]
    if (length(deviation) == 0L) return(function(n) matrix(0, 1L, n))
    function(n) deviation * matrix(stats::rnorm(length(deviation) * n), length(deviation), n)
}

# Real clouds are curved and skewed: they may split this many times as clearly as normal ones.
cloud_tolerance <- 1.25

# Probability of a resolution this low in one more draw.
cloud_p_value <- function(resolution, cloud) {
    far <- log(cloud_tolerance * max(resolution, 1e-300)) - cloud$mean
    stats::pt(far / (max(cloud$spread, 1e-3) * sqrt(1 + 1 / cloud_draws)), cloud_draws - 1L)
}

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

# For every merger, the probability that one normal cloud with the covariance of its cells splits as clearly, by Holm's
# method for all mergers, and whether it is a cut through a continuum.
merger_tests <- function(tree, coordinates) {
    below <- leaves_below(tree)
    resolution <- merger_resolutions(tree)
    size <- cluster_sizes(tree)[-seq_len(tree$leaves)]
    p <- with_random_state(NULL, vapply(seq_along(resolution), function(m) {
        points <- coordinates[, below[tree$leaf, tree$leaves + m], drop = FALSE]
        cloud_p_value(resolution[m], cloud_resolution(ncol(points), normal_cloud(points)))
    }, numeric(1)))
    data.frame(p_value = stats::p.adjust(p, "holm"), continuum = resolution > line_resolution(size))
}

# The resolution at which an evenly filled line of n cells falls in two. A line is the thinnest continuum: clusters with
# more weight between them have no gap. It is that of 1,000 cells for more than these, because a few cells in between,
# such as doublets, are found in any large data.
line_resolution <- function(n) {
    m <- max_cells_of_cloud
    last_resolution(grown_tree(matrix(seq_len(m), 1L), cluster_neighbors(m))) * m / pmin(n, 1000)
}

# A merger is shown if it, or one inside it, is not what a cloud would give.
shown_mergers <- function(tree, significant) {
    shown <- significant
    for (m in seq_along(shown)) {
        inside <- c(tree$a[m], tree$b[m]) - tree$leaves
        shown[m] <- shown[m] || any(shown[inside[inside > 0L]])
    }
    shown
}

# Mean over half samples of the cells of the largest Jaccard index of a cluster with any cluster of the sample's own
# tree. Cells are drawn by their place along the first coordinate, so that their order does not matter.
cluster_support <- function(tree, coordinates, seed) {
    n <- ncol(coordinates)
    if (n < 20L) return(rep(NA_real_, tree$leaves + length(tree$a)))
    below <- leaves_below(tree)
    place <- do.call(order, lapply(seq_len(nrow(coordinates)), function(d) coordinates[d, ]))
    index <- with_random_state(seed, vapply(seq_len(resamples), function(k) {
        some <- place[sort(sample.int(n, n %/% 2L))]
        sample_jaccard(below[tree$leaf[some], , drop = FALSE], coordinates[, some, drop = FALSE])
    }, numeric(ncol(below))))
    rowMeans(matrix(index, ncol(below)))
}

# member: cells x clusters
sample_jaccard <- function(member, coordinates) {
    found <- grown_tree(coordinates, cluster_neighbors(ncol(coordinates)))
    if (found$leaves == 0L) return(colMeans(member))
    other <- leaves_below(found)[pmax(found$leaf, 1L), , drop = FALSE] & found$leaf > 0L
    shared <- crossprod(member, cbind(TRUE, other))
    union <- outer(colSums(member), c(nrow(member), colSums(other)), `+`) - shared
    apply(shared / pmax(union, 1), 1L, max)
}
