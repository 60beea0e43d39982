#' Compute the smallest Laplacian eigenvalues along the scales
#'
#' Returns the smallest eigenvalues of the graph Laplacian at every scale. Zero
#' appears once per connected component. On the canonical scales of all pairs,
#' no eigenvalue falls from one scale to the next.
#'
#' @inheritParams laplacian_lipschitz
#' @param k Number of smallest eigenvalues per scale; `NULL` means all.
#' @param t Which scales; `NULL` means all.
#' @return A data frame with `t`, `index` (1 is the smallest) and `eigenvalue`.
#' @seealso [plot()][plot.eigenvalue_paths], [laplacian_spectrum()]
#' @examples
#' scales <- persistence_scales(simulate_circles(seed = 1))
#' paths <- eigenvalue_paths(scales, k = 5, t = 75:80)
#' xtabs(eigenvalue ~ index + t, paths)
#' @export
eigenvalue_paths <- function(scales, k = 10, t = NULL, alpha = NULL) {
    scales <- as_scales(scales)
    alpha <- graph_decay(scales, alpha)
    k <- if (is.null(k)) scales$n_cells else assert_count(k, "k", max = scales$n_cells)
    t <- if (is.null(t)) seq_along(scales$threshold) else assert_indices(t, "t", length(scales$threshold))
    eigenvalues <- lapply(t, function(s) {
        # One zero per component: nothing to compute while there are k components.
        if (scales$betti0[s] >= k) numeric(k) else laplacian_spectrum(scales, s, k, alpha)
    })
    paths <- data.frame(t = rep(t, each = k), index = rep(seq_len(k), length(t)), eigenvalue = unlist(eigenvalues))
    class(paths) <- c("eigenvalue_paths", "data.frame")
    paths
}
