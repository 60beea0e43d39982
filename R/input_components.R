# Principal components of the cells, computed without making sparse data dense and without random numbers.

component_fields <- c("rotation", "center", "variable")

# x: features x cells, in memory or streamed. Only the most variable features count (`variable`, their rows), so that it
# does not matter how many others there are; they are centred by `center`, not scaled. coordinates: dimensions x cells.
# rotation: features x dimensions. In the rows of variable features, columns are orthonormal (of few cells in memory:
# zero for components without variance), and coordinates = rotation'(x - center). The other rows are slopes: cells at
# coordinates y look like center + rotation y. They are zero for streamed data, which would have to be read once more.
principal_components <- function(x, dimensions, threads) {
    dimensions <- min(dimensions, dim(x) - c(0L, 1L))
    center <- feature_means(x)
    rotation <- matrix(0, nrow(x), max(dimensions, 1L))
    rows <- most_variable_rows(x, at_least = dimensions)
    found <- list(coordinates = matrix(0, 1L, ncol(x)), rotation = rotation, center = center, variable = rows)
    if (dimensions < 1L) return(found)
    few_cells <- !is_streamed(x) && ncol(x) <= max_gram_cells
    found$rotation[rows, ] <- if (few_cells) {
        rotation_by_cells(x[rows, , drop = FALSE], dimensions)
    } else {
        leading_eigenvectors(feature_gram(x, threads, rows) - ncol(x) * tcrossprod(center[rows]), dimensions)
    }
    found$coordinates <- component_coordinates(x, found, threads)
    if (!is_streamed(x) && length(rows) < nrow(x)) found$rotation[-rows, ] <- slopes(x, found)[-rows, ]
    found
}

# x: the features `features` of the data that the components are of. Earlier versions had no `variable`: all features
component_coordinates <- function(x, components, threads, features = seq_len(nrow(x))) {
    rotation <- components$rotation[features, , drop = FALSE]
    if (!is.null(components$variable)) rotation[!features %in% components$variable, ] <- 0
    basis_product_cpp(x, rotation, threads) - as.vector(crossprod(rotation, components$center[features]))
}

# Regression of every feature on the coordinates.
slopes <- function(x, components) {
    coordinates <- components$coordinates
    square <- rowSums(coordinates^2)
    scale <- ifelse(square > 1e-14 * max(square), 1 / square, 0)
    products <- as.matrix(x %*% t(coordinates)) - outer(components$center, rowSums(coordinates))
    unname(products) * rep(scale, each = nrow(x))
}

# From the eigenvectors of JX'XJ, J = I - 11'/n. Components shorter than the rounding of the longest have none.
rotation_by_cells <- function(x, dimensions) {
    gram <- as.matrix(Matrix::crossprod(x))
    middle <- rowMeans(gram)
    gram <- gram - outer(middle, middle, `+`) + mean(middle)
    vectors <- leading_eigenvectors((gram + t(gram)) / 2, dimensions)
    length <- sqrt(pmax(colSums(vectors * (gram %*% vectors)), 0))
    scale <- ifelse(length > 1e-7 * max(length, 0), 1 / length, 0)
    rotation <- as.matrix(x %*% vectors) - outer(feature_means(x), colSums(vectors))
    unname(rotation) * rep(scale, each = nrow(x))
}

feature_means <- function(x) feature_sums(x) / ncol(x)

feature_sums <- function(x) if (is_streamed(x)) x$feature_sums else unname(Matrix::rowSums(x))

feature_squares <- function(x) {
    if (is_streamed(x)) x$feature_squares else unname(Matrix::rowSums(x^2))
}

cell_means <- function(x) if (is_streamed(x)) x$cell_sums / nrow(x) else unname(Matrix::colMeans(x))

max_variable_features <- 2000L

# The features with the largest variance, of those that are spread over five cells or more, a quarter of fewer than 20:
# (sum |x|)^2 / sum x^2, the number of cells with a value if all values are equal. If these are fewer than `at_least`,
# of all features.
most_variable_rows <- function(x, at_least = 0L) {
    n <- ncol(x)
    squares <- feature_squares(x)
    sums <- feature_sums(x)
    sizes <- if (is_streamed(x) || min(x) >= 0) sums else unname(Matrix::rowSums(abs(x)))
    variance <- squares / n - (sums / n)^2
    spread <- sizes^2 / pmax(squares, .Machine$double.xmin) >= min(5, n / 4) * (1 - 1e-9)
    rows <- which(spread & variance > 1e-12 * squares / n)
    if (length(rows) < at_least) rows <- seq_len(nrow(x))
    sort(rows[order(-variance[rows])][seq_len(min(length(rows), max_variable_features))])
}
