#' Plot the embeddings of a path side by side
#'
#' Draws one panel per scale. Two factors are shown directly. For higher ranks,
#' one UMAP is computed from all scales shown, so that the panels are comparable.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one.
#' @param scales Scales to show; `NULL` means nine evenly spaced scales.
#' @param labels One label per cell for the colours, or `NULL`. For an object,
#'   the name of a metadata column also works.
#' @param factors Two factors to show directly, for any rank.
#' @param max_cells Maximum number of cells. If there are more, a seeded sample
#'   is shown, and the caption says so.
#' @param seed Seed for the UMAP and the sample.
#' @param reduction Name of the path, if the object holds several.
#' @return A ggplot object.
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 2, lambda_graph = 100, lambda_smooth = 100, scales = 9,
#'              control = pnmf_control(max_outer = 20, tol = 0))
#' plot_path(path, labels = attr(x, "circle"))
#' @export
plot_path <- function(path, scales = NULL, labels = NULL, factors = NULL, max_cells = 5000, seed = NULL,
                      reduction = NULL) {
    object <- path
    path <- as_path(path, reduction)
    labels <- labels_of(object, labels, cells = path@cell_names)
    if (is.null(scales)) scales <- evenly_spaced(n_scales(path), 9L)
    scales <- assert_indices(scales, "scales", n_scales(path))
    max_cells <- assert_count(max_cells, "max_cells")
    labels <- cell_labels(labels, dim(path)[2])
    shown <- shown_cells(dim(path)[2], max_cells, seed)
    points <- path_coordinates(path, scales, factors, shown, seed)
    points$label <- if (is.null(labels)) factor("cells") else labels[shown][points$cell]
    n <- length(shown)
    plot <- ggplot2::ggplot(points, ggplot2::aes(x = .data$x, y = .data$y, colour = .data$label)) +
        ggplot2::geom_point(size = point_size(n), alpha = point_alpha(n)) +
        ggplot2::facet_wrap(~panel, scales = "fixed") +
        ggplot2::scale_colour_manual(values = group_colours(nlevels(points$label)), name = NULL) +
        ggplot2::labs(x = attr(points, "axes")[1], y = attr(points, "axes")[2],
                      caption = if (n < dim(path)[2]) sprintf("%d of %d cells shown", n, dim(path)[2])) +
        ggplot2::guides(colour = ggplot2::guide_legend(override.aes = list(size = 2, alpha = 1))) +
        pnmf_theme()
    if (is.null(labels)) plot + ggplot2::theme(legend.position = "none") else plot
}

shown_cells <- function(n, max_cells, seed) {
    if (n <= max_cells) return(seq_len(n))
    sort(with_random_state(assert_seed(seed), sample.int(n, max_cells)))
}

# One row per shown cell and scale: cell, panel, x, y; the names of the axes as an attribute.
path_coordinates <- function(path, scales, factors, shown, seed) {
    if (!is.null(factors)) {
        factors <- assert_indices(factors, "factors", n_factors(path))
        if (length(factors) != 2L) stop_pnmf("'factors' must be two factors, not ", length(factors))
    } else if (n_factors(path) <= 2L) {
        factors <- rep_len(seq_len(n_factors(path)), 2L)
    }
    H <- lapply(scales, function(t) embedding(path, t)[shown, , drop = FALSE])
    axes <- if (is.null(factors)) c("UMAP 1", "UMAP 2") else paste("factor", factors)
    H <- if (is.null(factors)) aligned_umap(H, seed) else lapply(H, function(h) h[, factors, drop = FALSE])
    rows <- Map(function(h, t) {
        data.frame(cell = seq_along(shown), t = t, x = h[, 1], y = h[, 2])
    }, H, scales)
    points <- do.call(rbind, rows)
    points$panel <- factor(scale_titles(path, points$t), scale_titles(path, scales))
    structure(points, axes = axes)
}

scale_titles <- function(path, scales) {
    components <- path@scales$betti0[scales]
    sprintf("scale %d (%d %s)", scales, components, ifelse(components == 1, "component", "components"))
}

# Maximum number of points in a UMAP; with more, the UMAP takes minutes while the fit takes seconds.
max_umap_points <- 1500L

# One map for all scales: every embedding is divided by its own spread, and all are stacked and mapped together. If
# there are many points, only landmarks are mapped (some cells at three scales), and the others are placed between their
# nearest landmarks.
aligned_umap <- function(embeddings, seed) {
    if (!requireNamespace("uwot", quietly = TRUE)) {
        stop_pnmf("a map of more than two factors needs the package uwot: install it first, or choose two 'factors'")
    }
    seed <- assert_seed(seed)
    embeddings <- lapply(embeddings, unit_spread)
    n <- nrow(embeddings[[1]])
    if (n * length(embeddings) <= max_umap_points) {
        map <- joint_umap(do.call(rbind, embeddings), length(embeddings), seed)
        return(lapply(seq_along(embeddings), function(k) map[(k - 1L) * n + seq_len(n), , drop = FALSE]))
    }
    anchors <- evenly_spaced(length(embeddings), 3L)
    cells <- shown_cells(n, max_umap_points %/% length(anchors), seed)
    landmarks <- do.call(rbind, lapply(embeddings[anchors], function(h) h[cells, , drop = FALSE]))
    step <- progress_steps("placing cells", 1L + length(embeddings), at_once = TRUE)
    map <- step(joint_umap(landmarks, length(anchors), seed))
    lapply(embeddings, function(h) step(placed_between(h, landmarks = landmarks, map = map)))
}

joint_umap <- function(stacked, n_scales, seed) {
    neighbors <- max(2L, min(15L * n_scales, nrow(stacked) - 1L, 60L))
    with_random_state(seed, {
        uwot::umap(stacked, n_neighbors = neighbors, n_threads = 1, n_sgd_threads = 0, init = "pca", verbose = FALSE)
    })
}

# Mean position of the three nearest landmarks, weighted by 1 / distance^2; a landmark keeps its own position.
placed_between <- function(points, landmarks, map, k = 3L) {
    blocks <- split(seq_len(nrow(points)), (seq_len(nrow(points)) - 1L) %/% 500L)
    doubled <- t(2 * landmarks)
    size <- rowSums(landmarks^2)
    placed <- lapply(blocks, function(rows) {
        own <- points[rows, , drop = FALSE]
        # |p - l|^2 = |p|^2 - (2 p l - |l|^2): the nearest landmark has the largest closeness 2 p l - |l|^2.
        closeness <- own %*% doubled - rep(size, each = length(rows))
        norm <- rowSums(own^2)
        weighted <- matrix(0, length(rows), 2L)
        total <- numeric(length(rows))
        for (i in seq_len(min(k, nrow(landmarks)))) {
            nearest <- max.col(closeness, ties.method = "first")
            entry <- cbind(seq_along(rows), nearest)
            weight <- 1 / (pmax(norm - closeness[entry], 0) + 1e-12)
            weighted <- weighted + weight * map[nearest, , drop = FALSE]
            total <- total + weight
            closeness[entry] <- -Inf
        }
        weighted / total
    })
    do.call(rbind, unname(placed))
}

unit_spread <- function(h) h / max(sqrt(mean(rowSums(h^2))), 1e-300)
