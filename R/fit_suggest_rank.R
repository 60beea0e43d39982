#' Suggest a number of factors
#'
#' A heuristic, not a test. Fits paths of a few scales at each of several ranks
#' and reports how well they reconstruct the data, how well they predict cells
#' and genes they have not seen, and how reproducible their factors are.
#'
#' The error of reconstruction falls with every further factor; the prediction of
#' held-out data does not. For each repeat a share of the cells is set aside and
#' the path is fitted to the others. The coordinates of the cells set aside are
#' found from a random half of the features, and the other half is predicted (and
#' vice versa). Cells and halves are the same for every rank, so ranks are
#' compared pairwise. The suggestion is the smallest rank whose held-out error
#' exceeds the smallest one by no more than the standard error of that
#' difference, or by no more than 2% of the gain from the worst to the best rank.
#' Without repeats it is the elbow of the reconstruction error: the
#' rank farthest below the straight line from the first to the last rank.
#'
#' When the suggestion is the largest rank tried, try larger ones; on real data
#' the curve is often flat, and a range of ranks is equally good. The rank that
#' predicts best need not be the one whose clusters agree best with cell types.
#'
#' @param x Nonnegative data, features x cells, as for [pnmf()]; or a Seurat
#'   object or SingleCellExperiment, of which the features of its path are used,
#'   or without a path those that [RunPNMF()] or [runPNMF()] would use. For
#'   `print()` and `plot()`, a `rank_suggestion`.
#' @param ranks The ranks to compare; `NULL` for about eight from 2 to twice the
#'   square root of the number of cells.
#' @param scales How many scales each fit has: the finest and others evenly spread
#'   over the canonical ones, without the coarsest, whose graph joins all cells.
#' @param n_repeats How often cells are set aside; 0 for the elbow alone.
#' @param holdout The share of cells set aside.
#' @param seed Whole number for the random choice of cells and features, or
#'   `NULL`. The session's random numbers are neither used nor changed.
#' @param control Settings of the fits, see [pnmf_control()].
#' @param BPPARAM `NULL`, or a BiocParallel backend that shares the fits among
#'   its workers; use `pnmf_control(threads = 1)` with one that forks.
#' @param ... Further arguments of [pnmf()], such as `lambda_graph`.
#' @param reduction The path's name, where an object holds several.
#' @return An object of class `rank_suggestion`, a list with `rank`, the
#'   suggestion; `elbow`, the elbow of the reconstruction error; and `evidence`,
#'   a data frame with one row per rank: `rank`, `error` (of reconstruction, mean
#'   over the scales, as a share of `|x|^2`), `below_chord` (what the elbow
#'   maximises), `holdout_error` (mean) and `holdout_excess`, `excess_se` (mean
#'   difference from the best rank and its standard error), `stability` (mean
#'   cosine of the factors of the repeats with their best one-to-one matches in
#'   the fit to all cells), `suggested`. It prints, and `plot()` draws the
#'   evidence.
#' @seealso [suggest_scale()]
#' @references Owen, Perry (2009) Bi-cross-validation of the SVD and the
#'   nonnegative matrix factorization. Annals of Applied Statistics 3, 564-594.
#' @examples
#' x <- simulate_circles(seed = 1)
#' suggestion <- suggest_rank(x, ranks = 1:3, scales = 2, n_repeats = 1,
#'                            control = pnmf_control(max_outer = 3, tol = 0))
#' suggestion
#' suggestion$evidence
#' plot(suggestion)
#' @export
suggest_rank <- function(x, ranks = NULL, scales = 3, n_repeats = 3, holdout = 0.2, seed = NULL,
                         control = pnmf_control(max_outer = 50, verbose = FALSE), BPPARAM = NULL, ...,
                         reduction = NULL) {
    x <- as_data_matrix(if (is_host(x)) host_input(x, reduction) else x)
    n_repeats <- assert_count(n_repeats, "n_repeats", min = 0)
    holdout <- assert_number(holdout, "holdout", above = 0)
    splits <- random_splits(x, n_repeats, holdout, assert_seed(seed))
    ranks <- assert_ranks(ranks, x, splits)
    assert_fit_arguments(...)
    assert_class(control, "pnmf_control", "control", "pnmf_control()")
    assert_no_checkpoint(control)
    settings <- list(scales = assert_count(scales, "scales"), fit = list(control = control, ...))
    tasks <- rank_tasks(ranks, n_repeats)
    fits <- run_independent(tasks, rank_fit, BPPARAM, x = x, splits = splits, settings = settings)
    evidence <- rank_evidence(ranks, tasks, fits)
    structure(
        list(rank = evidence$rank[evidence$suggested], elbow = ranks[which.max(evidence$below_chord)],
             evidence = evidence, n_repeats = n_repeats),
        class = "rank_suggestion"
    )
}

# One list per repeat: the cells set aside, and one half of the features.
random_splits <- function(x, n_repeats, holdout, seed) {
    n_aside <- max(1L, as.integer(round(holdout * ncol(x))))
    if (n_repeats > 0L && (n_aside > ncol(x) - 2L || nrow(x) < 2L)) {
        stop_pnmf("'holdout' must leave at least two of the ", ncol(x), " cells to fit, not ", ncol(x) - n_aside,
                  "; or set n_repeats = 0")
    }
    with_random_state(seed, lapply(seq_len(n_repeats), function(i) {
        list(cells = sort(sample.int(ncol(x), n_aside)), half = sort(sample.int(nrow(x), nrow(x) %/% 2L)))
    }))
}

# Every rank on all cells (repeat 0), then every rank on each repeat; the slow large ranks first.
rank_tasks <- function(ranks, n_repeats) {
    grid <- expand.grid(rank = rev(ranks), part = seq.int(0L, n_repeats))
    lapply(seq_len(nrow(grid)), function(i) list(rank = grid$rank[i], part = grid$part[i]))
}

rank_fit <- function(task, x, splits, settings) {
    split <- if (task$part > 0L) splits[[task$part]]
    kept <- if (is.null(split)) x else x[, -split$cells, drop = FALSE]
    path <- quietly_fitted(kept, task$rank, settings)
    W <- unname(loading(path, 1L))
    if (is.null(split)) return(list(W = W, error = mean(reconstruction_error(path, x)$relative)))
    aside <- x[, split$cells, drop = FALSE]
    list(W = W, holdout = c(half_error(W, aside, split$half), half_error(W, aside, -split$half)))
}

# A fit without the coarsest scale, whose graph joins all cells: its penalty hides what a further factor adds.
# Fits need not be complete to be compared, so their warnings are dropped.
quietly_fitted <- function(x, rank, settings) {
    withCallingHandlers({
        scales <- scales_for(x, settings$scales + 1L, list(rank = rank, control = settings$fit$control))
        scales <- subset_scales(scales, seq_len(min(settings$scales, length(scales$threshold))))
        do.call(pnmf, c(list(quote(x), rank = rank, scales = quote(scales)), settings$fit))
    },
    pnmf_warning = function(w) invokeRestart("muffleWarning"),
    pnmf_message = function(m) invokeRestart("muffleMessage"))
}

# Cells are placed by the features `known`, the other features predicted: |x - W h|^2 / |x|^2 over those.
half_error <- function(W, x, known) {
    h <- project_cells_cpp(x[known, , drop = FALSE], W[known, , drop = FALSE], 1000L, 1e-10, 1L)
    other <- seq_len(nrow(x))[-known]
    unseen <- as.matrix(x[other, , drop = FALSE])
    total <- sum(unseen^2)
    if (total > 0) sum((unseen - W[other, , drop = FALSE] %*% h)^2) / total else 0
}

rank_evidence <- function(ranks, tasks, fits) {
    rank <- vapply(tasks, `[[`, numeric(1), "rank")
    part <- vapply(tasks, `[[`, numeric(1), "part")
    whole <- fits[part == 0][match(ranks, rank[part == 0])]
    error <- vapply(whole, `[[`, numeric(1), "error")
    evidence <- data.frame(rank = ranks, error = error, below_chord = below_chord(ranks, error))
    held_out <- lapply(ranks, function(r) unlist(lapply(fits[part > 0 & rank == r], `[[`, "holdout")))
    evidence <- cbind(evidence, excess_evidence(held_out))
    evidence$stability <- vapply(seq_along(ranks), function(i) {
        factor_stability(whole[[i]]$W, lapply(fits[part > 0 & rank == ranks[i]], `[[`, "W"))
    }, numeric(1))
    evidence$suggested <- seq_along(ranks) == chosen_rank(evidence)
    evidence
}

# Height of the chord from the first to the last point above the curve, both axes scaled to 0..1.
below_chord <- function(ranks, error) {
    span <- error[1] - error[length(error)]
    if (span <= 0) return(rep(0, length(error)))
    along <- (ranks - ranks[1]) / (ranks[length(ranks)] - ranks[1])
    (error[1] - error) / span - along
}

excess_evidence <- function(held_out) {
    if (length(held_out[[1]]) == 0L) {
        none <- rep(NA_real_, length(held_out))
        return(data.frame(holdout_error = none, holdout_excess = none, excess_se = none))
    }
    errors <- do.call(rbind, held_out)
    excess <- errors - rep(errors[which.min(rowMeans(errors)), ], each = nrow(errors))
    data.frame(holdout_error = rowMeans(errors), holdout_excess = rowMeans(excess),
               excess_se = apply(excess, 1L, stats::sd) / sqrt(ncol(excess)))
}

chosen_rank <- function(evidence) {
    if (anyNA(evidence$holdout_error)) return(which.max(evidence$below_chord))
    negligible <- pmax(evidence$excess_se, 0.02 * max(evidence$holdout_excess))
    which(evidence$holdout_excess <= negligible)[1]
}

# Mean cosine between the columns of W and their best one-to-one matches in each of the others.
factor_stability <- function(W, others) {
    if (length(others) == 0L) return(NA_real_)
    unit_columns <- function(m) t(unit_rows(t(m)))
    mean(vapply(others, function(other) {
        cosine <- pmax(crossprod(unit_columns(W), unit_columns(other)), 0)
        partner <- as.integer(clue::solve_LSAP(cosine, maximum = TRUE))
        mean(cosine[cbind(seq_len(ncol(W)), partner)])
    }, numeric(1)))
}
