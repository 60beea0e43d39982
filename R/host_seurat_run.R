#' Run pNMF on a Seurat object
#'
#' Fits a path of factorisations ([pnmf()]) to the variable features of an assay
#' and puts it into the object as a dimensional reduction. Works with Seurat 4
#' and Seurat 5, and with assays of either kind.
#'
#' @details
#' The reduction holds one scale of the path, the *active* one, at first the
#' finest: embeddings (cells x rank), loadings (features x rank) and, as
#' `stdev`, the size of each factor's part in the fit (so that
#' `ElbowPlot(object, reduction = "pnmf")` works). The whole path travels with
#' it: [PNMFPath()] returns it, [SetPNMFScale()] makes another scale the active
#' one, [PNMFReductions()] adds a reduction for each of several scales, and
#' [FindPNMFClusters()] clusters the cells at every scale.
#'
#' `FindNeighbors()` uses dimensions 1 to 10 unless told otherwise, which fails
#' for a lower rank: give it `dims = 1:rank`. `print()` of a reduction lists
#' "negative" features, of which a nonnegative factor has none.
#'
#' @section Input:
#' The `data` layer: log-normalised, nonnegative values, as `NormalizeData()`
#' and `SCTransform()` leave them. `scale.data` is refused, and so is anything
#' negative (such as the data of an integrated assay). Raw counts run with a
#' warning. Split layers of a v5 assay must be joined first (`JoinLayers()`).
#' Layers on disk are read after the features are chosen.
#'
#' @param object A Seurat object, an assay, or a nonnegative matrix (features x
#'   cells).
#' @param assay Name of the assay; `NULL` is the default one.
#' @param features Names of the features to use; `NULL` is the assay's variable
#'   features.
#' @param layer Name of the layer.
#' @param rank Number of factors; `NULL` is `min(ceiling(sqrt(cells)), 30)`.
#' @param n.scales Number of scales, spread evenly along the canonical ones;
#'   `NULL` is all of them up to 2,000 cells, and 50 beyond.
#' @param space In which distances between cells are measured: the name of a
#'   reduction of the object (such as `"pca"`), or a matrix of coordinates, cells
#'   x dimensions; `NULL` for the first 20 dimensions of `"pca"` where the object
#'   has it for this assay, else what [pnmf()] chooses. An assay or a matrix has
#'   no reductions and takes coordinates only.
#' @param distance.reduction,coordinates The same as `space`: the name of a
#'   reduction, and a matrix.
#' @param distance.dims Which dimensions of the reduction or the coordinates;
#'   `NULL` is all.
#' @param reduction.name,reduction.key Name of the new reduction, and the prefix
#'   of its dimensions' names.
#' @param seed.use Seed of a random start, see [pnmf_control()]; the session's
#'   random numbers are never touched.
#' @param verbose Show progress and messages?
#' @param ... Arguments of other methods, at last of [pnmf()]: `lambda_graph`,
#'   `lambda_smooth`, `lambda_anchor`, `alpha`, `solver`, `control`, `resume`, or
#'   `scales` (then `n.scales` is not used).
#' @return The Seurat object with the reduction; a `DimReduc` for an assay or a
#'   matrix.
#' @seealso [runPNMF()] for SingleCellExperiment
#' @examples
#' if (requireNamespace("SeuratObject", quietly = TRUE)) {
#'     object <- RunPNMF(SeuratObject::pbmc_small, rank = 5, n.scales = 6, verbose = FALSE)
#'     head(SeuratObject::Embeddings(object, "pnmf"))
#'     PNMFPath(object)
#' }
#' @export
#' @name RunPNMF
#' @rdname seurat-pnmf
RunPNMF <- function(object, ...) {
    UseMethod("RunPNMF")
}

#' @rdname seurat-pnmf
#' @method RunPNMF default
#' @export
RunPNMF.default <- function(object, assay = NULL, rank = NULL, n.scales = 20, coordinates = NULL,
                            reduction.key = "PNMF_", seed.use = 42, verbose = TRUE, space = NULL, ...) {
    assert_installed("SeuratObject", "RunPNMF()")
    if (is(object, "SummarizedExperiment")) stop_pnmf("'object' is a ", class(object)[1], ": use runPNMF()")
    x <- as_data_matrix(object, "object")
    reduction.key <- assert_reduction_key(reduction.key)
    if (!is.null(n.scales)) n.scales <- assert_count(n.scales, "n.scales")
    space <- one_space(space, coordinates, "coordinates")
    path <- fit_for_seurat(x, rank, n.scales, space, seed.use, assert_flag(verbose, "verbose"), ...)
    seurat_reduction(path, t = 1L, assay = if (is.null(assay)) "RNA" else assay, key = reduction.key)
}

# The seed and the verbosity of Seurat's conventions go where pnmf() looks for them.
fit_for_seurat <- function(x, rank, n_scales, space, seed, verbose, control = pnmf_control(verbose = verbose),
                           ...) {
    if (inherits(control, "pnmf_control")) {
        if (is.null(control$seed)) control["seed"] <- list(assert_seed(seed, "seed.use"))
        control$verbose <- control$verbose && verbose
    }
    fit <- function() container_fit(x, rank, n_scales, space$given, space$name, control = control, ...)
    if (verbose) fit() else suppressMessages(fit(), classes = "pnmf_message")
}
