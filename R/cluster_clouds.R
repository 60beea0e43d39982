# Clouds without clusters, and how clearly they split: what a split has to beat.

cloud_draws <- 19L
max_cells_of_cloud <- 300L

# Real clouds are skewed and have heavy tails: they may split this many times as clearly as drawn ones.
cloud_tolerance <- 1.25

# Probability that one more draw of a cloud of n cells splits at a resolution this low.
cloud_p_value <- function(resolution, n, draw, threads) {
    cloud <- cloud_resolution(n, draw, threads)
    far <- log(cloud_tolerance * max(resolution, 1e-300)) - cloud$mean
    stats::pt(far / (max(cloud$spread, 1e-3) * sqrt(1 + 1 / cloud_draws)), cloud_draws - 1L)
}

# Resolutions of the last mergers in clouds without structure of n cells, in logarithms: the mean and the spread of the
# draws. draw: a function of a number of cells that returns points, dimensions x cells. A cloud of many cells is
# extrapolated from clouds of a quarter of the largest size drawn and of that size: the resolution falls as a power of
# the cells between n^0 (a ball) and n^-1 (a curve, where a cut meets the same number of cells whatever their density).
cloud_resolution <- function(n, draw, threads) {
    m <- min(n, max_cells_of_cloud)
    found <- cloud_resolutions(m, draw, threads)
    slope <- if (n > m) (mean(cloud_resolutions(m %/% 4L, draw, threads)) - mean(found)) / log(4) else 0
    list(mean = mean(found) - min(max(slope, 0), 1) * log(n / m), spread = stats::sd(found))
}

cloud_resolutions <- function(n, draw, threads) {
    trees <- grown_trees(lapply(seq_len(cloud_draws), function(k) draw(n)), threads)
    log(vapply(trees, function(tree) min(tree$resolution, 1), numeric(1)))
}

# Normal points with the covariance of the given ones.   coordinates: dimensions x cells
normal_cloud <- function(coordinates) {
    centred <- coordinates - rowMeans(coordinates)
    spread <- if (nrow(centred) <= ncol(centred)) tcrossprod(centred) else crossprod(centred)
    deviation <- sqrt(pmax(eigen(spread, symmetric = TRUE, only.values = TRUE)$values, 0))
    deviation <- deviation[deviation > 1e-8 * max(deviation, 1e-300)]
    if (length(deviation) == 0L) return(function(n) matrix(0, 1L, n))
    function(n) deviation * matrix(stats::rnorm(length(deviation) * n), length(deviation), n)
}

# The same cells without the gap between two groups: one cloud along a curve. Let s be the place of a cell along the
# line between the means of the groups. The cloud has the density of s with its valleys filled to the lower of the peaks
# beside them, the parabola in s that fits the cells best, and around it normal points with the covariance of the half
# of the cells that is nearest in s. Where there is no valley, it is a cloud like the given one, curved if that is.
# coordinates: dimensions x cells; group: 1 or 2 for every cell
bridged_cloud <- function(coordinates, group) {
    place <- place_between(coordinates, group)
    order <- order(place)
    place <- place[order]
    n <- length(place)
    if (!(place[n] > place[1L])) return(normal_cloud(coordinates))
    coordinates <- coordinates[, order, drop = FALSE]
    curve <- fitted_parabola(place, coordinates)
    around <- coordinates - curve(place)
    drawn_places <- without_valleys(place)
    function(m) {
        at <- drawn_places(m)
        curve(at) + local_noise(around, findInterval(at, place), n %/% 4L)
    }
}

# In coordinates in which the spread inside the groups is the same in every direction.
place_between <- function(coordinates, group) {
    even <- evenly_spread(coordinates, group)
    center <- group_means(t(even), group)
    as.vector((center[2L, ] - center[1L, ]) %*% even)
}

# A function that draws places from the smallest unimodal function above their density: at random from the density
# itself, and evenly from what fills its valleys, so that chance leaves no gaps there.   place: ascending
without_valleys <- function(place) {
    ends <- range(place)
    density <- stats::density(place, from = ends[1L], to = ends[2L])
    filling <- pmin(cummax(density$y), rev(cummax(rev(density$y)))) - density$y
    share <- sum(filling) / sum(filling + density$y)
    function(m) {
        fillers <- round(m * share)
        own <- sample(place, m - fillers, TRUE) + density$bw * stats::rnorm(m - fillers)
        even <- (seq_len(fillers) - stats::runif(fillers)) / fillers
        cumulated <- cumsum(filling) / max(sum(filling), 1e-300)
        between <- stats::approx(cumulated, density$x, even, ties = "ordered", rule = 2)$y
        pmin(pmax(c(own, between), ends[1L]), ends[2L])
    }
}

# A function of the place that returns points.   coordinates: dimensions x places
fitted_parabola <- function(place, coordinates) {
    powers <- function(at) outer((at - mean(place)) / stats::sd(place), 0:2, `^`)
    coefficient <- qr.coef(qr(powers(place)), t(coordinates))
    coefficient[is.na(coefficient)] <- 0
    function(at) t(powers(at) %*% coefficient)
}

# Normal combinations of deviations within `reach` of the given positions.   around: dimensions x cells in order
local_noise <- function(around, position, reach, terms = 8L) {
    noise <- matrix(0, nrow(around), length(position))
    for (k in seq_len(terms)) {
        from <- position + sample.int(2L * reach + 1L, length(position), TRUE) - reach - 1L
        from <- pmin(pmax(from, 1L), ncol(around))
        noise <- noise + around[, from, drop = FALSE] * rep(stats::rnorm(length(position)), each = nrow(around))
    }
    noise / sqrt(terms)
}
