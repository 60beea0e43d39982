#' Transfer labels from a reference to new cells
#'
#' Gives new cells the labels of a reference path, says how certain each label
#' is, and leaves cells without a label that are unlike all cells of the
#' reference. Labels can be types or the clusters of a scale.
#'
#' @details
#' New cells are placed on the path ([predict,pNMFPath-method]), and the nearest
#' reference cells vote. The embedding of each cell is scaled to unit length, so
#' that sequencing depth does not matter. Distances are Euclidean.
#'
#' `confidence` is the share of right labels to expect among cells with such a
#' vote. It is learned from the reference: each of its cells (1,000 at most) is
#' given a label by its neighbours, and the share of right ones is a rising
#' function of the vote (isotonic regression). It holds for cells of types that
#' are in the reference.
#'
#' `score` says whether the cell is like any cell of the reference, see
#' [predict,pNMFPath-method]. Of cells whose types are in the reference, about a
#' share `unassigned` is below that bound and stays without a label. Cells of
#' another type are below it only if genes of their own are among the features
#' of the reference. With one of five types of blood cells left out, 23% to 98%
#' of its cells stayed unassigned (vignette "The method") where the features
#' were chosen among all cells, but only 0% to 61% where the 2,000 most variable
#' ones of the reference were used: genes of a missing type vary little in the
#' reference. So include marker genes of every type that you expect (`features`
#' of [RunPNMF()], `subset_row` of [runPNMF()]), and do not rely on the score
#' alone: foreign cells that pass it get the label of a similar type, often with
#' high confidence. Cells without counts have score 0. There is no batch correction: a
#' batch that changes many genes also lowers the score.
#'
#' @inheritParams factor_markers
#' @param path A [pNMFPath-class], an object that contains one, or the result of
#'   [read_reference()].
#' @param newdata New cells, as for [predict,pNMFPath-method]: a matrix, a Seurat
#'   object or a SingleCellExperiment.
#' @param labels One label per cell of the path; labels with the names of the
#'   cells are matched by them. For an object, the name of a metadata column also
#'   works. `NULL` means the labels that a reference holds. Cells whose label is
#'   `NA` do not vote.
#' @param n_neighbors Number of reference cells that vote.
#' @param unassigned Cells with a score below this are `"unassigned"`; 0 gives
#'   every cell a label.
#' @param ... Not used.
#' @return A data frame with one row per new cell (row names are the cells):
#'   `label`, a string, `"unassigned"` for cells without a label; `confidence`, 0
#'   to 1, `NA` for cells without a label; `nearest`, a factor: the label that
#'   the cell has or would have had; `share`, the share of neighbours with the
#'   label `nearest`; `score`, 0 to 1.
#' @seealso [write_reference()], [path_clusters()], [persistent_clusters()]
#' @examples
#' data(pbmc_sorted)
#' x <- normalize_counts(pbmc_sorted$counts)
#' type <- pbmc_sorted$type
#' old <- setdiff(seq(1, 1000, by = 2), which(type == "CD14+"))
#' path <- pnmf(x[, old], rank = 8, scales = 4, control = pnmf_control(max_outer = 10, tol = 0))
#' found <- transfer_labels(path, x[, -old], labels = as.character(type[old]))
#' table(found$label, type[-old])
#' @export
transfer_labels <- function(path, newdata, labels = NULL, t = NULL, n_neighbors = 15, reduction = NULL,
                            unassigned = 0.03, ...) {
    assert_no_dots(...)
    object <- path
    path <- as_path(object, reduction)
    t <- chosen_scale(t, path)
    if (missing(newdata)) stop_pnmf("'newdata' must be a features x cells matrix of new cells, but is missing")
    if (is.null(labels)) labels <- path@parameters$labels
    if (is.null(labels)) {
        stop_pnmf("'labels' must be given: one label per cell of the path, or the name of a column of the object; ",
                  "only a reference that was written with labels needs none")
    }
    labels <- cell_labels(labels_of(object, labels, cells = path@cell_names), dim(path)[2])
    voting <- which(!is.na(labels))
    labels <- labels[voting]
    n_neighbors <- min(assert_count(n_neighbors, "n_neighbors"), length(voting))
    unassigned <- assert_number(unassigned, "unassigned", min = 0, max = 1)
    new <- predict(path, newdata, t = t, score = TRUE)
    reference <- unit_rows(unname(embedding(path, t))[voting, , drop = FALSE])
    votes <- label_votes(query_neighbors(reference, unit_rows(matrix(new, nrow(new))), n_neighbors)$index, labels)
    best <- votes$best
    score <- unname(attr(new, "score"))
    left <- !is.na(score) & score < unassigned
    confidence <- calibrated(votes$share, reference_votes(reference, labels, n_neighbors))
    confidence[left] <- NA
    data.frame(label = ifelse(left, "unassigned", levels(labels)[best]), confidence = confidence,
               share = votes$share, score = score, nearest = factor(levels(labels)[best], levels(labels)),
               row.names = if (!is.null(rownames(new))) make.unique(rownames(new)))
}

# near: cells x neighbours. best: the code of the most frequent label; share: of the neighbours that have it
label_votes <- function(near, labels) {
    codes <- matrix(as.integer(labels)[near], nrow(near))
    votes <- vapply(seq_len(nlevels(labels)), function(code) rowSums(codes == code), numeric(nrow(near)))
    votes <- matrix(votes, nrow(near))
    best <- max.col(votes, ties.method = "first")
    list(best = best, share = votes[cbind(seq_along(best), best)] / ncol(near))
}

# How reference cells would have voted for each other: share, and whether the label is right.
reference_votes <- function(reference, labels, n_neighbors) {
    some <- evenly_spaced(nrow(reference), max_typical_cells)
    if (nrow(reference) < 3L) return(NULL)
    votes <- label_votes(other_neighbors(t(reference), some, n_neighbors), labels)
    list(share = votes$share, right = votes$best == as.integer(labels)[some])
}

# The share of right labels as a function of the vote, never falling. Steps with few cells are drawn to one half: n
# right ones of n count as (n + 1) / (n + 2).
calibrated <- function(share, known) {
    if (is.null(known)) return(share)
    order <- order(known$share, known$right)
    at <- known$share[order]
    mean_at <- stats::ave(as.numeric(known$right[order]), at)
    # Rounded: cells of one step differ in their last digits.
    level <- round(stats::isoreg(mean_at)$yf, 10)
    cells <- stats::ave(level, level, FUN = length)
    smooth <- (level * cells + 1) / (cells + 2)
    first <- !duplicated(at)
    if (sum(first) == 1L) return(rep(smooth[1], length(share)))
    stats::approx(at[first], cummax(smooth[first]), share, rule = 2)$y
}
