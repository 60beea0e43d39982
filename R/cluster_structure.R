# Is there structure at all, or one cloud?

last_resolution <- function(tree) if (length(tree$resolution) == 0L) 1 else min(tree$resolution)

# tree: grown on the coordinates of the path
has_structure <- function(tree, path, min_size) {
    if (is_undivided(tree)) return(FALSE)
    if (is.null(path@scales$cell_mean)) return(is_divided(tree, cluster_coordinates(path), min_size))
    coordinates <- cluster_coordinates(path, coordinates_without_means(path@scales, dim(path)[1]))
    tree <- grown_tree(coordinates, min_size, path@scales$mst)
    !is_undivided(tree) && is_divided(tree, coordinates, min_size)
}

is_undivided <- function(tree) tree$leaves == 0L || last_resolution(tree) >= 1

# The principal components V'(x_i - m) of cells from whose features their mean was subtracted: y_i - (V'1) times the
# mean of x_i - m, where m is the mean of the cells. Shuffled within cells, features differ by noise only, but the means
# of the cells stay, and these may form clusters. V'1 are the coefficients of the cells' totals on the components.
coordinates_without_means <- function(scales, n_features) {
    mean <- scales$cell_mean - mean(scales$cell_mean)
    centred <- t(scales$coordinates - rowMeans(scales$coordinates))
    slope <- stats::lm.fit(centred, n_features * mean)$coefficients
    scales$coordinates - outer(replace(slope, is.na(slope), 0), mean)
}

# Maximum number of cells in the test for structure. They are spread evenly along the first coordinate, so their order
# does not matter.
max_cells_for_structure <- 2000L
structure_draws <- 9L

# In a cloud without structure, the resolution of the last merger of n cells is at least m / n times that of m of these
# cells: a cut through a curve, the thinnest cloud, loses 1 / n of its edges.
is_divided <- function(tree, coordinates, min_size) {
    n <- ncol(coordinates)
    found <- last_resolution(tree)
    if (n <= max_cells_for_structure) return(found < unstructured_resolution(coordinates, min_size) / 2)
    some <- order(coordinates[1L, ])[round(seq(1, n, length.out = max_cells_for_structure))]
    fewer <- coordinates[, some, drop = FALSE]
    size <- cluster_neighbors(length(some))
    expected <- unstructured_resolution(fewer, size) / 2
    found < expected * length(some) / n || last_resolution(grown_tree(fewer, size)) < expected
}

# Median resolution of the last merger in normal data with the same covariance.
unstructured_resolution <- function(coordinates, min_size) {
    n <- ncol(coordinates)
    centred <- coordinates - rowMeans(coordinates)
    spread <- if (nrow(centred) <= n) tcrossprod(centred) else crossprod(centred)
    deviation <- sqrt(pmax(eigen(spread, symmetric = TRUE, only.values = TRUE)$values, 0))
    deviation <- deviation[deviation > 1e-8 * max(deviation, 1e-300)]
    if (length(deviation) == 0L) return(0)
    with_random_state(NULL, {
        stats::median(vapply(seq_len(structure_draws), function(draw) {
            points <- deviation * matrix(stats::rnorm(length(deviation) * n), length(deviation), n)
            last_resolution(grown_tree(points, min_size))
        }, numeric(1)))
    })
}
