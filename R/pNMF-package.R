#' pNMF: embeddings of single-cell data at every scale
#'
#' Persistent nonnegative matrix factorisation factorises a nonnegative matrix
#' (features x cells) at a whole sequence of scales. Zero-dimensional
#' persistent homology of the cells gives the scales, each scale gives a graph,
#' and one coupled factorisation gives a path of embeddings from fine to coarse.
#'
#' @section Map of the package:
#' * Scales and graphs: [persistence_scales()], [scale_graph()], [laplacian()],
#'   [laplacian_spectrum()].
#' * The fit: [pnmf()], [pnmf_control()], [nndsvda()], and the result
#'   [pNMFPath-class] with [embedding()], [loading()], [thresholds()],
#'   [objective()], [converged()].
#' * Data: [normalize_counts()], [simulate_circles()].
#'
#' @references Zhang, Miao, Li: Persistent Nonnegative Matrix Factorization via
#' Multi-Scale Graph Regularization.
#'
#' @keywords internal
#' @useDynLib pNMF, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom RcppParallel RcppParallelLibs
#' @import methods
#' @importFrom stats predict fitted residuals
#' @importFrom ggplot2 .data
"_PACKAGE"
