# Plots of the genes and cells of factors.

#' Plot the features and the cells of each factor
#'
#' `plot_loadings()` shows the features with the largest loadings of each factor
#' at one scale, or follows those of the finest chosen scale along several
#' scales. `plot_factor_heatmap()` shows the embeddings of the cells.
#'
#' @inheritParams subset_cells
#' @inheritParams factor_markers
#' @param n Number of features per factor.
#' @param factors Factors to use; `NULL` means all, or the twelve heaviest for
#'   `plot_loadings()`, with a message.
#' @param at For `plot_loadings()`: several scales to follow the features
#'   along; `NULL` shows scale `t` alone.
#' @param labels One label per cell. The columns of the heatmap are ordered and
#'   split by it. For an object, the name of a metadata column also works.
#' @param max_cells Maximum number of cells in the heatmap. If there are more, a
#'   seeded sample is shown.
#' @return A ggplot object.
#' @seealso [factor_markers()] for the features as a table
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 3, scales = 5, control = pnmf_control(max_outer = 5, tol = 0))
#' plot_loadings(path, n = 3)
#' plot_factor_heatmap(path, labels = attr(x, "circle"))
#' @export
plot_loadings <- function(path, t = NULL, n = 10, factors = NULL, at = NULL, swap_rownames = NULL, reduction = NULL,
                          ...) {
    object <- path
    path <- as_path(path, reduction)
    names <- displayed_names(object, path, swap_rownames, reduction)
    at <- several_scales(at, ...)
    if (!is.null(at)) return(plot_loading_lines(path, at, n, factors, names))
    t <- chosen_scale(t, path)
    if (is.null(factors)) factors <- readable_factors(path, t)
    top <- loading_rows(path, t, assert_count(n, "n"), chosen_factors(factors, path), names)
    top$place <- factor(paste(top$factor, top$rank), rev(paste(top$factor, top$rank)))
    top$panel <- factor(paste("factor", top$factor), unique(paste("factor", top$factor)))
    ggplot2::ggplot(top, ggplot2::aes(x = .data$loading, y = .data$place)) +
        ggplot2::geom_col(fill = okabe_ito[1], width = 0.7) +
        ggplot2::facet_wrap(~panel, scales = "free") +
        ggplot2::scale_y_discrete(labels = stats::setNames(top$feature, as.character(top$place))) +
        ggplot2::scale_x_continuous(breaks = zero_and_round) +
        ggplot2::labs(x = sprintf("loading at scale %d", t), y = NULL) +
        pnmf_theme()
}

# The heaviest factors, in their own order: as many as have readable panels.
readable_factors <- function(path, t, max_factors = 12L) {
    rank <- n_factors(path)
    if (rank <= max_factors) return(seq_len(rank))
    inform_pnmf("showing the ", max_factors, " heaviest of ", rank, " factors: choose others with 'factors'")
    sort(order(-factor_weights(path, t))[seq_len(max_factors)])
}

# 0 and the largest number with one digit: narrow panels have no room for more.
zero_and_round <- function(range) {
    step <- 10^floor(log10(max(range, 1e-300)))
    c(0, step * floor(max(range) / step + 1e-9))
}

plot_loading_lines <- function(path, at, n, factors, names) {
    scales <- sort(assert_indices(at, "at", n_scales(path)))
    if (is.null(factors)) factors <- readable_factors(path, scales[1])
    top <- loading_rows(path, scales[1], assert_count(n, "n"), chosen_factors(factors, path), names)
    place <- match(top$feature, names)
    # The same program may have another number at another scale.
    numbers <- factor_numbers(path, scales)
    lines <- do.call(rbind, lapply(seq_along(scales), function(i) {
        W <- loading(path, scales[i])
        data.frame(t = scales[i], factor = top$factor, feature = top$feature,
                   loading = W[cbind(place, numbers[top$factor, i])])
    }))
    lines$panel <- factor(paste("factor", lines$factor), unique(paste("factor", lines$factor)))
    ends <- lines[lines$t == max(scales), ]
    ggplot2::ggplot(lines, ggplot2::aes(x = .data$t, y = .data$loading, group = .data$feature)) +
        ggplot2::geom_line(colour = okabe_ito[1], alpha = 0.7) +
        ggplot2::geom_text(data = ends, ggplot2::aes(label = .data$feature), hjust = -0.05, size = 2.8,
                           check_overlap = TRUE) +
        ggplot2::facet_wrap(~panel, scales = "free_y") +
        ggplot2::scale_x_continuous(breaks = scales[evenly_spaced(length(scales), 6L)],
                                    expand = ggplot2::expansion(mult = c(0.02, name_room(ends$feature)))) +
        ggplot2::labs(x = "scale (fine to coarse)", y = "loading") +
        pnmf_theme()
}

# Room to the right of the lines, as a share of their width: about 0.035 of the panel per character, 0.6 at most.
name_room <- function(names) {
    share <- min(0.6, 0.035 * max(nchar(names)))
    share / (1 - share)
}

#' @rdname plot_loadings
#' @param seed Seed for the sample.
#' @param stability `NULL`, or a [program_stability()] result: the heatmap shows
#'   programs that it does not support last and in brackets.
#' @export
plot_factor_heatmap <- function(path, t = NULL, labels = NULL, max_cells = 1000, seed = NULL,
                                stability = NULL, reduction = NULL, ...) {
    assert_no_dots(...)
    object <- path
    path <- as_path(path, reduction)
    t <- chosen_scale(t, path)
    H <- embedding(path, t)
    unsupported <- known_support(stability, seq_len(ncol(H)), t, ncol(H)) %in% FALSE
    rows <- rev(order(unsupported)) # from bottom to top
    labels <- shown_labels(labels_of(object, labels, cells = path@cell_names), nrow(H))
    shown <- shown_cells(nrow(H), assert_count(max_cells, "max_cells"), seed)
    H <- H[shown, , drop = FALSE]
    group <- if (is.null(labels)) factor(rep("cells", length(shown))) else labels[shown]
    place <- order(group, max.col(H, ties.method = "first"), -apply(H, 1L, max))
    scaled <- sweep(H, 2L, pmax(apply(H, 2L, max), 1e-300), "/")
    tiles <- data.frame(cell = rep(match(seq_along(place), place), ncol(H)), group = rep(group, ncol(H)),
                        factor = factor(rep(seq_len(ncol(H)), each = nrow(H)), rows),
                        value = as.vector(scaled))
    plot <- ggplot2::ggplot(tiles, ggplot2::aes(x = .data$cell, y = .data$factor, fill = .data$value)) +
        ggplot2::geom_raster() +
        ggplot2::scale_fill_viridis_c(name = "share of\nmaximum", limits = c(0, 1)) +
        ggplot2::labs(x = sprintf("cells (scale %d)", t), y = "factor",
                      caption = if (any(unsupported)) "in brackets: programs without genes of their own") +
        ggplot2::scale_y_discrete(labels = function(j) ifelse(unsupported[as.integer(j)], paste0("(", j, ")"), j)) +
        pnmf_theme() +
        ggplot2::theme(axis.text.x = ggplot2::element_blank(), axis.ticks.x = ggplot2::element_blank(),
                       panel.grid = ggplot2::element_blank(), strip.clip = "off")
    if (is.null(labels)) return(plot)
    plot <- plot + ggplot2::facet_grid(~group, scales = "free_x", space = "free_x")
    if (names_fit(group)) return(plot)
    plot + ggplot2::theme(strip.text.x = ggplot2::element_text(angle = 90, hjust = 0),
                          strip.background = ggplot2::element_blank())
}

# Whether the name of each group fits above its share of a figure 7 inches wide, about 80 letters.
names_fit <- function(group) all(nchar(levels(group)) <= 80 * tabulate(group, nlevels(group)) / length(group))

# Three or so whole numbers above 0: more sizes of points cannot be told apart.
whole_steps <- function(limits) setdiff(unique(round(pretty(limits, n = 3))), 0)

#' @rdname factor_enrichment
#' @param top Sets per factor in the plot, those with the smallest p-values.
#' @param max_p Sets above this adjusted p-value are left out of the plot.
#' @export
plot.factor_enrichment <- function(x, top = 3, max_p = 0.05, ...) {
    top <- assert_count(top, "top")
    max_p <- assert_number(max_p, "max_p", min = 0, max = 1)
    table <- as.data.frame(x)
    best <- unique(table$set[table$p_adjusted <= max_p &
                                 stats::ave(table$p, table$factor, FUN = rank) <= top])
    if (length(best) == 0L) {
        stop_pnmf("'max_p' must leave a set to draw, but the smallest adjusted p-value is ",
                  format(min(table$p_adjusted), digits = 3))
    }
    table <- table[table$set %in% best & table$p_adjusted <= max_p, ]
    first <- vapply(best, function(set) min(table$factor[table$set == set]), numeric(1))
    table$set <- factor(table$set, rev(best[order(first)]))
    # Smaller p-values say nothing more, and would make all other points pale.
    table$evidence <- pmin(-log10(pmax(table$p_adjusted, 1e-300)), 20)
    size <- if ("overlap" %in% names(table)) "overlap" else "size"
    title <- if (size == "overlap") "genes in\ncommon" else "genes in\nthe set"
    ggplot2::ggplot(table, ggplot2::aes(x = factor(.data$factor), y = .data$set)) +
        ggplot2::geom_point(ggplot2::aes(size = .data[[size]], colour = .data$evidence)) +
        ggplot2::scale_colour_viridis_c(name = "-log10\nadjusted p\n(20 or more\nas 20)", end = 0.9, direction = -1,
                                        limits = c(0, max(1, table$evidence))) +
        ggplot2::scale_size_area(max_size = 6, name = title, limits = c(0, NA), breaks = whole_steps) +
        ggplot2::labs(x = "factor", y = NULL, title = sprintf("Gene sets of the factors at scale %d", x$t[1])) +
        pnmf_theme()
}
