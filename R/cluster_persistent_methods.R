#' @rdname persistent_clusters
#' @param x A `persistent_clusters` object.
#' @export
print.persistent_clusters <- function(x, ...) {
    n <- nrow(x$clusters)
    writeLines(c(
        sprintf("persistent_clusters: %d cells, %d scale%s", n, length(x$k), if (length(x$k) == 1L) "" else "s"),
        sprintf("clusters per scale: %s", abbreviated(x$k)),
        if (x$flat_k == 1L) {
            "no structure found: one cluster"
        } else {
            c(sprintf("recommended: %d clusters (scale %d), of %s cells", x$flat_k, x$flat_scale,
                      abbreviated(sort(tabulate(x$flat), decreasing = TRUE))),
              sprintf("mean silhouette: %.2f", x$levels$silhouette[x$levels$k == x$flat_k]))
        },
        "use: x$flat, x$clusters, x$tree, cut(x, k = ), plot(x)"
    ))
    invisible(x)
}

#' @rdname persistent_clusters
#' @param row.names,optional As in [as.data.frame()].
#' @export
# nolint start: object_name_linter.
as.data.frame.persistent_clusters <- function(x, row.names = NULL, optional = FALSE, ...) {
    # nolint end
    as.data.frame(x$tree, row.names = row.names, optional = optional)
}

#' @rdname persistent_clusters
#' @param t The scale at which to cut.
#' @param k The number of clusters to cut into, instead of `t`.
#' @export
cut.persistent_clusters <- function(x, t = NULL, k = NULL, ...) {
    assert_no_dots(...)
    if (is.null(t) == is.null(k)) stop_pnmf("give either 't' (a scale) or 'k' (a number of clusters)")
    if (is.null(k)) {
        labels <- x$clusters[[assert_count(t, "t", max = ncol(x$clusters))]]
    } else {
        k <- assert_count(k, "k")
        labels <- labels_of_level(x, k)
    }
    labels <- by_size(labels)
    names(labels) <- rownames(x$clusters)
    labels
}

labels_of_level <- function(x, k) {
    max_k <- max(x$levels$k)
    if (k > max_k) stop_pnmf("'k' must be at most ", max_k, ", the number of clusters at the finest scale, not ", k)
    x$members[x$leaf, max_k + 1L - k]
}
