# What the pictures of the paper's simulation show, in numbers. `ring`: 1 (innermost) to 4 for every point.

# Mean distance of a ring's points from the ring's centre.   scales x rings
ring_radii <- function(path, ring) {
    radius <- function(points) mean(sqrt(rowSums(sweep(points, 2, colMeans(points))^2)))
    at <- function(t) {
        e <- embedding(path, t)
        vapply(1:4, function(r) radius(e[ring == r, , drop = FALSE]), numeric(1))
    }
    t(vapply(seq_len(n_scales(path)), at, numeric(4)))
}

# Going from coarse to fine, the first scale at which a ring has half of its radius at the finest one.
emergence <- function(radii) apply(radii, 2, function(r) max(which(r >= r[1] / 2)))

# Share of each ring's points outside the ellipse that holds the next inner ring.
share_outside <- function(e, ring) {
    vapply(1:3, function(inner) {
        own <- e[ring == inner, , drop = FALSE]
        distance <- stats::mahalanobis(e, colMeans(own), stats::cov(own))
        mean(distance[ring == inner + 1] > max(distance[ring == inner]))
    }, numeric(1))
}

# |H_t - H_{t-1}| relative to |H_1|
embedding_jumps <- function(path) {
    H <- path@H
    mapply(function(a, b) norm(a - b, "F"), H[-1], H[-length(H)]) / norm(H[[1]], "F")
}
