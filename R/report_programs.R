# Programs of a page: the factors of each scale, called by the track that they belong to.

# One list per scale: track, factor, weight (share of the fit), supported (NA if not known) and top, the genes that
# distinguish it. Those with the most structure come first, those without support last.
report_programs <- function(path, scales, ordered, names, shown, genes = NULL) {
    tracks <- program_tracks(path, scales)
    data <- feature_values(genes, path)
    lapply(scales, function(t) {
        rows <- tracks$factors[tracks$factors$t == t, ]
        rows <- rows[match(ordered, rows$factor), ]
        found <- program_genes(path, t, data, shown)
        rows$supported <- found$supported[rows$factor]
        rows <- rows[order(rows$supported %in% FALSE), ]
        c(as.list(rows[c("track", "factor", "weight", "supported")]),
          list(top = lapply(rows$factor, function(k) names[found$top[[k]]])))
    })
}

# Values of the path's features in the shown cells, features x cells; NULL if there are none, or not of all features.
feature_values <- function(genes, path) {
    place <- match(path@feature_names, genes$features)
    if (is.null(genes) || anyNA(place)) NULL else Matrix::t(genes$values[, place, drop = FALSE])
}

program_tracks <- function(path, scales) {
    if (length(scales) > 1L) return(factor_tracks(path, scales))
    weight <- factor_weights(path, scales)
    list(factors = data.frame(t = scales, factor = seq_along(weight), track = seq_along(weight),
                              weight = unname(weight) / max(sum(weight), 1e-300)))
}

# top: rows of the genes that distinguish each factor from the others, the best first: by their scores in
# factor_markers() if there are data, otherwise by their loadings beyond those of the average factor. supported: as in
# factor_markers(), NA without data
program_genes <- function(path, t, data, shown) {
    W <- loading(path, t)
    scores <- distinct_columns(unname(W))
    supported <- rep(NA, ncol(W))
    if (!is.null(data) && length(shown) >= 10L * ncol(W)) {
        found <- marker_scores(data, embedding(path, t)[shown, , drop = FALSE], unname(W))
        scores[, found$used] <- found$score
        supported <- seq_len(ncol(W)) %in% found$used[found$supported]
    }
    top <- lapply(seq_len(ncol(W)), function(k) {
        best <- order(-scores[, k], na.last = NA)
        utils::head(best[scores[best, k] > 0 & W[best, k] > 0], 10L)
    })
    list(top = top, supported = supported)
}
