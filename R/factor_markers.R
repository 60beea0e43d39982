#' Find the genes that are specific to a factor
#'
#' Lists the genes that distinguish a gene program from all others. The largest
#' loadings (`by = "loading"`) often belong to genes that all programs share,
#' such as ribosomal genes. By default `factor_markers()` instead ranks genes by
#' how much more they are expressed in cells that use a factor than in cells that
#' use any other factor.
#'
#' @details
#' At scale `t`, let `u_ij` be the usage of factor j by cell i: the embedding
#' divided by its sum over the factors. Let `z_gi` be the expression of gene g
#' in cell i, standardised to mean 0 and variance 1 over the cells. As for the
#' z-scores of cNMF (Kotliar et al. 2019), each gene is regressed on all usages
#' together,
#' \deqn{z_{gi} = \sum_j b_{gj} u_{ij} + e_{gi}, \quad B = Z U (U'U)^{-1},}{z_gi
#' = sum_j b_gj u_ij + e_gi, B = Z U (U'U)^-1,}
#' so that a factor is not credited with what another one explains. A ridge of
#' 1% of the mean diagonal of \eqn{U'U}{U'U} keeps the coefficients meaningful at
#' coarse scales, where usages are close to collinear. With
#' \eqn{s_g^2}{s_g^2} the residual variance and \eqn{s_g^2 V}{s_g^2 V} the
#' covariance of the coefficients, the score of a gene is its smallest lead over
#' another factor, in standard errors:
#' \deqn{score_{gj} = \min_{k \ne j} \frac{b_{gj} - b_{gk}}{s_g \sqrt{V_{jj} +
#' V_{kk} - 2 V_{jk}}}.}{score_gj = min over k != j of (b_gj - b_gk) / (s_g
#' sqrt(V_jj + V_kk - 2 V_jk)).}
#' The smallest lead, not the mean lead, is used because a gene that two similar
#' factors share leads over the mean of the others in both, and is specific to
#' neither. Standard errors make rare and common genes comparable. A score above
#' 0 means that no other factor has as much of the gene. Where another factor has
#' more than twice the loading, the score is 0 at most: the regression can credit
#' a factor whose usage hardly varies between cells with rare genes that it does
#' not have. The scores rank genes. They are not tests, because factors and
#' scores come from the same cells.
#'
#' Factors that are copies of each other, as happens at the coarsest scales,
#' have no specific genes. Their scores are near 0. The same holds for the
#' parts of a type that too high a rank divides. Factors that no cell uses are
#' left out, with a message.
#'
#' A program is *supported* if at least five genes have scores above the normal
#' quantile of 1 - 1 / genes, a lead that one gene of all would reach by chance.
#' Noise gives programs of one or two genes. Copies take each other's genes, so
#' programs get a second chance: those with the fewest genes are left out, one
#' after the other, until each of the others has five. At least three must be
#' left. A program of noise is specific only to the genes that it was fitted to,
#' so usages here come from every second of the 2,000 most variable genes and are
#' compared with the other genes. With every gene permuted over the cells, about
#' one program in a hundred is supported. A program must also rest on at least
#' five cells (an eighth of fewer than 40): with d the deviations of its usage
#' above the mean, \eqn{(\sum d^2)^2 / \sum d^4}{(sum d^2)^2 / sum d^4} is the
#' number of cells in a group of equal usage. The criterion needs hundreds of
#' genes: with few, noise has to share them. Unsupported programs are listed last. See
#' [program_stability()] for all scales at once.
#'
#' @inheritParams subset_cells
#' @param t The scale, 1 is the finest; `NULL` means the [active_scale()]: the
#'   default scale unless you set another.
#' @param n Number of genes per factor; `NULL` means all.
#' @param factors Factors to show; `NULL` means all. The comparison still
#'   includes the other factors.
#' @param by Rank genes by their `"score"` (see Details), which needs the data, or
#'   by their `"loading"`.
#' @param housekeeping Whether to list programs of ribosomal and mitochondrial
#'   genes: those of whose ten best genes at least half have names that begin
#'   with `RPS`, `RPL` or `MT-`, in upper or lower case. `FALSE` leaves them out,
#'   with a message.
#' @param x The data the path was fitted to, features x cells. Not needed for an
#'   object that holds the data.
#' @param swap_rownames Names to show instead of the feature names: a column of
#'   the object's row data, such as `"symbol"`, or one name per feature. Names
#'   given under the names of features are matched by these.
#' @param ... Not used.
#' @return A data frame, supported programs first: `t`, `factor`, `rank`,
#'   `feature`, `score` (see Details), `z` (the coefficient `b_gj` in its own
#'   standard errors, the z-score that users of cNMF know), `closest` (the factor
#'   that comes closest), `loading` and `supported` (of the program, see
#'   Details). With `by = "loading"` only `t`, `factor`, `rank`, `feature` and
#'   `loading`.
#' @references Kotliar et al. (2019) Identifying gene expression programs of
#'   cell-type identity and cellular activity with single-cell RNA-Seq. eLife 8,
#'   e43803.
#' @seealso [plot_loadings()], [program_stability()], [factor_tracks()],
#'   [factor_enrichment()], [write_programs()]
#' @examples
#' data(pbmc_sorted)
#' x <- normalize_counts(pbmc_sorted$counts)
#' path <- pnmf(x, rank = 8, scales = 4, control = pnmf_control(max_outer = 10, tol = 0))
#' markers <- factor_markers(path, n = 6, x = x)
#' split(markers$feature, markers$factor)
#' @export
factor_markers <- function(path, t = NULL, n = 10, factors = NULL, by = c("score", "loading"), housekeeping = TRUE,
                           x = NULL, swap_rownames = NULL, reduction = NULL, ...) {
    assert_no_dots(...)
    object <- path
    path <- as_path(object, reduction)
    t <- chosen_scale(t, path)
    if (!is.null(n)) n <- assert_count(n, "n")
    factors <- chosen_factors(factors, path)
    housekeeping <- assert_flag(housekeeping, "housekeeping")
    by <- assert_choice(by, c("score", "loading"), "by")
    names <- displayed_names(object, path, swap_rownames, reduction)
    if (by == "loading") return(loading_rows(path, t, n, factors, names, housekeeping))
    x <- path_data(object, path, x, reduction, "factor_markers()")
    W <- loading(path, t)
    scores <- marker_scores(x, embedding(path, t), unname(W))
    shown <- used_factors(factors, scores$used, t)
    if (!housekeeping) shown <- without_housekeeping(shown, scores, names)
    shown <- shown[order(!scores$supported[match(shown, scores$used)])]
    rows <- lapply(shown, function(j) marker_rows(scores, W, j, t, n, names))
    do.call(rbind, c(list(no_markers), rows))
}

# The n features with the largest loadings of each factor.
loading_rows <- function(path, t, n, factors, names, housekeeping = TRUE) {
    W <- loading(path, t)
    if (!housekeeping) factors <- without_housekeeping(factors, list(used = seq_len(ncol(W)), score = W), names)
    n <- if (is.null(n)) nrow(W) else min(n, nrow(W))
    rows <- lapply(factors, function(j) {
        best <- best_genes(W[, j])[seq_len(n)]
        data.frame(t = t, factor = j, rank = seq_len(n), feature = names[best], loading = unname(W[best, j]))
    })
    do.call(rbind, c(list(no_markers[c("t", "factor", "rank", "feature", "loading")]), rows))
}

no_markers <- data.frame(t = integer(0), factor = integer(0), rank = integer(0), feature = character(0),
                         score = numeric(0), z = numeric(0), closest = integer(0), loading = numeric(0),
                         supported = logical(0))

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

# Factors of whose ten best genes less than half are ribosomal or mitochondrial.
without_housekeeping <- function(factors, scores, names) {
    common <- grepl("^(RP[SL]|MT-)", names, ignore.case = TRUE)
    if (!any(common)) {
        inform_pnmf("no feature name begins with RPS, RPL or MT-, so nothing is left out; 'swap_rownames' shows other ",
                    "names, such as symbols")
    }
    of_them <- vapply(match(factors, scores$used), function(column) {
        mean(common[utils::head(best_genes(scores$score[, column]), 10L)]) >= 0.5
    }, logical(1))
    if (any(of_them)) {
        inform_pnmf("factor ", abbreviated(factors[of_them]), ": ribosomal or mitochondrial genes, left out")
    }
    factors[!of_them]
}

# Best first; genes that never vary have no score and are left out.
best_genes <- function(score) order(-score, seq_along(score), na.last = NA)

marker_rows <- function(scores, W, j, t, n, names) {
    column <- match(j, scores$used)
    score <- scores$score[, column]
    best <- best_genes(score)
    if (!is.null(n)) best <- utils::head(best, n)
    data.frame(
        t = rep(t, length(best)), factor = rep(j, length(best)), rank = seq_along(best), feature = names[best],
        score = score[best], z = scores$z[best, column], closest = scores$closest[best, column],
        loading = unname(W[best, j]), supported = rep(scores$supported[column], length(best)), row.names = NULL
    )
}

# x: genes x cells, H: cells x factors. Matrices genes x used factors: score, z, closest; NA for constant genes.
# supported: one value per used factor, if the basis W is given; without it, scores are those of the regression alone.
marker_scores <- function(x, H, W = NULL, threads = default_threads()) {
    used <- which(colSums(H) > 0)
    if (nrow(H) <= length(used)) {
        stop_pnmf("'path' must have more cells than factors to find specific genes, not ", nrow(H), " and ",
                  length(used))
    }
    gene <- gene_moments(x)
    found <- lead_scores(usage_products(x, H[, used, drop = FALSE], gene))
    found$closest[] <- used[found$closest]
    if (is.null(W)) return(c(list(used = used), found))
    W <- W[, used, drop = FALSE]
    found$score <- loaded_scores(found$score, W)
    supported <- supported_programs(x, W, gene, found$score, threads) & used_by_several(H[, used, drop = FALSE])
    c(list(used = used, supported = supported), found)
}

# The regression credits a factor whose usage hardly varies between cells with rare genes that it does not have. So
# where another factor has more than twice the loading, the score is 0 at most.   score, W: genes x factors
loaded_scores <- function(score, W) {
    behind <- 2 * W < apply(W, 1L, max)
    score[behind] <- pmin(score[behind], 0)
    score
}

# Mean and standard deviation of every row; NA where a row does not vary.
gene_moments <- function(x) {
    mean <- unname(Matrix::rowMeans(x))
    sd <- sqrt(pmax(unname(Matrix::rowMeans(x^2)) - mean^2, 0))
    sd[sd <= 1e-8 * pmax(mean, 1e-300)] <- NA
    list(mean = mean, sd = sd)
}

# What a regression of all standardised genes Z on usages U needs: ZU, U'U and the number of cells.   H: cells x factors
usage_products <- function(x, H, gene) {
    U <- H / pmax(rowSums(H), 1e-300)
    list(ZU = (unname(as.matrix(x %*% U)) - outer(gene$mean, colSums(U))) / gene$sd, gram = crossprod(U), n = nrow(U))
}

# Ridge of the regression on usages, as a share of the mean diagonal of U'U. At coarse scales usages have as many
# dimensions as there are types, fewer than factors; without a ridge all scores of all genes are 0 there.
usage_ridge <- 0.01

# Differences between copies are rounding: they count as at least this share of their standard errors.
least_spread <- 1e-4

# Matrices genes x factors. score: the smallest lead over another factor; closest: that factor
lead_scores <- function(products) {
    gram <- products$gram
    rank <- ncol(gram)
    G <- solve(gram + diag(max(usage_ridge * mean(diag(gram)), 1e-300), rank))
    V <- G %*% gram %*% G # covariance of the coefficients in units of s^2
    B <- products$ZU %*% G
    residual <- products$n - 2 * rowSums(B * products$ZU) + rowSums((B %*% gram) * B)
    s <- sqrt(pmax(residual, 0) / (products$n - rank))
    s[!is.na(s) & s < 1e-8] <- 1e-8 # a gene that the usages explain exactly
    z <- B / outer(s, sqrt(pmax(diag(V), 1e-300)))
    score <- z
    closest <- array(NA_integer_, dim(z))
    for (j in if (rank > 1L) seq_len(rank)) {
        others <- seq_len(rank)[-j]
        apart <- V[j, j] + diag(V)[others]
        spread <- sqrt(pmax(apart - 2 * V[j, others], least_spread^2 * apart, 1e-300))
        lead <- (B[, j] - B[, others, drop = FALSE]) / outer(s, spread)
        nearest <- max.col(-lead, ties.method = "first")
        score[, j] <- lead[cbind(seq_len(nrow(lead)), nearest)]
        closest[, j] <- others[nearest]
    }
    list(z = z, score = score, closest = closest)
}
