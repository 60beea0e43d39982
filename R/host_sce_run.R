#' Run pNMF on a SingleCellExperiment
#'
#' Fits a path of factorisations ([pnmf()]) to an assay and stores it in the
#' object. Follows the conventions of `runNMF()` in scater.
#'
#' @details
#' `reducedDim(x, name)` holds one scale of the path, the [active_scale()], which
#' is the default one at first. It is a matrix, cells x `ncomponents`, with
#' attributes `basis` (features x components), `weights` (how much each factor
#' contributes to the fit), `scale` and `threshold`. The whole path is in
#' `metadata(x)[[name]]`. [PNMFPath()] returns it, [`active_scale<-`] makes
#' another scale the active one, [PNMFReductions()] adds a reduced dimension for
#' each of several scales, and [FindPNMFClusters()] writes the clusters of every
#' scale into the `colData`. All of them work after subsetting and after
#' `cbind()` of subsets.
#'
#' If the assay is a `DelayedMatrix`, for example in an HDF5 file, only the
#' chosen features are read into memory. If they would take more than `memory` of
#' [pnmf_control()], they stay on disk and are read in blocks during the fit.
#'
#' @section Input:
#' Log-normalised, nonnegative values, such as the `logcounts` of
#' `scuttle::logNormCounts()` or the result of [normalize_counts()]. Negative
#' values give an error, raw counts a warning.
#'
#' @param x A SingleCellExperiment; a SummarizedExperiment is converted to one.
#' @param ncomponents Number of factors; `NULL` means the default of [pnmf()].
#' @param n_scales Number of scales; `NULL` means the default of [pnmf()].
#' @param assay.type Name or number of the assay.
#' @param subset_row Features to use: names, positions or one logical value per
#'   feature. `NULL` means the `ntop` features with the largest variance.
#' @param ntop Number of features to use when `subset_row` is `NULL`.
#' @param space Coordinates for the distances between cells: the name or number
#'   of a reduced dimension (such as `"PCA"`), or a matrix, cells x dimensions. The
#'   factorised data are still those of the assay. `NULL` means the first 20
#'   dimensions of `"PCA"` if the object has it, otherwise the default of
#'   [pnmf()].
#' @param n_dimred Number of columns of the reduced dimension or the coordinates
#'   to use, or which columns; `NULL` means all.
#' @param altexp Name or number of an alternative experiment from which all data
#'   are taken. The result is stored in the main experiment.
#' @param name Name of the result.
#' @param BPPARAM `NULL`, or a BiocParallel backend that computes the variances
#'   of the features of on-disk assays. The fit itself uses threads, see
#'   [pnmf_control()].
#' @param ... Further arguments, passed to [pnmf()]: `lambda_graph`,
#'   `coarsest`, `lambda_smooth`, `lambda_anchor`, `alpha`, `solver`, `control`, `resume`,
#'   `thin`, `metric`, `graph`, `n_neighbors`, or `scales` (then `n_scales` is
#'   not used).
#' @return The SingleCellExperiment with the result added.
#' @seealso [RunPNMF()] for Seurat
#' @examples
#' if (requireNamespace("SingleCellExperiment", quietly = TRUE)) {
#'     x <- simulate_circles(seed = 1)
#'     sce <- SingleCellExperiment::SingleCellExperiment(list(logcounts = x))
#'     sce <- runPNMF(sce, ncomponents = 3, n_scales = 5)
#'     sce <- FindPNMFClusters(sce, k = 4, n_start = 5)
#'     sce
#'     PNMFPath(sce[, 1:30])
#' }
#' @export
#' @name runPNMF
#' @rdname sce-pnmf
runPNMF <- function(x, ...) {
    UseMethod("runPNMF")
}

#' @export
runPNMF.default <- function(x, ...) {
    stop_pnmf("'x' must be a SingleCellExperiment, not ", describe(x),
              "; use RunPNMF() for a Seurat object and pnmf() for a matrix")
}

#' @rdname sce-pnmf
#' @method runPNMF SummarizedExperiment
#' @export
runPNMF.SummarizedExperiment <- function(x, ...) {
    assert_installed("SingleCellExperiment", "runPNMF()")
    runPNMF(as(x, "SingleCellExperiment"), ...)
}

#' @rdname sce-pnmf
#' @method runPNMF SingleCellExperiment
#' @export
runPNMF.SingleCellExperiment <- function(x, ncomponents = NULL, n_scales = NULL, assay.type = "logcounts",
                                         subset_row = NULL, ntop = 500, space = NULL, n_dimred = NULL, altexp = NULL,
                                         name = "PNMF", BPPARAM = NULL, ...) {
    assert_installed(c("SingleCellExperiment", "SummarizedExperiment", "S4Vectors"), "runPNMF()")
    renamed <- with_new_names(match.call(), c(exprs_values = "assay.type", dimred = "space"))
    if (!is.null(renamed)) return(do.call(runPNMF, as.list(renamed)[-1L], envir = parent.frame()))
    assert_fit_dots(..., own = c(rank = "ncomponents", scales = "n_scales", layer = "assay.type", reduction = "space",
                                 reduction.name = "name"))
    name <- assert_string(name, "name")
    assert_backend(BPPARAM)
    if (!is.null(n_scales)) n_scales <- assert_count(n_scales, "n_scales")
    source <- if (is.null(altexp)) x else alternative_experiment(x, altexp)
    data <- sce_assay(source, assay.type)
    # Before features are chosen, so that their names are those of the same rows later, whichever are chosen.
    assert_whole_dimnames(rownames(data), "row")
    inform_repeated(rownames(data), "feature")
    data <- with_unique_rows(data)
    # Chosen first, because an error inside an S4 method such as [ would lose its class.
    features <- sce_features(data, subset_row, ntop, BPPARAM)
    data <- data[features, , drop = FALSE]
    # Completes the quotes that errors put around a name: 'logcounts' assay of 'x'.
    data_name <- paste0(assay.type, "' assay of '", if (is.null(altexp)) "x" else altexp)
    data <- container_data(data, data_name, fit_memory(...))
    if (!is.null(ncomponents)) ncomponents <- assert_count(ncomponents, "ncomponents", max = min(dim(data)))
    coordinates <- sce_coordinates(source, space, n_dimred)
    if (is.null(coordinates) && leaves_distances_open(...)) coordinates <- own_components(sce_components(source))
    path <- with_counts_named(container_fit(data, ncomponents, n_scales, coordinates, ...),
                              paste0("the '", assay.type, "' assay"),
                              "run normalize_counts() or scuttle::logNormCounts()")
    with_sce_path(without_earlier_path(x, name), path, name)
}

alternative_experiment <- function(x, altexp) {
    known <- SingleCellExperiment::altExpNames(x)
    altexp <- assert_one_of(altexp, known, "altexp", "alternative experiments")
    SingleCellExperiment::altExp(x, altexp)
}

# arg: what the caller calls x
sce_assay <- function(x, assay, arg = "x") {
    known <- SummarizedExperiment::assayNames(x)
    if (identical(assay, "logcounts") && !("logcounts" %in% known)) {
        found <- if (length(known) == 0L) "none with a name" else paste(known, collapse = ", ")
        stop_pnmf("'", arg, "' has no assay \"logcounts\" (it has ", found,
                  "): run scuttle::logNormCounts() first, or logcounts(", arg, ") <- normalize_counts(counts(", arg,
                  "))", if (arg == "x") ", or name another 'assay.type'")
    }
    if (is.null(known)) known <- rep("", length(SummarizedExperiment::assays(x, withDimnames = FALSE)))
    assay <- assert_one_of(assay, known, "assay.type", "assays")
    SummarizedExperiment::assay(x, assay)
}

sce_components <- function(x) {
    if ("PCA" %in% SingleCellExperiment::reducedDimNames(x)) as.matrix(SingleCellExperiment::reducedDim(x, "PCA"))
}

# cells x dimensions, or NULL
sce_coordinates <- function(x, space, n_dimred) {
    if (is.null(space)) {
        if (!is.null(n_dimred)) stop_pnmf("'n_dimred' must be NULL without a 'space', such as space = \"PCA\"")
        return(NULL)
    }
    if (length(dim(space)) != 2L) {
        known <- SingleCellExperiment::reducedDimNames(x)
        space <- assert_one_of(space, known, "space", "reduced dimensions")
        space <- as.matrix(SingleCellExperiment::reducedDim(x, space))
    }
    if (is.numeric(n_dimred) && length(n_dimred) == 1L) {
        n_dimred <- seq_len(assert_count(n_dimred, "n_dimred", max = ncol(space)))
    }
    chosen_dimensions(space, n_dimred, "n_dimred")
}
