# How sure the cluster of a cell is, by its place between the means of the clusters.

# Confidence that a cell belongs to its cluster: 1 at the mean of the cluster or on its far side, 1/2 halfway to the
# mean of another cluster, 0 there. Let m_a be the mean of the cell's own cluster and u_b = m_b - m_a; the result is
#   1 - max over b of u_b'(y - m_a) / |u_b|^2,   cut to 0 ... 1,
# in coordinates in which the spread inside clusters is the same in every direction. A mixture of two cells, such as a
# doublet, lies between two means even if many of its neighbours are mixtures too, which is why neighbours are not
# asked. coordinates: dimensions x cells; labels: one per cell, NA for cells without a cluster, whose confidence is NA.
# With one cluster everybody has 1.
cell_confidence <- function(coordinates, labels) {
    confidence <- rep(NA_real_, length(labels))
    known <- which(!is.na(labels))
    cluster <- match(labels[known], unique(labels[known]))
    confidence[known] <- 1 - share_of_another(evenly_spread(coordinates[, known, drop = FALSE], cluster), cluster)
    confidence
}

# Coordinates in which the covariance inside clusters is about the identity. A tenth of its mean variance is added, so
# that directions in which clusters hardly vary do not count for more than that.
evenly_spread <- function(coordinates, cluster) {
    coordinates <- coordinates - rowMeans(coordinates)
    inside <- coordinates - t(group_means(t(coordinates), cluster))[, cluster, drop = FALSE]
    spread <- tcrossprod(inside) / ncol(coordinates)
    variance <- mean(diag(spread))
    if (!(variance > 0)) return(coordinates)
    diag(spread) <- diag(spread) + variance / 10
    backsolve(chol(spread), coordinates, transpose = TRUE)
}

# How far each cell is on its way to the mean of another cluster, the largest over all: 0 to 1.
share_of_another <- function(points, cluster) {
    center <- t(group_means(t(points), cluster))
    between <- crossprod(center)
    along <- crossprod(center, points) - between[, cluster, drop = FALSE] # m_b'(y - m_a), clusters x cells
    own <- along[cbind(cluster, seq_along(cluster))]
    apart <- outer(diag(between), diag(between), `+`) - 2 * between # |m_b - m_a|^2
    diag(apart) <- Inf
    apart[apart <= 0] <- Inf # clusters of duplicates of one place
    share <- (along - rep(own, each = nrow(along))) / apart[, cluster, drop = FALSE]
    pmin(apply(share, 2L, max, 0), 1)
}
