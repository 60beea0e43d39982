#' Find the genes that are specific to a factor
#'
#' Lists the genes that distinguish a gene program from all others. The largest
#' loadings ([top_features()]) often belong to genes that all programs share,
#' such as ribosomal genes. `factor_markers()` instead ranks genes by how much
#' more they are expressed in cells that use a factor than in cells that use any
#' other factor.
#'
#' @details
#' At scale `t`, let `u_ij` be the usage of factor j by cell i: the embedding
#' divided by its sum over the factors. Let `z_gi` be the expression of gene g
#' in cell i, standardised to mean 0 and variance 1 over the cells. As for the
#' z-scores of cNMF (Kotliar et al. 2019), each gene is regressed on all usages
#' together,
#' \deqn{z_{gi} = \sum_j b_{gj} u_{ij} + e_{gi}, \quad B = Z U (U'U)^{-1},}{z_gi
#' = sum_j b_gj u_ij + e_gi, B = Z U (U'U)^-1,}
#' so that a factor is not credited with what another one explains. With
#' \eqn{s_g^2}{s_g^2} the residual variance and \eqn{G = (U'U)^{-1}}{G =
#' (U'U)^-1}, the score of a gene is its smallest lead over another factor, in
#' standard errors:
#' \deqn{score_{gj} = \min_{k \ne j} \frac{b_{gj} - b_{gk}}{s_g \sqrt{G_{jj} +
#' G_{kk} - 2 G_{jk}}}.}{score_gj = min over k != j of (b_gj - b_gk) / (s_g
#' sqrt(G_jj + G_kk - 2 G_jk)).}
#' The smallest lead, not the mean lead, is used because a gene that two similar
#' factors share leads over the mean of the others in both, and is specific to
#' neither. Standard errors make rare and common genes comparable. A score above
#' 0 means that no other factor has as much of the gene. The scores rank genes.
#' They are not tests, because factors and scores come from the same cells.
#'
#' Factors that are copies of each other, as happens at the coarsest scales,
#' have no specific genes. Their scores are near 0. Factors that no cell uses
#' are left out, with a message.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one.
#' @param t The scale, 1 is the finest; the default is the [active_scale()].
#' @param n Number of genes per factor; `NULL` means all.
#' @param factors Factors to show; `NULL` means all. The comparison still
#'   includes the other factors.
#' @param x The data the path was fitted to, features x cells. Not needed for an
#'   object that holds the data, nor for a path that kept them
#'   (`keep = "embedding"` in [pnmf_control()]).
#' @param swap_rownames Names to show instead of the feature names: a column of
#'   the object's row data, such as `"symbol"`, or one name per feature.
#' @param reduction Name of the path, if the object holds several.
#' @return A data frame: `t`, `factor`, `rank`, `feature`, `score` (see Details),
#'   `z` (the coefficient `b_gj` in its own standard errors), `closest` (the
#'   factor that comes closest) and `loading`.
#' @references Kotliar et al. (2019) Identifying gene expression programs of
#'   cell-type identity and cellular activity with single-cell RNA-Seq. eLife 8,
#'   e43803.
#' @seealso [top_features()] for raw loadings, [factor_tracks()],
#'   [factor_enrichment()]
#' @examples
#' data(pbmc_sorted)
#' x <- normalize_counts(pbmc_sorted$counts)
#' path <- pnmf(x, rank = 8, scales = 4, control = pnmf_control(max_outer = 10, tol = 0))
#' markers <- factor_markers(path, n = 6, x = x)
#' split(markers$feature, markers$factor)
#' @export
factor_markers <- function(path, t = active_scale(path), n = 10, factors = NULL, x = NULL, swap_rownames = NULL,
                           reduction = NULL) {
    object <- path
    path <- as_path(object, reduction)
    t <- assert_count(t, "t", max = n_scales(path))
    if (!is.null(n)) n <- assert_count(n, "n")
    factors <- chosen_factors(factors, path)
    names <- displayed_names(object, path, swap_rownames, reduction)
    x <- path_data(object, path, x, reduction, "factor_markers()")
    scores <- marker_scores(x, embedding(path, t))
    W <- loading(path, t)
    shown <- used_factors(factors, scores$used, t)
    rows <- lapply(shown, function(j) marker_rows(scores, W, j, t, n, names))
    do.call(rbind, c(list(no_markers), rows))
}

no_markers <- data.frame(t = integer(0), factor = integer(0), rank = integer(0), feature = character(0),
                         score = numeric(0), z = numeric(0), closest = integer(0), loading = numeric(0))

chosen_factors <- function(factors, path) {
    if (is.null(factors)) return(seq_len(n_factors(path)))
    unique(assert_indices(factors, "factors", n_factors(path)))
}

used_factors <- function(factors, used, t) {
    idle <- setdiff(factors, used)
    if (length(idle) > 0L) {
        inform_pnmf("no cell uses factor ", abbreviated(idle), " at scale ", t, ": left out")
    }
    intersect(factors, used)
}

# Best first; genes that never vary have no score and are left out.
marker_rows <- function(scores, W, j, t, n, names) {
    column <- match(j, scores$used)
    score <- scores$score[, column]
    best <- order(-score, seq_along(score), na.last = NA)
    if (!is.null(n)) best <- utils::head(best, n)
    data.frame(
        t = rep(t, length(best)), factor = rep(j, length(best)), rank = seq_along(best), feature = names[best],
        score = score[best], z = scores$z[best, column], closest = scores$closest[best, column],
        loading = unname(W[best, j])
    )
}

# x: genes x cells, H: cells x factors. Matrices genes x used factors: score, z, closest; NA for constant genes.
marker_scores <- function(x, H) {
    used <- which(colSums(H) > 0)
    H <- H[, used, drop = FALSE]
    U <- H / pmax(rowSums(H), 1e-300)
    n <- nrow(U)
    if (n <= ncol(U)) {
        stop_pnmf("'path' must have more cells than factors to find specific genes, not ", n, " and ", ncol(U))
    }
    G <- usage_inverse(U)
    gene <- gene_moments(x)
    ZU <- (unname(as.matrix(x %*% U)) - outer(gene$mean, colSums(U))) / gene$sd
    B <- ZU %*% G
    s <- sqrt(pmax(n - rowSums(B * ZU), 0) / (n - ncol(U)))
    s[!is.na(s) & s < 1e-8] <- 1e-8 # a gene that the usages explain exactly
    z <- B / outer(s, sqrt(diag(G)))
    c(list(used = used, z = z), smallest_leads(B, s, G, used, z))
}

# (U'U)^-1. With the ridge, copies of one factor have a huge standard error instead of a singular matrix.
usage_inverse <- function(U) {
    gram <- crossprod(U)
    solve(gram + diag(1e-9 * mean(diag(gram)), ncol(U)))
}

# Mean and standard deviation of every row; NA where a row does not vary.
gene_moments <- function(x) {
    mean <- unname(Matrix::rowMeans(x))
    sd <- sqrt(pmax(unname(Matrix::rowMeans(x^2)) - mean^2, 0))
    sd[sd <= 1e-8 * pmax(mean, 1e-300)] <- NA
    list(mean = mean, sd = sd)
}

smallest_leads <- function(B, s, G, used, z) {
    if (length(used) == 1L) return(list(score = z, closest = array(NA_integer_, dim(z))))
    score <- z
    closest <- array(NA_integer_, dim(z))
    for (j in seq_along(used)) {
        others <- seq_along(used)[-j]
        spread <- sqrt(pmax(G[j, j] + diag(G)[others] - 2 * G[j, others], 1e-300))
        lead <- (B[, j] - B[, others, drop = FALSE]) / outer(s, spread)
        nearest <- max.col(-lead, ties.method = "first")
        score[, j] <- lead[cbind(seq_len(nrow(lead)), nearest)]
        closest[, j] <- used[others][nearest]
    }
    list(score = score, closest = closest)
}
