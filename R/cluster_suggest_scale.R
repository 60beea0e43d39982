#' Suggest a scale without labels
#'
#' Suggests the scale whose clusters [persistent_clusters()] recommends: those
#' with the largest modularity. If several scales have these clusters, the middle
#' one is suggested. This is a heuristic, not a test. Look at the evidence and at
#' neighbouring scales before you rely on it.
#'
#' @inheritParams subset_cells
#' @param k Number of clusters; `NULL` means the recommended number.
#' @param ... Not used.
#' @return An object of class `scale_suggestion`, a list with `t`, the suggested
#'   scale (`NA` if none stands out); `k`, the recommended or given
#'   number of clusters (see `evidence` if no scale has just that many); `n_scales`,
#'   the number of scales of the path; and `evidence`, a data frame with one row
#'   per scale: `t`, `threshold`, `components` (of the scale's graph),
#'   `effective_cells` (`NA` where scales are not spread by them), `clusters`,
#'   `modularity` (of its clusters), `suggested`. It has a `print()` method, and
#'   `plot()` draws the evidence.
#' @seealso [persistent_clusters()], [suggest_rank()]
#' @examples
#' cells <- simulate_cells(seed = 1)
#' path <- pnmf(normalize_counts(cells$counts), rank = 6)
#' suggestion <- suggest_scale(path)
#' suggestion
#' plot(suggestion)
#' suggest_scale(path, k = 6)$t
#' @export
suggest_scale <- function(path, k = NULL, reduction = NULL, ...) {
    assert_no_dots(...)
    path <- as_path(path, reduction)
    assert_no_reference(path, "path")
    found <- persistent_clusters(path)
    if (!is.null(k)) {
        k <- assert_count(k, "k", min = 2)
        labels_of_level(found, k)
    }
    t <- if (is.null(k)) found$flat_scale else scale_of_level(found, k)
    evidence <- data.frame(
        t = seq_along(found$k), threshold = found$threshold, components = path@scales$betti0,
        effective_cells = if (is.null(path@scales$effective_cells)) NA_real_ else path@scales$effective_cells,
        clusters = found$k, modularity = found$modularity,
        suggested = !is.na(t) & seq_along(found$k) == t
    )
    structure(list(t = t, k = if (is.null(k)) found$flat_k else k, n_scales = n_scales(path), evidence = evidence,
                   resolution = if (!is.na(t)) scale_resolution(path@scales, t)),
              class = "scale_suggestion")
}

# The middle one of the scales with k clusters, otherwise the one with the nearest number.
scale_of_level <- function(found, k) {
    off <- abs(log(found$k / k))
    same <- which(off == min(off))
    same[(length(same) + 1L) %/% 2L]
}

#' @rdname suggest_scale
#' @param x A `scale_suggestion`.
#' @export
print.scale_suggestion <- function(x, ...) {
    if (is.na(x$t)) {
        writeLines(c("no scale stands out: the cells show no structure, see persistent_clusters()"))
        return(invisible(x))
    }
    chosen <- x$evidence[x$evidence$suggested, ]
    writeLines(c(
        sprintf("suggested scale: %d of %d (threshold %s, %s)", x$t, x$n_scales,
                format(chosen$threshold, digits = 4), x$resolution),
        sprintf("its %d clusters have a modularity of %.2f", chosen$clusters, chosen$modularity),
        if (chosen$clusters != x$k) {
            sprintf("no scale has %d clusters; cut(persistent_clusters(path), k = %d) does", x$k, x$k)
        },
        "a heuristic: look at plot(x), x$evidence and neighbouring scales"
    ))
    invisible(x)
}
