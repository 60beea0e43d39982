# Positions of the cells on the page at each scale: two factors directly, or a map of each scale.

# Matrices x and y (shown cells x scales) and the names of the axes.
report_layout <- function(path, scales, factors, shown, seed) {
    points <- path_coordinates(path, scales, factors, shown, seed)
    list(x = matrix(points$x, length(shown)), y = matrix(points$y, length(shown)), axes = attr(points, "axes"))
}
