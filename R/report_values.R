# Values that a page can colour cells by: factors, and genes with their measured and fitted values. A fitted value is
# the product of a gene's loadings and a cell's factors, which the page multiplies itself, so it costs no room per cell.

# Bytes of factor values, before packing: all factors of 5,000 cells at rank 30 and 40 scales.
max_factor_bytes <- 6e6

# Default number of genes on a page.
max_report_genes <- 500L

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

# Values of the genes in the shown cells: names, as they are displayed; measured, genes x cells, or NULL without data;
# for the fitted values one matrix of loadings (genes x rank) per scale, NA for genes that the path does not have.
report_genes <- function(path, scales, shown, data, genes, names = path@feature_names) {
    if (is.null(data)) data <- path@data
    if (!is.null(data)) data <- assert_gene_data(data, path)
    known <- if (is.null(data)) path@feature_names else union(rownames(data), path@feature_names)
    genes <- if (is.null(genes)) default_genes(path, scales) else assert_genes(own_names(genes, path, names), known)
    place <- match(genes, path@feature_names)
    list(names = ifelse(is.na(place), genes, names[place]), measured = measured_values(data, genes, shown),
         loadings = lapply(scales, function(t) loading(path, t)[place, , drop = FALSE]))
}

# Genes may be given by their displayed names.
own_names <- function(genes, path, names) {
    if (!is.character(genes)) return(genes)
    place <- match(genes, names)
    ifelse(genes %in% path@feature_names | is.na(place), genes, path@feature_names[place])
}

# Genes that the data lack are NA.
measured_values <- function(data, genes, shown) {
    place <- match(genes, rownames(data))
    if (is.null(data) || all(is.na(place))) return(NULL)
    values <- matrix(NA_real_, length(genes), length(shown))
    values[!is.na(place), ] <- as.matrix(data[place[!is.na(place)], shown, drop = FALSE])
    values
}

# The top features of the factors at the first, a middle and the last scale, then the genes whose fitted values vary
# most at the first one.
default_genes <- function(path, scales, max_genes = max_report_genes) {
    views <- scales[unique(round(seq(1, length(scales), length.out = 3)))]
    top <- do.call(rbind, lapply(views, function(t) top_features(path, t, n = 10L)))
    W <- loading(path, scales[1])
    H <- embedding(path, scales[1])
    spread <- crossprod(sweep(H, 2L, colMeans(H)))
    variance <- rowSums((W %*% spread) * W)
    ranked <- c(top$feature[order(top$rank, top$factor, top$t)], path@feature_names[order(-variance)])
    utils::head(unique(ranked), max_genes)
}

assert_gene_data <- function(data, path) {
    n <- dim(path)[2]
    if (length(dim(data)) != 2L || ncol(data) != n) {
        stop_pnmf("'data' must be a matrix of features x the path's ", n, " cells, not ", describe(data))
    }
    if (is.null(rownames(data))) {
        if (nrow(data) != dim(path)[1]) stop_pnmf("'data' must have row names, the names of the features")
        rownames(data) <- path@feature_names
    }
    if (!is.null(colnames(data)) && setequal(colnames(data), path@cell_names)) {
        return(data[, path@cell_names, drop = FALSE])
    }
    data
}

assert_genes <- function(genes, known) {
    unknown <- setdiff(genes, known)
    if (!is.character(genes) || length(genes) == 0L || length(unknown) > 0L) {
        stop_pnmf("'genes' must be names of features of the path or the data, not ",
                  if (is.character(genes) && length(unknown) > 0L) paste0("'", unknown[1], "'") else describe(genes))
    }
    unique(genes)
}
