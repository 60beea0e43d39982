#' How many cells a scale tells apart
#'
#' The graph of a scale ties neighbouring cells together. With its Laplacian
#' `L_t`, the penalty `lambda_graph` smooths any function of the cells by
#' `S_t = (I + lambda_graph L_t)^-1`. The *effective cells* of the scale are
#' `tr(S_t^2)`: the share of the variance of noise that is left after smoothing,
#' times the number of cells. Without edges this is the number of cells, except
#' that all cells without counts together count as one. With a stronger graph it
#' falls, towards the number of connected components. It has
#' no unit and never rises towards coarser scales, so it is the axis on which
#' the scales of a default path lie.
#'
#' For up to 200 cells the value is exact. For more cells it is an estimate by
#' Lanczos quadrature with fixed probes, within 5%. It does not depend on the
#' number of threads, on the order of the cells or on the session's random
#' numbers.
#'
#' @param path A [pNMFPath-class], a Seurat object or SingleCellExperiment that
#'   contains one, or a [persistence_scales()] object.
#' @param lambda_graph The strength of the graph; `NULL` means that of the path,
#'   or that stored with scales of `thin = "effective"`.
#' @param reduction Name of the path, if the object holds several.
#' @param threads Number of threads.
#' @return One number per scale.
#' @examples
#' cells <- simulate_cells(n_cells = 120)
#' x <- normalize_counts(cells$counts)
#' path <- pnmf(x, rank = 4, control = pnmf_control(max_outer = 5, tol = 0))
#' round(effective_cells(path), 1)
#'
#' scales <- persistence_scales(simulate_circles(seed = 1), n_scales = 6)
#' round(effective_cells(scales, lambda_graph = 1), 1)
#' @export
effective_cells <- function(path, lambda_graph = NULL, reduction = NULL, threads = default_threads()) {
    threads <- assert_count(threads, "threads")
    if (!is.null(lambda_graph)) lambda_graph <- assert_number(lambda_graph, "lambda_graph", min = 0)
    if (inherits(path, "persistence_scales")) {
        scales <- path
        alpha <- if (is.null(scales$alpha)) 2 else scales$alpha
        fitted <- scales$lambda_graph
    } else {
        path <- as_path(path, reduction, also = ", or persistence_scales()")
        scales <- path@scales
        alpha <- path@parameters$alpha
        fitted <- path@parameters$lambda_graph
    }
    if (is.null(lambda_graph) && is.null(fitted)) {
        stop_pnmf("'lambda_graph' must be given for scales without a fit: it is the strength of the graph")
    }
    stored <- is.null(lambda_graph) || identical(lambda_graph, fitted)
    if (stored && !is.null(scales$effective_cells)) return(scales$effective_cells)
    effective_along(scales, if (is.null(lambda_graph)) fitted else lambda_graph,
                    effective_measure(scales, alpha, threads))
}
