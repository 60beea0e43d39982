#' Compare a clustering with known labels
#'
#' Computes the four scores of the paper: the adjusted Rand index, the
#' normalised mutual information (divided by the arithmetic mean of the two
#' entropies), the purity (the share of cells that belong to the largest class
#' of their cluster) and the accuracy (the share of cells that the best
#' one-to-one matching of clusters with classes labels correctly; clusters
#' without a match count as wrong).
#'
#' The numbers of classes and clusters may differ. `purity` is not symmetric: it
#' is 1 if every cell is its own cluster.
#'
#' If one of the two is a single cluster, no agreement beyond chance is possible:
#' `ari` and `nmi` are 1 if the other is also a single cluster, and 0
#' otherwise. `ari` is also 1 if every cell is its own cluster on both sides.
#'
#' @param truth,predicted Labels of the same cells in the same order: factor,
#'   character, whole numbers or logical, or the `membership()` of igraph,
#'   without missing values: a score of some of the cells cannot be compared with
#'   one of all.
#' @return Named numeric vector `ari`, `nmi`, `purity`, `accuracy`.
#' @seealso [score_path()] for all scales of a path.
#' @references Hubert, Arabie (1985) Comparing partitions. Journal of
#'   Classification 2, 193-218.
#' @examples
#' cluster_scores(c("a", "a", "b", "b", "c"), c(1, 1, 2, 3, 3))
#' cluster_scores(iris$Species, cutree(hclust(dist(iris[, 1:4])), 3))
#' @export
cluster_scores <- function(truth, predicted) {
    truth <- label_codes(truth, "truth")
    predicted <- label_codes(predicted, "predicted")
    if (length(truth) != length(predicted)) {
        stop_pnmf("'predicted' must have as many labels as 'truth' (", length(truth), "), not ",
                  length(predicted))
    }
    counts <- contingency_table(truth, predicted)
    c(
        ari = adjusted_rand_index(counts),
        nmi = normalized_mutual_information(counts),
        purity = sum(apply(counts, 2L, max)) / sum(counts),
        accuracy = matched_share(counts)
    )
}

# Labels as 1, 2, ... in order of first appearance.
label_codes <- function(x, name) {
    if (inherits(x, "membership") || is(x, "Rle")) x <- as.vector(x)
    if (!is.factor(x) && !is.character(x) && !is.logical(x) && !(is.numeric(x) && !is.object(x))) {
        stop_pnmf("'", name, "' must be labels (factor, character, whole numbers or logical), not ", describe(x))
    }
    if (!is.null(dim(x))) {
        stop_pnmf("'", name, "' must be a vector of labels, not ", describe(x))
    }
    if (length(x) == 0L) {
        stop_pnmf("'", name, "' must have at least one label, not ", describe(x))
    }
    if (anyNA(x)) {
        stop_pnmf("'", name, "' must have no missing labels, but ", sum(is.na(x)), " of ", length(x),
                  " are NA: leave these cells out")
    }
    if (is.numeric(x) && !is.factor(x) && (!all(is.finite(x)) || any(x != round(x)))) {
        stop_pnmf("'", name, "' must be whole numbers when it is numeric, not ",
                  format(x[!is.finite(x) | x != round(x)][1]))
    }
    if (is.factor(x)) x <- as.integer(x)
    match(x, unique(x))
}

# Cells per pair of codes: classes x clusters.
contingency_table <- function(truth, predicted) {
    rows <- max(truth)
    columns <- max(predicted)
    cells <- tabulate(truth + (predicted - 1) * rows, rows * columns)
    matrix(as.numeric(cells), rows, columns)
}

# (pairs together in both - expected) / (mean of pairs together in either - expected)
adjusted_rand_index <- function(counts) {
    pairs <- function(m) sum(m * (m - 1) / 2)
    in_truth <- pairs(rowSums(counts))
    in_predicted <- pairs(colSums(counts))
    all_pairs <- pairs(sum(counts))
    expected <- if (all_pairs > 0) in_truth * in_predicted / all_pairs else 0
    possible <- (in_truth + in_predicted) / 2 - expected
    if (possible == 0) return(1)
    (pairs(counts) - expected) / possible
}

# 2 I(truth; predicted) / (H(truth) + H(predicted)), with I = H(truth) + H(predicted) - H(both)
normalized_mutual_information <- function(counts) {
    entropy <- function(m) {
        p <- m[m > 0] / sum(m)
        -sum(p * log(p))
    }
    if (nrow(counts) == 1L && ncol(counts) == 1L) return(1)
    if (nrow(counts) == 1L || ncol(counts) == 1L) return(0)
    separate <- entropy(rowSums(counts)) + entropy(colSums(counts))
    shared <- separate - entropy(counts)
    min(1, max(0, 2 * shared / separate))
}

matched_share <- function(counts) {
    if (nrow(counts) > ncol(counts)) counts <- t(counts)
    partner <- as.integer(clue::solve_LSAP(counts, maximum = TRUE))
    sum(counts[cbind(seq_len(nrow(counts)), partner)]) / sum(counts)
}
