# The data that the script of the page reads: names, codes and colours, as documented in report.js.

report_data <- function(view) {
    list(
        cells = I(view$path@cell_names[view$shown]), n_cells = dim(view$path)[2],
        scales = I(view$scales), readouts = I(scale_readouts(view)),
        start = if (is.na(view$suggested)) 1L else view$suggested,
        x = encoded_range(view$layout$x), y = encoded_range(view$layout$y),
        labels = label_data(view), reference = !is.null(view$reference), clusters = cluster_data(view),
        lifetimes = lifetime_data(view), factors = factor_data(view), genes = gene_data(view),
        ramp = I(grDevices::hcl.colors(256L, "viridis")), features = feature_data(view), nodes = node_data(view),
        figures = report_figures(view)
    )
}

scale_readouts <- function(view) {
    sprintf("Scale %d of %d: threshold %s, %s", view$scales, n_scales(view$path),
            short_number(thresholds(view$path)[view$scales]),
            counted(view$path@scales$betti0[view$scales], "component"))
}

label_data <- function(view) {
    columns <- lapply(view$labels, function(labels) {
        list(names = I(levels(labels)), colours = I(group_colours(nlevels(labels))),
             sizes = I(as.integer(table(labels))), codes = encoded_codes(as.integer(labels)[view$shown]))
    })
    unname(Map(function(title, column) c(list(title = title), column), names(view$labels), columns))
}

# The 50 most persistent clusters; positions of scales and numbers of clusters start at 0.
lifetime_data <- function(view) {
    lives <- utils::head(view$lifetimes, 50L)
    list(cluster = I(lives$cluster - 1L), first = I(lives$first - 1L), last = I(lives$last - 1L), size = I(lives$size),
         persistence = I(round(lives$persistence, 3)), recommended = I(lives$recommended))
}

# sizes: cells per cluster, scale by scale; 0 for a number that no cluster of the scale has.
cluster_data <- function(view) {
    n <- cluster_count(view)
    codes <- vapply(view$clusters, function(labels) labels[view$shown], integer(length(view$shown)))
    sizes <- lapply(unname(view$clusters), function(labels) I(tabulate(labels, n)))
    list(colours = I(group_colours(n)), sizes = sizes, codes = encoded_codes(codes))
}

# Shares of the factor's maximum at the scale, one byte each. `order` has all factors, `numbers` those with values.
factor_data <- function(view) {
    chosen <- view$kept_factors
    H <- lapply(view$scales, function(t) embedding(view$path, t)[, chosen, drop = FALSE])
    tops <- lapply(H, function(h) apply(h, 2L, max))
    codes <- Map(function(h, top) {
        vapply(seq_along(chosen), function(k) quantised(h[view$shown, k], 0, top[k], 1L), integer(length(view$shown)))
    }, H, tops)
    list(order = I(view$factor_order), numbers = I(chosen), tops = lapply(tops, function(top) I(signif(top, 5))),
         codes = packed_steps(codes))
}

# `unmeasured` and `unfitted` list the genes without measured or fitted values, numbered from 0. Fitted values need all
# factors.
gene_data <- function(view) {
    genes <- view$genes
    missing <- function(values) I(which(is.na(values[, 1])) - 1L)
    fitted <- if (length(view$kept_factors) == n_factors(view$path)) genes$loadings
    list(names = I(genes$names),
         measured = if (!is.null(genes$measured)) measured_data(genes$measured),
         unmeasured = if (!is.null(genes$measured)) missing(genes$measured),
         fitted = if (!is.null(fitted)) loading_data(lapply(fitted, function(W) W[, view$kept_factors, drop = FALSE])),
         unfitted = if (!is.null(fitted)) missing(fitted[[1]]))
}

# Shares of the gene's range, one byte each: genes one after the other.
measured_data <- function(values) {
    values[is.na(values)] <- 0
    low <- pmin(apply(values, 1L, min), 0)
    high <- apply(values, 1L, max)
    codes <- vapply(seq_along(low), function(g) quantised(values[g, ], low[g], high[g], 1L), integer(ncol(values)))
    list(low = I(signif(low, 3)), high = I(signif(high, 3)), codes = packed(codes))
}

# Shares of the gene's largest loading at the scale, one byte each, in the factors' order: genes, factors, scales.
loading_data <- function(loadings) {
    loadings <- lapply(loadings, function(W) replace(W, is.na(W), 0))
    tops <- lapply(loadings, function(W) do.call(pmax, lapply(seq_len(ncol(W)), function(k) W[, k])))
    codes <- Map(function(W, top) as.integer(round(255 * W / pmax(top, 1e-300))), loadings, tops)
    list(tops = lapply(tops, function(top) I(signif(unname(top), 5))), codes = packed_steps(codes))
}

# top[[scale]][[factor]]: positions in `names`, heaviest first; a feature without weight is not a top feature.
feature_data <- function(view) {
    names <- unique(unlist(lapply(view$top, `[[`, "feature")))
    top <- lapply(view$top, function(table) {
        lapply(split(table, table$factor), function(rows) I(match(rows$feature[rows$loading > 0], names) - 1L))
    })
    list(names = I(names), top = lapply(top, unname))
}

node_data <- function(view) {
    if (is.null(view$tree)) return(NULL)
    nodes <- view$tree$nodes
    list(place = I(nodes$x - 1L), cluster = I(as.integer(nodes$cluster) - 1L))
}
