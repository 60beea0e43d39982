#' pNMF: embeddings of single-cell data at every scale
#'
#' pNMF factorises a nonnegative matrix (features x cells) at a sequence of
#' scales, not at a single one. Zero-dimensional persistent homology of the cells
#' gives the scales, each scale gives a graph, and one coupled factorisation
#' gives a path of embeddings from fine to coarse.
#'
#' @section Map of the package:
#' * Scales and graphs: [persistence_scales()], [scale_graph()], [laplacian()],
#'   [laplacian_spectrum()].
#' * The fit: [pnmf()], [pnmf_control()], [nndsvda()], and the result
#'   [pNMFPath-class] with [embedding()], [loading()], [thresholds()],
#'   [objective()], [converged()], [predict()][path-prediction],
#'   [subset_cells()].
#' * Clusters along the path: [persistent_clusters()], [path_clusters()],
#'   [score_path()], [cluster_scores()], [cluster_tree()],
#'   [suggest_scale()], [suggest_rank()].
#' * Gene programs: [factor_markers()], [factor_tracks()],
#'   [factor_enrichment()].
#' * An interactive page: [path_report()], [explore_path()].
#' * Baselines: [fit_nmf()], [fit_gnmf()], [fit_tnmf()], [fit_ktnmf()].
#' * Theory: [increments()], [increment_correlations()], [increment_bounds()].
#' * Seurat: [RunPNMF()], [PNMFPath()], [active_scale()],
#'   [FindPNMFClusters()], [PNMFReductions()]. SingleCellExperiment:
#'   [runPNMF()].
#' * Plots: `plot()` of scales, paths and most results, [plot_path()],
#'   [plot_loadings()], [plot_factor_heatmap()], [plot_cluster_tree()].
#' * Data: [pbmc_sorted], [normalize_counts()], [read_geo_counts()],
#'   [simulate_circles()], [simulate_cells()].
#'
#' @references Zhang, Miao, Li: Persistent Nonnegative Matrix Factorization via
#' Multi-Scale Graph Regularization.
#'
#' @keywords internal
#' @useDynLib pNMF, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom RcppParallel RcppParallelLibs
#' @import methods
#' @importFrom Matrix sparseMatrix
#' @importMethodsFrom Matrix coerce
#' @importFrom stats predict fitted residuals deviance
#' @importFrom ggplot2 .data
"_PACKAGE"
