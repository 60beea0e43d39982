#' A path of factorisations from fine to coarse
#'
#' The result of [pnmf()]: one basis `W` (features x rank) and one embedding
#' `H` (rank x cells) per scale, finest scale first.
#'
#' @slot scales The [persistence_scales()] the path was fitted on.
#' @slot W List of bases, features x rank, one per scale.
#' @slot H List of embeddings, rank x cells, one per scale: matrices, or, if they
#'   exceed `memory`, DelayedMatrix objects backed by files (see *Beyond one
#'   machine* in [pnmf()]). [embedding()] always returns a matrix.
#' @slot objective Data frame `outer`, `objective`, `relative_decrease`, one
#'   row per sweep.
#' @slot convergence List: `scales` (data frame `t`, `converged`, `residual`,
#'   `steps`, `movement`; `NA` where the fit has not measured them) and
#'   `updates` (data frame of the objective after every single update, if
#'   recorded); after a fit with `BPPARAM` also `shards` (`cells` in each,
#'   `crossing`, the share of edges between them, `traffic`, the bytes and seconds
#'   of each sweep, and `embeddings`, their folder if they stay in files); for data
#'   that were read from disk in blocks also `disk` (`readings`, how often all of
#'   the data were read, and `bytes`, the sum of the blocks).
#' @slot parameters List of the fit's parameters: `rank`, `lambda_graph`,
#'   `lambda_smooth`, `lambda_anchor`, `alpha`, `solver`, `control`.
#' @slot feature_names,cell_names Character vectors.
#' @slot data The data matrix if distances to new cells need it, otherwise `NULL`.
#' @slot version Version of the package that made the object.
#'
#' @seealso [embedding()], [loading()], [thresholds()], [pnmf()]
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2,
#'              scales = 5, control = pnmf_control(max_outer = 5, tol = 0))
#' path
#' dim(path)
#' path[2:3]
#' @exportClass pNMFPath
#' @name pNMFPath-class
#' @aliases pNMFPath
NULL

setOldClass("persistence_scales")

setClass(
    "pNMFPath",
    slots = c(
        scales = "persistence_scales", W = "list", H = "list", objective = "data.frame",
        convergence = "list", parameters = "list", feature_names = "character",
        cell_names = "character", data = "ANY", version = "character"
    )
)

setValidity("pNMFPath", function(object) {
    problems <- c(
        path_lengths_problems(object), path_shape_problems(object@H, object, "H"),
        path_shape_problems(object@W, object, "W"), path_record_problems(object)
    )
    if (length(problems) == 0L) TRUE else problems
})

path_lengths_problems <- function(object) {
    n <- length(object@scales$threshold)
    cells <- object@scales$n_cells
    c(
        if (n == 0L) "'scales' has no threshold",
        if (is.unsorted(object@scales$threshold)) "thresholds are not ascending",
        if (length(object@scales$betti0) != n) "'scales' does not have one betti0 per threshold",
        if (!is.null(cells) && !identical(as.numeric(cells), as.numeric(length(object@cell_names)))) {
            sprintf("%d cell names for scales of %s cells", length(object@cell_names), format(cells))
        },
        if (length(object@H) != n) sprintf("%d embeddings for %d scales", length(object@H), n),
        if (length(object@W) != n) sprintf("%d bases for %d scales", length(object@W), n),
        if (anyDuplicated(object@cell_names)) "cell names are not unique",
        if (anyDuplicated(object@feature_names)) "feature names are not unique"
    )
}

path_shape_problems <- function(matrices, object, name) {
    rank <- object@parameters$rank
    if (!is_rank(rank)) return(NULL)
    shape <- if (name == "H") c(rank, length(object@cell_names)) else c(length(object@feature_names), rank)
    shaped <- vapply(matrices, function(m) {
        usable <- (is.matrix(m) && is.double(m)) || (name == "H" && is_on_disk(m))
        usable && identical(as.numeric(dim(m)), as.numeric(shape))
    }, logical(1))
    valued <- vapply(matrices, function(m) !is.numeric(m) || is_finite_nonnegative(m), logical(1))
    c(
        if (!all(shaped)) {
            sprintf("%s is not a %d x %d matrix at scale %s", name, shape[1], shape[2], abbreviated(which(!shaped)))
        },
        if (!all(valued)) {
            sprintf("%s has negative or non-finite entries at scale %s", name, abbreviated(which(!valued)))
        }
    )
}

is_rank <- function(rank) {
    is.numeric(rank) && length(rank) == 1L && is.finite(rank) && rank >= 1 && rank == round(rank)
}

path_record_problems <- function(object) {
    wanted <- c("outer", "objective", "relative_decrease")
    c(
        if (!all(wanted %in% names(object@objective))) "'objective' lacks outer, objective or relative_decrease",
        if (!is_rank(object@parameters$rank)) "parameters$rank is not a whole number of at least 1",
        if (length(object@version) != 1L) "'version' is not a single string",
        if (is.data.frame(object@convergence$scales) &&
            nrow(object@convergence$scales) != length(object@scales$threshold)) {
            "'convergence$scales' does not have one row per scale"
        }
    )
}

# The one constructor: fills in names and the version.
new_path <- function(scales, W, H, objective, convergence, parameters, feature_names, cell_names, data = NULL) {
    new("pNMFPath",
        scales = scales, W = W, H = H, objective = objective, convergence = convergence,
        parameters = parameters, feature_names = make.unique(feature_names),
        cell_names = make.unique(cell_names), data = data,
        version = as.character(utils::packageVersion("pNMF"))
    )
}

# The embedding of one scale in memory, rank x cells. cells: positions of some of them
scale_embedding <- function(path, t, cells = NULL) {
    H <- path@H[[t]]
    if (!is.null(cells)) H <- H[, cells, drop = FALSE]
    if (!is_on_disk(H)) return(H)
    tryCatch(as.matrix(H), error = function(e) {
        stop_pnmf("'path' keeps its embeddings in files that cannot be read (", conditionMessage(e),
                  "): they must stay where pnmf() wrote them")
    })
}

all_embeddings <- function(path) lapply(seq_along(path@H), scale_embedding, path = path)
