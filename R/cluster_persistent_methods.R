# Below this, print() says that tests have little power, and program_stability() warns.
few_cells <- 50L

#' @rdname persistent_clusters
#' @export
print.persistent_clusters <- function(x, ...) {
    n <- length(x$kept)
    writeLines(c(
        sprintf("persistent_clusters: %d cells, %d scale%s", n, length(x$k), if (length(x$k) == 1L) "" else "s"),
        sprintf("clusters per scale: %s", abbreviated(x$k)),
        if (is.na(x$flat_scale)) {
            "no structure found: one cluster"
        } else {
            c(sprintf("recommended: scale %d, %d clusters of %s cells", x$flat_scale, x$flat_k,
                      abbreviated(tabulate(x$flat))),
              support_lines(x))
        },
        if (n < few_cells) sprintf("fewer than %d cells: only very clear splits pass the test", few_cells),
        "use: x$flat, x$clusters, x$tree, cut(x, k = ), plot(x)"
    ))
    invisible(x)
}

support_lines <- function(x) {
    recommended <- x$tree[x$tree$cluster %in% x$flat, , drop = FALSE]
    if (all(is.na(recommended$p_value))) return("splits not tested: support = TRUE tests them")
    cuts <- sum(recommended$continuum, na.rm = TRUE)
    c(sprintf("found again when half of the cells are left out (support): %s",
              abbreviated(sprintf("%.2f", recommended$support))),
      if (cuts > 0L) {
          sprintf("%d of them %s cut out of a continuum: stages rather than islands", cuts,
                  if (cuts == 1L) "is" else "are")
      },
      if (x$supported_k == 1L) {
          sprintf("no split is a gap (p_value at most %s)", significance)
      } else {
          sprintf("with only the splits that are gaps (p_value at most %s): %d clusters, x$supported", significance,
                  x$supported_k)
      })
}

#' @rdname persistent_clusters
#' @param object A [persistent_clusters()] result.
#' @export
summary.persistent_clusters <- function(object, ...) { # nolint: object_name_linter.
    assert_no_dots(...)
    recommended <- !is.na(object$flat_scale) & object$tree$cluster %in% object$flat
    object$tree[recommended, c("cluster", "size", "support", "p_value", "continuum")]
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
cut.persistent_clusters <- function(x, ..., t = NULL, k = NULL) {
    if (...length() > 0L && !nzchar(first_name(...))) {
        stop_pnmf("unknown argument (unnamed): use k = ", describe(..1), " for a number of clusters, or t = ",
                  describe(..1), " for a scale")
    }
    assert_no_dots(...)
    if (is.null(t) == is.null(k)) stop_pnmf("give either 't' (a scale) or 'k' (a number of clusters)")
    labels <- if (is.null(k)) {
        x$clusters[[assert_count(t, "t", max = ncol(x$clusters))]]
    } else {
        labels_of_level(x, assert_count(k, "k"))
    }
    stats::setNames(labels, rownames(x$clusters))
}

labels_of_level <- function(x, k) {
    max_k <- ncol(x$members)
    if (k > max_k) stop_pnmf("'k' must be at most ", max_k, ", the largest number of clusters in the tree, not ", k)
    values_of_cells(x$members[, max_k + 1L - k], x$kept, nrow(x$clusters))
}
