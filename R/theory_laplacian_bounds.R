# How much the Laplacian changes per unit of threshold between consecutive scales, and the bounds that follow from the
# paper; see increment_bounds().
laplacian_bounds <- function(scales, alpha = NULL, threads = default_threads()) {
    scales <- as_scales(scales)
    alpha <- graph_decay(scales, alpha)
    assert_scales_to_compare(length(scales$threshold), "scales")
    scales$edges <- scale_edges(scales)
    d_threshold <- diff(scales$threshold)
    d_laplacian <- laplacian_steps(scales, alpha, threads)
    data.frame(
        t = seq_along(scales$threshold)[-1], d_threshold = d_threshold, d_laplacian = d_laplacian,
        ratio = d_laplacian / d_threshold, bound = interval_bounds(scales, alpha),
        uniform_bound = uniform_lipschitz_bound(scales, alpha)
    )
}

interval_bounds <- function(scales, alpha) {
    finer <- scales$threshold[-length(scales$threshold)]
    edges <- findInterval(scales$threshold, scales$edges$length, left.open = TRUE)
    old <- edges[-length(edges)]
    (1 + sqrt(scales$n_cells)) *
        (weight_rate(old, finer, alpha) + sqrt(2 * diff(edges)) / diff(scales$threshold))
}

# sqrt(2 E) alpha / (e eps); edges of length zero keep their weight.
weight_rate <- function(edges, threshold, alpha) {
    ifelse(edges > 0 & threshold > 0, sqrt(2 * edges) * alpha / (exp(1) * threshold), 0)
}

# Between consecutive points of all edge lengths and thresholds together.
uniform_lipschitz_bound <- function(scales, alpha) {
    points <- sort(unique(c(scales$edges$length, scales$threshold)))
    below <- findInterval(points, scales$edges$length, left.open = TRUE)
    (1 + sqrt(scales$n_cells)) *
        (max(weight_rate(below, points, alpha)) + sqrt(2 * max(diff(below))) / min(diff(points)))
}
