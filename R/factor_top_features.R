#' List and plot the top features of each factor
#'
#' `top_features()` lists the features with the largest loadings of each factor.
#' `plot_loadings()` shows them at one scale, or follows the top features of the
#' finest chosen scale along several scales. `plot_factor_heatmap()` shows the
#' embeddings of the cells.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one.
#' @param t The scale; the default is the [active_scale()].
#' @param n Number of features per factor.
#' @param factors Factors to use; `NULL` means all, or the twelve heaviest for
#'   `plot_loadings()`, with a message.
#' @param scales For `plot_loadings()`: several scales to follow the features
#'   along; `NULL` shows scale `t` alone.
#' @param labels One label per cell. The columns of the heatmap are ordered and
#'   split by it. For an object, the name of a metadata column also works.
#' @param max_cells Maximum number of cells in the heatmap. If there are more, a
#'   seeded sample is shown.
#' @param swap_rownames Names to show instead of the feature names: a column of
#'   the object's row data, such as `"symbol"`, or one name per feature.
#' @param reduction Name of the path, if the object holds several.
#' @return `top_features()`: a data frame `t`, `factor`, `rank`, `feature`,
#'   `loading`. The plots: ggplot objects.
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 3, scales = 5, control = pnmf_control(max_outer = 5, tol = 0))
#' top_features(path, n = 3)
#' plot_loadings(path, n = 3)
#' plot_factor_heatmap(path, labels = attr(x, "circle"))
#' @export
top_features <- function(path, t = active_scale(path), n = 10, factors = NULL, swap_rownames = NULL,
                         reduction = NULL) {
    object <- path
    path <- as_path(path, reduction)
    W <- loading(path, t)
    names <- displayed_names(object, path, swap_rownames, reduction)
    n <- min(assert_count(n, "n"), nrow(W))
    factors <- if (is.null(factors)) seq_len(ncol(W)) else assert_indices(factors, "factors", ncol(W))
    rows <- lapply(factors, function(j) {
        best <- order(-W[, j], seq_len(nrow(W)))[seq_len(n)]
        data.frame(t = as.integer(t), factor = j, rank = seq_len(n), feature = names[best],
                   loading = unname(W[best, j]))
    })
    do.call(rbind, rows)
}

#' @rdname top_features
#' @export
plot_loadings <- function(path, t = active_scale(path), n = 10, factors = NULL, scales = NULL, swap_rownames = NULL,
                          reduction = NULL) {
    object <- path
    path <- as_path(path, reduction)
    names <- displayed_names(object, path, swap_rownames, reduction)
    if (!is.null(scales)) return(plot_loading_lines(path, scales, n, factors, names))
    t <- assert_count(t, "t", max = n_scales(path))
    if (is.null(factors)) factors <- readable_factors(path, t)
    top <- top_features(path, t, n, factors, names)
    top$place <- factor(paste(top$factor, top$rank), rev(paste(top$factor, top$rank)))
    top$panel <- factor(paste("factor", top$factor), unique(paste("factor", top$factor)))
    ggplot2::ggplot(top, ggplot2::aes(x = .data$loading, y = .data$place)) +
        ggplot2::geom_col(fill = okabe_ito[1], width = 0.7) +
        ggplot2::facet_wrap(~panel, scales = "free") +
        ggplot2::scale_y_discrete(labels = stats::setNames(top$feature, as.character(top$place))) +
        ggplot2::scale_x_continuous(breaks = function(range) pretty(range, 2)) +
        ggplot2::labs(x = sprintf("loading at scale %d", as.integer(t)), y = NULL) +
        pnmf_theme()
}

# The heaviest factors, in their own order: as many as have readable panels.
readable_factors <- function(path, t, max_factors = 12L) {
    rank <- n_factors(path)
    if (rank <= max_factors) return(seq_len(rank))
    inform_pnmf("showing the ", max_factors, " heaviest of ", rank, " factors: choose others with 'factors'")
    sort(order(-factor_weights(path, t))[seq_len(max_factors)])
}

plot_loading_lines <- function(path, scales, n, factors, names) {
    scales <- sort(assert_indices(scales, "scales", n_scales(path)))
    if (is.null(factors)) factors <- readable_factors(path, scales[1])
    top <- top_features(path, scales[1], n, factors, names)
    place <- match(top$feature, names)
    lines <- do.call(rbind, lapply(scales, function(t) {
        W <- loading(path, t)
        data.frame(t = t, factor = top$factor, feature = top$feature,
                   loading = W[cbind(place, top$factor)])
    }))
    lines$panel <- factor(paste("factor", lines$factor), unique(paste("factor", lines$factor)))
    ends <- lines[lines$t == max(scales), ]
    ggplot2::ggplot(lines, ggplot2::aes(x = .data$t, y = .data$loading, group = .data$feature)) +
        ggplot2::geom_line(colour = okabe_ito[1], alpha = 0.7) +
        ggplot2::geom_text(data = ends, ggplot2::aes(label = .data$feature), hjust = -0.05, size = 2.8,
                           check_overlap = TRUE) +
        ggplot2::facet_wrap(~panel, scales = "free_y") +
        ggplot2::scale_x_continuous(expand = ggplot2::expansion(mult = c(0.02, name_room(ends$feature)))) +
        ggplot2::labs(x = "scale (fine to coarse)", y = "loading") +
        pnmf_theme()
}

# Room to the right of the lines, as a share of their width: about 0.035 of the panel per character, 0.6 at most.
name_room <- function(names) {
    share <- min(0.6, 0.035 * max(nchar(names)))
    share / (1 - share)
}

#' @rdname top_features
#' @param seed Seed for the sample.
#' @export
plot_factor_heatmap <- function(path, t = active_scale(path), labels = NULL, max_cells = 1000, seed = NULL,
                                reduction = NULL) {
    object <- path
    path <- as_path(path, reduction)
    H <- embedding(path, t)
    labels <- cell_labels(labels_of(object, labels, cells = path@cell_names), nrow(H))
    shown <- shown_cells(nrow(H), assert_count(max_cells, "max_cells"), seed)
    H <- H[shown, , drop = FALSE]
    group <- if (is.null(labels)) factor(rep("cells", length(shown))) else labels[shown]
    place <- order(group, max.col(H, ties.method = "first"), -apply(H, 1L, max))
    scaled <- sweep(H, 2L, pmax(apply(H, 2L, max), 1e-300), "/")
    tiles <- data.frame(cell = rep(match(seq_along(place), place), ncol(H)), group = rep(group, ncol(H)),
                        factor = factor(rep(seq_len(ncol(H)), each = nrow(H)), rev(seq_len(ncol(H)))),
                        value = as.vector(scaled))
    plot <- ggplot2::ggplot(tiles, ggplot2::aes(x = .data$cell, y = .data$factor, fill = .data$value)) +
        ggplot2::geom_raster() +
        ggplot2::scale_fill_viridis_c(name = "share of\nmaximum", limits = c(0, 1)) +
        ggplot2::labs(x = sprintf("cells (scale %d)", as.integer(t)), y = "factor") +
        pnmf_theme() +
        ggplot2::theme(axis.text.x = ggplot2::element_blank(), axis.ticks.x = ggplot2::element_blank(),
                       panel.grid = ggplot2::element_blank(), strip.clip = "off")
    if (is.null(labels)) return(plot)
    plot + ggplot2::facet_grid(~group, scales = "free_x", space = "free_x")
}
