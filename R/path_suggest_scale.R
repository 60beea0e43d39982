#' Suggest a scale without knowing labels
#'
#' A heuristic, not a test. Clusters the cells at (a sample of) the scales and
#' suggests the scale whose clusters agree best with those of all other scales:
#' the most central view of the path. Structure that is an accident of one scale
#' finds no echo at others; structure that persists does. Look at the evidence,
#' and at neighbouring scales, before relying on it.
#'
#' Agreement is the mean adjusted Rand index with the other scales looked at,
#' averaged over the numbers of clusters `k`. Scales within 0.01 of the best
#' agreement count as equally good; the suggestion is the middle of the longest
#' run of them.
#'
#' On four labelled data sets (yan, biase, Villani's dendritic cells, dendritic
#' progenitors) the suggested scale scored within 0.002 of the finest one or
#' better, and within 0.035 of the best of all. The rule was chosen on these data,
#' so expect less elsewhere. Two measures that look as natural did worse and are
#' shown as evidence only: agreement with the neighbouring scales, which is high
#' wherever little happens, and the separation of the clusters, which is highest
#' where the graph has pulled the cells together, whether or not they belong
#' together.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   with one inside.
#' @param k Number of clusters, or several to average over; `NULL` for 2 to 10.
#' @param max_scales The most scales to look at, evenly spread over the path, the
#'   first and the last included.
#' @param n_start,seed,normalize,BPPARAM As in [path_clusters()].
#' @param reduction The path's name, where an object holds several.
#' @return An object of class `scale_suggestion`, a list with `t`, the suggested
#'   scale; `k`; `n_scales` of the path; and `evidence`, a data frame with one
#'   row per scale looked at: `t`, `threshold`, `components` (of the scale's
#'   graph), `agreement` (what is maximised), `neighbours` (agreement with the
#'   scales next to it), `separation` (mean over the cells of `1 - a / b`, where
#'   `a` is the distance to the own and `b` that to the nearest other cluster
#'   centre), `suggested`. It prints, and `plot()` draws the evidence.
#' @seealso [path_clusters()], [cluster_stability()], [suggest_rank()]
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 8,
#'              control = pnmf_control(max_outer = 5, tol = 0))
#' suggestion <- suggest_scale(path, k = 4, n_start = 5)
#' suggestion
#' suggestion$evidence
#' plot(suggestion)
#' head(embedding(path, suggestion$t))
#' @export
suggest_scale <- function(path, k = NULL, max_scales = 40, n_start = 50, seed = NULL, normalize = FALSE,
                          BPPARAM = NULL, reduction = NULL) {
    path <- as_path(path, reduction)
    k <- assert_cluster_numbers(k, dim(path)[2])
    scales <- evenly_spaced(n_scales(path), assert_count(max_scales, "max_scales", min = 2))
    settings <- clustering_settings(1L, "kmeans", normalize, n_start, seed, 10, 1)
    tasks <- lapply(scales, function(t) embedding(path, t))
    views <- run_independent(tasks, cluster_view, BPPARAM, k = k, settings = settings)
    evidence <- scale_evidence(path, scales, views)
    structure(
        list(t = evidence$t[evidence$suggested], evidence = evidence, k = k, n_scales = n_scales(path)),
        class = "scale_suggestion"
    )
}

# Labels (cells x numbers of clusters) of one embedding, and how well apart the clusters are. Where fewer cells are
# distinct than clusters were asked for, each distinct cell is its own cluster.
cluster_view <- function(x, k, settings) {
    available <- max(distinct_rows(x, max(k) + 1L))
    fits <- lapply(pmin(k, available), function(clusters) {
        settings$k <- clusters
        cluster_cells(x, settings, "this scale")
    })
    list(
        labels = vapply(fits, as.integer, integer(nrow(x))),
        separation = mean(vapply(fits, cluster_separation, numeric(1), x = x))
    )
}

cluster_separation <- function(x, labels) {
    size <- tabulate(labels)
    if (length(size) < 2L) return(0)
    centers <- rowsum(x, as.integer(labels)) / size
    columns <- t(x)
    distance <- vapply(seq_along(size), function(g) sqrt(colSums((columns - centers[g, ])^2)), numeric(nrow(x)))
    cells <- cbind(seq_len(nrow(x)), labels)
    own <- distance[cells]
    distance[cells] <- Inf
    other <- distance[cbind(seq_len(nrow(x)), max.col(-distance, ties.method = "first"))]
    mean(ifelse(other > 0, 1 - own / other, 0))
}

scale_evidence <- function(path, scales, views) {
    n_k <- ncol(views[[1]]$labels)
    each <- lapply(seq_len(n_k), function(j) agreement_matrix(lapply(views, function(v) v$labels[, j])))
    agreement <- Reduce(`+`, each) / n_k
    data.frame(
        t = scales, threshold = thresholds(path)[scales], components = path@scales$betti0[scales],
        agreement = mean_agreement(agreement),
        neighbours = neighbour_agreement(agreement),
        separation = vapply(views, `[[`, numeric(1), "separation"),
        suggested = seq_along(scales) == middle_of_best(mean_agreement(agreement))
    )
}

# Adjusted Rand index of every pair of labellings. Equal clusters have equal labels, so each distinct labelling is
# compared once.
agreement_matrix <- function(labellings) {
    code <- match(labellings, unique(labellings))
    distinct <- unique(labellings)
    n <- length(distinct)
    between <- diag(1, n)
    for (i in seq_len(n - 1L)) for (j in seq.int(i + 1L, n)) {
        between[i, j] <- adjusted_rand_index(contingency_table(distinct[[i]], distinct[[j]]))
        between[j, i] <- between[i, j]
    }
    between[code, code, drop = FALSE]
}

mean_agreement <- function(agreement) {
    n <- nrow(agreement)
    if (n == 1L) return(1)
    (rowSums(agreement) - 1) / (n - 1)
}

neighbour_agreement <- function(agreement) {
    n <- nrow(agreement)
    if (n == 1L) return(1)
    steps <- agreement[cbind(seq_len(n - 1L), seq.int(2L, n))]
    rowMeans(cbind(c(NA, steps), c(steps, NA)), na.rm = TRUE)
}

# Middle (the finer of two) of the longest run of values as good as the best, the first of equally long ones.
middle_of_best <- function(value, tolerance = 0.01) {
    runs <- rle(value >= max(value) - tolerance)
    ends <- cumsum(runs$lengths)
    longest <- which.max(ifelse(runs$values, runs$lengths, 0L))
    as.integer(ends[longest] - runs$lengths[longest] + (runs$lengths[longest] + 1L) %/% 2L)
}

#' @rdname suggest_scale
#' @param x A `scale_suggestion`.
#' @param ... Not used.
#' @export
print.scale_suggestion <- function(x, ...) {
    chosen <- x$evidence[x$evidence$suggested, ]
    k <- if (length(x$k) == 1L) x$k else paste0(min(x$k), " to ", max(x$k))
    writeLines(c(
        sprintf("suggested scale: %d of %d (threshold %s, %d components)", x$t, x$n_scales,
                format(chosen$threshold, digits = 4), chosen$components),
        sprintf("agreement of its %s clusters with %d other scales: %.3f (all scales: %.3f to %.3f)", k,
                nrow(x$evidence) - 1L, chosen$agreement, min(x$evidence$agreement), max(x$evidence$agreement)),
        "a heuristic: look at plot(x), x$evidence and neighbouring scales"
    ))
    invisible(x)
}

#' @rdname suggest_scale
#' @export
plot.scale_suggestion <- function(x, ...) {
    measures <- c(agreement = "agreement with all scales (maximised)", neighbours = "agreement with neighbours",
                  separation = "separation of clusters")
    long <- do.call(rbind, lapply(names(measures), function(m) {
        data.frame(t = x$evidence$t, value = x$evidence[[m]], measure = measures[[m]])
    }))
    long$measure <- factor(long$measure, levels = measures)
    ggplot2::ggplot(long, ggplot2::aes(x = .data$t, y = .data$value, colour = .data$measure)) +
        ggplot2::geom_vline(xintercept = x$t, linetype = "dashed", colour = "grey40") +
        ggplot2::geom_line(ggplot2::aes(linewidth = .data$measure)) +
        ggplot2::geom_point(size = 1.2) +
        ggplot2::scale_linewidth_manual(values = c(1, 0.5, 0.5), name = NULL) +
        ggplot2::scale_colour_manual(values = c("#0072B2", "#E69F00", "#999999"), name = NULL) +
        ggplot2::labs(x = "scale (fine to coarse)", y = NULL, title = sprintf("Suggested scale: %d", x$t),
                      subtitle = "a heuristic; the dashed line is the suggestion") +
        ggplot2::theme_minimal(base_size = 11) +
        ggplot2::theme(legend.position = "bottom", legend.direction = "vertical",
                       panel.grid.minor = ggplot2::element_blank())
}
