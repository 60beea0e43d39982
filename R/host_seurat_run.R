#' Run pNMF on a Seurat object
#'
#' Fits a path of factorisations ([pnmf()]) to the variable features of an assay
#' and stores it in the object as a dimensional reduction. Works with Seurat 4
#' and Seurat 5, and with the assays of both.
#'
#' @details
#' The reduction holds one scale of the path, the [active_scale()], which is the
#' default one at first. It has embeddings (cells x rank), loadings (features x rank)
#' and, as `stdev`, how much each factor contributes to the fit, so that
#' `ElbowPlot(object, reduction = "pnmf")` works. The whole path is stored with
#' it. [PNMFPath()] returns the path, [`active_scale<-`] makes another scale the
#' active one, [PNMFReductions()] adds a reduction for each of several scales,
#' and [FindPNMFClusters()] clusters the cells at every scale.
#'
#' `FindNeighbors()` uses dimensions 1 to 10 by default, which fails for a lower
#' rank: set `dims = 1:rank`. `print()` of a reduction lists "negative"
#' features, but a nonnegative factor has none.
#'
#' @section Input:
#' The `data` layer: log-normalised, nonnegative values, as written by
#' `NormalizeData()` and `SCTransform()`. The `scale.data` layer and any other
#' negative values (such as the data of an integrated assay) give an error, raw
#' counts a warning. Join the split layers of a v5 assay first with
#' `JoinLayers()`. If a layer is on disk, only the chosen features are read. If
#' they would take more than `memory` of [pnmf_control()], they are read in blocks
#' during the fit.
#'
#' @param object A Seurat object, an assay, or a nonnegative matrix (features x
#'   cells).
#' @param assay Name of the assay; `NULL` means the default assay.
#' @param features Names of the features to use; `NULL` means the variable
#'   features of the assay.
#' @param layer Name of the layer.
#' @param rank Number of factors; `NULL` means the default of [pnmf()].
#' @param n.scales Number of scales; `NULL` means the default of [pnmf()].
#' @param space Coordinates for the distances between cells: the name of a
#'   reduction of the object (such as `"pca"`), or a matrix, cells x dimensions.
#'   `NULL` means the first 20 dimensions of `"pca"` if the object has it for
#'   this assay, otherwise the default of [pnmf()]. For an assay or a matrix,
#'   which have no reductions, only a matrix works.
#' @param distance.dims Dimensions of the reduction or the coordinates to use;
#'   `NULL` means all.
#' @param reduction.name,reduction.key Name of the new reduction, and the prefix
#'   of the names of its dimensions; `NULL` means the letters and digits of the
#'   name in upper case, `"PNMF_"` for `"pnmf"`.
#' @param seed.use Seed for a random start, see [pnmf_control()]. The random
#'   numbers of the session are not changed.
#' @param verbose Show progress and messages? `options(pNMF.progress = FALSE)`
#'   turns both off. What is removed from the object is always named.
#' @param ... Further arguments, passed to [pnmf()]: `lambda_graph`,
#'   `coarsest`, `lambda_smooth`, `lambda_anchor`, `alpha`, `solver`, `control`, `resume`,
#'   `thin`, `metric`, `graph`, `n_neighbors`, or `scales` (then `n.scales` is
#'   not used).
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
RunPNMF.default <- function(object, assay = NULL, rank = NULL, n.scales = NULL, space = NULL,
                            reduction.key = "PNMF_", seed.use = 42, verbose = getOption("pNMF.progress", TRUE),
                            ...) {
    renamed <- with_new_names(match.call(), former_seurat_names)
    if (!is.null(renamed)) return(do.call(RunPNMF, as.list(renamed)[-1L], envir = parent.frame()))
    assert_installed("SeuratObject", "RunPNMF()")
    if (is(object, "SummarizedExperiment")) stop_pnmf("'object' is a ", class(object)[1], ": use runPNMF()")
    x <- container_data(object, "object", fit_memory(...))
    reduction.key <- assert_reduction_key(reduction.key)
    if (!is.null(n.scales)) n.scales <- assert_count(n.scales, "n.scales")
    path <- with_counts_named(
        fit_for_seurat(x, rank, n.scales, space, seed.use, assert_flag(verbose, "verbose"), ...),
        "'object'", "run normalize_counts()"
    )
    seurat_reduction(path, assay = if (is.null(assay)) "RNA" else assay, key = reduction.key)
}

# Names of `space` in version 0.99.1.
former_seurat_names <- c(distance.reduction = "space", coordinates = "space")

# Passes the seed and the verbosity, which follow Seurat's conventions, to pnmf().
fit_for_seurat <- function(x, rank, n_scales, space, seed, verbose, control = pnmf_control(verbose = verbose),
                           ...) {
    if (inherits(control, "pnmf_control")) {
        if (is.null(control$seed)) control["seed"] <- list(assert_seed(seed, "seed.use"))
        control$verbose <- control$verbose && verbose
    }
    fit <- function() container_fit(x, rank, n_scales, space, control = control, ...)
    if (verbose) fit() else suppressMessages(fit(), classes = "pnmf_message")
}

assert_reduction_key <- function(key) {
    if (!grepl("^[[:alnum:]]+_$", assert_string(key, "reduction.key"))) {
        stop_pnmf("'reduction.key' must be letters and digits followed by one underscore, such as \"PNMF_\", not ",
                  describe(key))
    }
    key
}
