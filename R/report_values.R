# Values that a page can colour cells by: factors, and genes with their measured and fitted values. A fitted value is
# the product of a gene's loadings and a cell's factors, which the page multiplies itself, so it costs no room per cell.

# Bytes of factor values, before packing: all factors of 5,000 cells at rank 30 and 40 scales.
max_factor_bytes <- 6e6

# Structure that a factor carries, over the scales t shown:
#   mean of eta_t^2 (1 - sum of p_g^2),   p_g = w_g^2 / sum w^2
# eta^2 is the share of the variance of the factor's values that lies between the clusters; the second term is 0 for a
# factor of a single gene. Ties, as without any clusters, go to the heavier factor.
factor_structure <- function(path, scales, clusters) {
    each <- vapply(seq_along(scales), function(s) {
        between_share(embedding(path, scales[s]), clusters[[s]]) * loading_spread(loading(path, scales[s]))
    }, numeric(n_factors(path)))
    rowMeans(matrix(each, n_factors(path)))
}

between_share <- function(h, cluster) {
    sizes <- as.vector(table(cluster))
    means <- rowsum(h, cluster) / sizes
    centre <- colMeans(h)
    total <- colSums(sweep(h, 2L, centre)^2)
    between <- colSums(sizes * sweep(means, 2L, centre)^2)
    ifelse(total > 1e-12 * colSums(h^2), between / pmax(total, 1e-300), 0)
}

loading_spread <- function(W) {
    share <- sweep(W^2, 2L, pmax(colSums(W^2), 1e-300), "/")
    pmax(1 - colSums(share^2), 0)
}

# Factors, those with the most structure first.
ordered_factors <- function(path, scales, clusters) {
    weight <- Reduce(`+`, lapply(scales, function(t) {
        h <- embedding(path, t)
        colSums(h) / max(sum(h), 1e-300)
    }))
    order(-round(factor_structure(path, scales, clusters), 6), -weight)
}

# As many of the ordered factors as fit.
kept_factors <- function(ordered, n_cells, n_scales, max_bytes = max_factor_bytes) {
    utils::head(ordered, max(1L, as.integer(max_bytes %/% (n_cells * n_scales))))
}

# Without data, genes have fitted values: names, as they are displayed, and one matrix of loadings (genes x rank) per
# scale. If there are too many genes, those whose fitted values vary most at the finest scale.
fitted_genes <- function(path, scales, names = path@feature_names, max_bytes = max_factor_bytes) {
    n <- max(1L, as.integer(max_bytes %/% (n_factors(path) * length(scales))))
    genes <- seq_along(names)
    if (length(genes) > n) {
        W <- loading(path, scales[1])
        H <- embedding(path, scales[1])
        genes <- sort(utils::head(order(-rowSums((W %*% crossprod(sweep(H, 2L, colMeans(H)))) * W)), n))
    }
    list(names = names[genes], of = length(names),
         loadings = lapply(scales, function(t) loading(path, t)[genes, , drop = FALSE]))
}

assert_gene_data <- function(x, path) {
    n <- dim(path)[2]
    if (length(dim(x)) != 2L || ncol(x) != n) {
        stop_pnmf("'x' must be a matrix of features x the path's ", n, " cells, not ", describe(x))
    }
    if (is.null(rownames(x))) {
        if (nrow(x) != dim(path)[1]) stop_pnmf("'x' must have row names, the names of the features")
        rownames(x) <- path@feature_names
    }
    places <- matched_places(colnames(x), path@cell_names, n, "x", "cells", "cell")
    if (is.null(places)) x else x[, places, drop = FALSE]
}
