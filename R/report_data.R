# The data that the script of the page reads: names, codes and colours, as documented in report.js.

report_data <- function(view) {
    list(
        cells = I(view$path@cell_names[view$shown]), n_cells = dim(view$path)[2],
        scales = I(view$scales), readouts = I(scale_readouts(view)),
        start = report_start(view),
        x = encoded_range(view$layout$x), y = encoded_range(view$layout$y),
        labels = label_data(view), reference = !is.null(view$reference), clusters = cluster_data(view),
        lifetimes = lifetime_data(view), factors = factor_data(view),
        programs = program_data(view),
        genes = if (is.null(view$genes)) fitted_data(view) else gene_data(view$genes),
        ramp = I(grDevices::hcl.colors(256L, "viridis")), nodes = node_data(view),
        figures = report_figures(view)
    )
}

# Paths of earlier versions have thresholds and components instead of effective cells.
scale_readouts <- function(view) {
    effective <- view$path@scales$effective_cells[view$scales]
    place <- if (length(effective) > 0L) {
        paste(format_effective(effective), "effective cells")
    } else {
        sprintf("threshold %s, %s", short_number(thresholds(view$path)[view$scales]),
                counted(whole_number(view$path@scales$betti0[view$scales]), "component"))
    }
    agreement <- if (is.null(view$scores)) "" else sprintf(" (ARI with the labels %.2f)", view$scores$ari)
    sprintf("Scale %d of %d: %s, %s%s", view$scales, n_scales(view$path), place,
            counted(whole_number(view_cluster_counts(view)), "cluster"), agreement)
}

label_data <- function(view) {
    clusters <- view$clusters[[report_start(view)]]
    columns <- lapply(view$labels, function(labels) {
        list(names = I(levels(labels)), colours = I(label_colours(labels, view$cluster_colours[clusters])),
             sizes = I(as.integer(table(labels))), codes = encoded_codes(as.integer(labels)[view$shown]))
    })
    unname(Map(function(title, column) c(list(title = title), column), names(view$labels), columns))
}

# A label has the colour of the cluster with which it shares most cells, each colour once. The others have colours that
# no cluster has, as long as there are some. `taken`: the colours of the cells' clusters
label_colours <- function(labels, taken) {
    known <- unique(taken[!is.na(taken)])
    palette <- unique(c(group_colours(nlevels(labels) + length(known)), known))
    shared <- table(labels, factor(taken, palette))
    colours <- rep(NA_character_, nlevels(labels))
    while (max(shared) > 0L) {
        best <- arrayInd(which.max(shared), dim(shared))
        colours[best[1]] <- palette[best[2]]
        shared[best[1], ] <- 0L
        shared[, best[2]] <- 0L
    }
    free <- c(setdiff(palette, known), setdiff(known, colours))
    colours[is.na(colours)] <- rep_len(free, sum(is.na(colours)))
    colours
}

# The 50 most persistent clusters; positions of scales and numbers of clusters start at 0.
lifetime_data <- function(view) {
    if (is.null(view$lifetimes)) return(NULL)
    lives <- utils::head(view$lifetimes, 50L)
    list(cluster = I(lives$cluster - 1L), first = I(lives$first - 1L), last = I(lives$last - 1L), size = I(lives$size),
         persistence = I(round(lives$persistence, 3)), recommended = I(lives$recommended),
         support = I(round(lives$support, 3)), p_value = I(signif(lives$p_value, 2)), stage = I(lives$continuum),
         genes = I(lives$genes))
}

# sizes: cells per cluster, scale by scale; 0 for a number that no cluster of the scale has.
cluster_data <- function(view) {
    n <- max(unlist(view$clusters))
    codes <- vapply(view$clusters, function(labels) labels[view$shown], integer(length(view$shown)))
    sizes <- lapply(unname(view$clusters), function(labels) I(tabulate(labels, n)))
    list(colours = I(view$cluster_colours), sizes = sizes, codes = encoded_codes(codes))
}

# Shares of the factor's maximum at the scale, one byte each. `numbers`: the factors with values.
factor_data <- function(view) {
    chosen <- view$kept_factors
    H <- lapply(view$scales, function(t) embedding(view$path, t)[, chosen, drop = FALSE])
    tops <- lapply(H, function(h) apply(h, 2L, max))
    codes <- Map(function(h, top) {
        vapply(seq_along(chosen), function(k) quantised(h[view$shown, k], 0, top[k], 1L), integer(length(view$shown)))
    }, H, tops)
    list(numbers = I(chosen), tops = lapply(tops, function(top) I(signif(top, 5))),
         codes = packed_steps(codes))
}

# Fitted values need all factors.
fitted_data <- function(view) {
    complete <- length(view$kept_factors) == n_factors(view$path)
    if (is.null(view$fitted) || !complete) return(list(kind = "none", names = I(character()), of = 0L))
    W <- lapply(view$fitted$loadings, function(W) W[, view$kept_factors, drop = FALSE])
    c(list(kind = "fitted", names = I(view$fitted$names), of = view$fitted$of), loading_data(W))
}

# Shares of the gene's largest loading at the scale, one byte each, in the factors' order: genes, factors, scales.
loading_data <- function(loadings) {
    tops <- lapply(loadings, function(W) do.call(pmax, lapply(seq_len(ncol(W)), function(k) W[, k])))
    codes <- Map(function(W, top) as.integer(round(255 * W / pmax(top, 1e-300))), loadings, tops)
    list(tops = lapply(tops, function(top) I(signif(unname(top), 5))), codes = packed_steps(codes))
}

# Programs of each scale, as report_programs() returns. `top`: positions in `names`.
program_data <- function(view) {
    names <- unique(unlist(lapply(view$programs, `[[`, "top")))
    list(names = I(names), scales = lapply(view$programs, function(programs) {
        list(track = I(programs$track), factor = I(programs$factor), weight = I(round(programs$weight, 3)),
             supported = I(programs$supported),
             top = lapply(programs$top, function(genes) I(match(genes, names) - 1L)))
    }))
}

node_data <- function(view) {
    if (is.null(view$tree)) return(NULL)
    nodes <- view$tree$nodes
    list(place = I(nodes$x - 1L), cluster = I(as.integer(as.character(nodes$cluster)) - 1L))
}
