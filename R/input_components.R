# Principal components of the cells, computed without making sparse data dense and without random numbers.

# x: features x cells, in memory or streamed; features are centred, not scaled. coordinates: dimensions x cells,
# rotation'(x - center); rotation: features x dimensions, orthonormal columns, zero for components without variance;
# center: the mean of every feature
principal_components <- function(x, dimensions, threads) {
    dimensions <- min(dimensions, dim(x) - c(0L, 1L))
    if (dimensions < 1L) return(list(coordinates = matrix(0, 1L, ncol(x)), rotation = matrix(0, nrow(x), 1L),
                                     center = feature_means(x)))
    if (has_few_features(x)) return(components_by_features(x, dimensions, threads))
    if (is_streamed(x)) return(components_by_svd(x, dimensions, threads))
    if (ncol(x) <= max_gram_cells) components_by_cells(x, dimensions) else iterated_components(x, dimensions)
}

# From the eigenvectors of JX'XJ, J = I - 11'/n.
components_by_cells <- function(x, dimensions) {
    gram <- as.matrix(Matrix::crossprod(x))
    middle <- rowMeans(gram)
    gram <- gram - outer(middle, middle, `+`) + mean(middle)
    vectors <- leading_eigenvectors((gram + t(gram)) / 2, dimensions)
    length <- sqrt(pmax(colSums(vectors * (gram %*% vectors)), 0))
    with_rotation(x, t(vectors) * length, length)
}

iterated_components <- function(x, dimensions) {
    middle <- Matrix::rowMeans(x)
    forward <- function(v, args) as.vector(Matrix::crossprod(x, v)) - sum(middle * v)
    backward <- function(u, args) as.vector(x %*% u) - middle * sum(u)
    found <- RSpectra::svds(forward, dimensions, nu = dimensions, nv = 0, Atrans = backward, dim = rev(dim(x)),
                            opts = list(tol = 1e-9, maxitr = 2000))
    with_rotation(x, t(found$u) * found$d, found$d)
}

# The rotation (X - center) Y' / length^2 of coordinates Y whose rows have these lengths. Components shorter than the
# rounding of the longest have none.
with_rotation <- function(x, coordinates, length) {
    center <- feature_means(x)
    rotation <- as.matrix(x %*% t(coordinates)) - outer(center, rowSums(coordinates))
    scale <- ifelse(length > 1e-7 * max(length, 0), 1 / length^2, 0)
    list(coordinates = coordinates, rotation = unname(rotation) * rep(scale, each = nrow(x)), center = center)
}

# XX' takes one pass over the data, unless it is known; the components take another.
components_by_features <- function(x, dimensions, threads) {
    middle <- feature_means(x)
    gram <- feature_gram(x, threads) - ncol(x) * tcrossprod(middle)
    centred_product(x, leading_eigenvectors(gram, dimensions), middle, threads)
}

# The first component of uncentred data is their mean, so one more component is computed.
components_by_svd <- function(x, dimensions, threads) {
    centred_product(x, iterated_svd(x, dimensions + 1L)$u, feature_means(x), threads)
}

# basis'(X - middle): dimensions x cells
centred_product <- function(x, basis, middle, threads) {
    list(coordinates = basis_product_cpp(x, basis, threads) - as.vector(crossprod(basis, middle)),
         rotation = basis, center = middle)
}

feature_means <- function(x) feature_sums(x) / ncol(x)

feature_sums <- function(x) if (is_streamed(x)) x$feature_sums else unname(Matrix::rowSums(x))

feature_squares <- function(x) {
    if (is_streamed(x)) x$feature_squares else unname(Matrix::rowSums(x^2))
}

cell_means <- function(x) if (is_streamed(x)) x$cell_sums / nrow(x) else unname(Matrix::colMeans(x))
