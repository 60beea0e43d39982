# Principal components of the cells, computed without making sparse data dense and without random numbers.

# Up to this many cells, the components come from the Gram matrix of the cells.
max_gram_cells <- 1000L

# x: features x cells, in memory or streamed. Returns dimensions x cells, the features centred, not scaled.
principal_coordinates <- function(x, dimensions = 20L) {
    dimensions <- min(dimensions, dim(x) - c(0L, 1L))
    if (dimensions < 1L) return(matrix(0, 1L, ncol(x)))
    if (has_few_features(x)) return(components_by_features(x, dimensions))
    if (is_streamed(x)) return(components_by_svd(x, dimensions))
    if (ncol(x) <= max_gram_cells) components_by_cells(x, dimensions) else iterated_components(x, dimensions)
}

# From the eigenvectors of JX'XJ, J = I - 11'/n.
components_by_cells <- function(x, dimensions) {
    gram <- as.matrix(Matrix::crossprod(x))
    middle <- rowMeans(gram)
    gram <- gram - outer(middle, middle, `+`) + mean(middle)
    vectors <- leading_eigenvectors((gram + t(gram)) / 2, dimensions)
    t(vectors) * sqrt(pmax(colSums(vectors * (gram %*% vectors)), 0))
}

iterated_components <- function(x, dimensions) {
    middle <- Matrix::rowMeans(x)
    forward <- function(v, args) as.vector(Matrix::crossprod(x, v)) - sum(middle * v)
    backward <- function(u, args) as.vector(x %*% u) - middle * sum(u)
    found <- RSpectra::svds(forward, dimensions, nu = dimensions, nv = 0, Atrans = backward, dim = rev(dim(x)),
                            opts = list(tol = 1e-9, maxitr = 2000))
    t(found$u) * found$d
}

# XX' takes one pass over the data, unless it is known; the components take another.
components_by_features <- function(x, dimensions) {
    middle <- feature_means(x)
    centred_product(x, leading_eigenvectors(feature_gram(x) - ncol(x) * tcrossprod(middle), dimensions), middle)
}

# The first component of uncentred data is their mean, so one more component is computed.
components_by_svd <- function(x, dimensions) {
    centred_product(x, iterated_svd(x, dimensions + 1L)$u, feature_means(x))
}

# basis'(X - middle): dimensions x cells
centred_product <- function(x, basis, middle) {
    basis_product_cpp(x, basis, default_threads()) - as.vector(crossprod(basis, middle))
}

feature_means <- function(x) feature_sums(x) / ncol(x)

feature_sums <- function(x) if (is_streamed(x)) x$feature_sums else unname(Matrix::rowSums(x))

cell_means <- function(x) if (is_streamed(x)) x$cell_sums / nrow(x) else unname(Matrix::colMeans(x))
