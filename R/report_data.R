# The data that the script of the page reads: names, codes and colours, as documented in report.js.

# Maximum number of factors for colouring cells; a page of 5,000 cells and 40 scales then stays below 10 MB.
report_factors <- 12L

report_data <- function(view) {
    list(
        cells = I(view$path@cell_names[view$shown]), n_cells = dim(view$path)[2],
        scales = I(view$scales), readouts = I(scale_readouts(view)),
        start = if (is.na(view$suggested)) 1L else view$suggested,
        x = encoded_range(view$layout$x), y = encoded_range(view$layout$y),
        labels = label_data(view), clusters = cluster_data(view), factors = factor_data(view), genes = gene_data(view),
        ramp = I(grDevices::hcl.colors(256L, "viridis")), features = feature_data(view), nodes = node_data(view),
        figures = report_figures(view)
    )
}

scale_readouts <- function(view) {
    sprintf("Scale %d of %d: threshold %s, %s components", view$scales, n_scales(view$path),
            short_number(thresholds(view$path)[view$scales]), whole_number(view$path@scales$betti0[view$scales]))
}

label_data <- function(view) {
    if (is.null(view$labels)) return(NULL)
    list(names = I(levels(view$labels)), colours = I(group_colours(nlevels(view$labels))),
         sizes = I(as.integer(table(view$labels))), codes = encoded_codes(as.integer(view$labels)[view$shown]))
}

# sizes: cells per cluster, scale by scale; 0 for a number that no cluster of the scale has.
cluster_data <- function(view) {
    n <- cluster_count(view)
    codes <- vapply(view$clusters, function(labels) labels[view$shown], integer(length(view$shown)))
    sizes <- lapply(unname(view$clusters), function(labels) I(tabulate(labels, n)))
    list(colours = I(group_colours(n)), sizes = sizes, codes = encoded_codes(codes))
}

# The heaviest factors over the scales shown; values are shares of the maximum of the factor at the scale, one byte
# each.
factor_data <- function(view) {
    H <- lapply(view$scales, function(t) embedding(view$path, t))
    weight <- Reduce(`+`, lapply(H, function(h) colSums(h) / max(sum(h), 1e-300)))
    chosen <- sort(utils::head(order(-weight), report_factors))
    codes <- lapply(H, function(h) {
        vapply(chosen, function(j) quantised(h[view$shown, j], 0, max(h[, j]), 1L), integer(length(view$shown)))
    })
    tops <- lapply(H, function(h) I(signif(apply(h[, chosen, drop = FALSE], 2L, max), 3)))
    list(numbers = I(chosen), tops = tops, bytes = 1L, codes = base64_numbers(unlist(codes), 1L))
}

gene_data <- function(view) {
    if (is.null(view$genes)) return(NULL)
    low <- pmin(apply(view$genes, 1L, min), 0)
    high <- apply(view$genes, 1L, max)
    codes <- lapply(seq_along(low), function(g) quantised(view$genes[g, ], low[g], high[g], 1L))
    list(names = I(rownames(view$genes)), low = I(signif(low, 3)), high = I(signif(high, 3)), bytes = 1L,
         codes = base64_numbers(unlist(codes), 1L))
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
