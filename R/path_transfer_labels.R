#' Transfer labels from a reference to new cells
#'
#' Gives new cells the labels of a reference path. Projects the new cells onto
#' the factors of the path ([predict,pNMFPath-method]) and gives each the most
#' frequent label of its nearest reference cells. Labels can be types or the
#' clusters of a scale.
#'
#' @details
#' The embedding of each cell is scaled to unit length, so that sequencing depth
#' does not matter. Distances are Euclidean. `share` is the share of neighbours
#' that agree; a low share marks cells between groups. Every cell gets a label,
#' even if its type is missing from the reference. Check how well the path fits
#' the new cells before you rely on the labels. There is no batch correction.
#'
#' @inheritParams factor_markers
#' @param newdata New cells, as for [predict,pNMFPath-method]: a matrix, a Seurat
#'   object or a SingleCellExperiment.
#' @param labels One label per cell of the path. For an object, the name of a
#'   metadata column also works.
#' @param n_neighbors Number of reference cells that vote.
#' @return A data frame with one row per new cell (row names are the cells):
#'   `label`, a factor, and `share`, the share of neighbours with that label.
#' @seealso [path_clusters()], [persistent_clusters()]
#' @examples
#' data(pbmc_sorted)
#' x <- normalize_counts(pbmc_sorted$counts)
#' old <- seq(1, 1000, by = 2)
#' path <- pnmf(x[, old], rank = 8, scales = 4, control = pnmf_control(max_outer = 10, tol = 0))
#' found <- transfer_labels(path, x[, -old], labels = pbmc_sorted$type[old])
#' table(found$label, pbmc_sorted$type[-old])
#' @export
transfer_labels <- function(path, newdata, labels, t = active_scale(path), n_neighbors = 15, reduction = NULL) {
    object <- path
    path <- as_path(object, reduction)
    t <- assert_count(t, "t", max = n_scales(path))
    if (missing(newdata)) stop_pnmf("'newdata' must be a features x cells matrix of new cells, but is missing")
    if (missing(labels) || is.null(labels)) stop_pnmf("'labels' must be one label per cell of the path, not NULL")
    labels <- cell_labels(labels_of(object, labels, cells = path@cell_names), dim(path)[2])
    n_neighbors <- min(assert_count(n_neighbors, "n_neighbors"), dim(path)[2])
    new <- predict(path, newdata, t = t)
    votes <- neighbour_votes(unit_rows(unname(new)), unit_rows(unname(embedding(path, t))), labels, n_neighbors)
    best <- max.col(votes, ties.method = "first")
    data.frame(label = factor(levels(labels)[best], levels(labels)),
               share = votes[cbind(seq_along(best), best)] / n_neighbors, row.names = rownames(new))
}

# How many of the nearest reference cells have each label: new cells x labels.
neighbour_votes <- function(new, reference, labels, n_neighbors) {
    blocks <- split(seq_len(nrow(new)), (seq_len(nrow(new)) - 1L) %/% 500L)
    size <- rowSums(reference^2)
    codes <- as.integer(labels)
    votes <- lapply(blocks, function(rows) {
        # |new|^2 is the same for all reference cells of a row.
        distance <- rep(size, each = length(rows)) - 2 * tcrossprod(new[rows, , drop = FALSE], reference)
        t(apply(distance, 1L, function(d) tabulate(codes[order(d)[seq_len(n_neighbors)]], nlevels(labels))))
    })
    matrix(do.call(rbind, unname(votes)), nrow(new), nlevels(labels))
}
