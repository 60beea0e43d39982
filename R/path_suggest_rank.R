#' Suggest a number of factors
#'
#' Helps to choose the rank of a fit. Fits paths with a few scales at several
#' ranks. Reports how well they reconstruct the data, how well they predict
#' held-out cells and genes, and how reproducible their factors are. The
#' suggestion is a heuristic, not a test.
#'
#' The reconstruction error falls with every additional factor; the prediction
#' error of held-out data does not. In each repeat, a share of the cells is held
#' out and the path is fitted to the others. The coordinates of the held-out
#' cells are computed from a random half of the features, and the other half is
#' predicted (and vice versa). The error is relative to a model without factors,
#' which predicts every feature by its mean over the fitted cells. The
#' suggestion is the rank with the smallest *score*,
#' \deqn{score(r) = error(r) + price \cdot r,}{score(r) = error(r) + price * r,}
#' so an additional factor must lower the error by at least the `price`. Cells
#' and halves are the same for every rank. The score of a rank does not depend on
#' which other ranks are compared. Without repeats, the error is the
#' reconstruction error, at the same price.
#'
#' With the default `price`, ten factors cost 1% of the error without factors.
#' The price matters only where the curve is flat. The comparison takes about as
#' long as one fit.
#'
#' If the suggestion is the largest rank tried, try larger ones. On real data
#' the curve is often flat, and a range of ranks is equally good. The clusters
#' of the rank that predicts best need not agree best with cell types.
#'
#' @param x Nonnegative data, features x cells, as for [pnmf()]; or a Seurat
#'   object or SingleCellExperiment. An object contributes the features of its
#'   path or, without a path, the features that [RunPNMF()] or [runPNMF()] would
#'   use. For `print()` and `plot()`, a `rank_suggestion`.
#' @param ranks The ranks to compare; `NULL` for about eight from 2 to twice the
#'   square root of the number of cells, but at most 40.
#' @param scales Number of scales of each fit: the finest scale and others,
#'   spread as [pnmf()] spreads them. The coarsest scale, whose graph joins all
#'   cells, is never used.
#' @param n_repeats How often cells are held out; 0 uses only the reconstruction
#'   error.
#' @param holdout The share of cells to hold out.
#' @param price By how much an additional factor must lower the error, as a
#'   share of the error without factors.
#' @param seed Seed for the random choice of cells and features, or `NULL`. The
#'   random numbers of the session are neither used nor changed.
#' @param control Settings of the fits, see [pnmf_control()].
#' @param BPPARAM `NULL`, or a BiocParallel backend that distributes the fits
#'   over its workers. Use `pnmf_control(threads = 1)` with a forking backend.
#' @param reduction Name of the path, if the object holds several.
#' @param ... Further arguments, passed to [pnmf()], such as `lambda_graph`.
#' @return An object of class `rank_suggestion`, a list with `rank`, the
#'   suggestion; `elbow`, the rank that the reconstruction error alone would
#'   suggest at the same price; and `evidence`, a data frame with one row per
#'   rank: `rank`, `error` (of reconstruction, mean over the scales),
#'   `holdout_error` (mean) and `holdout_se` (its standard error over repeats
#'   and halves), all as shares of the error without factors, `score` (which is
#'   minimised), `stability` (mean cosine of the factors of the repeats with
#'   their best one-to-one matches in the fit to all cells), `suggested`. It has
#'   a `print()` method, and `plot()` draws the evidence.
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
suggest_rank <- function(x, ranks = NULL, scales = 2, n_repeats = 2, holdout = 0.2, seed = NULL,
                         control = pnmf_control(max_outer = 50, verbose = FALSE), BPPARAM = NULL, ...,
                         price = 0.001, reduction = NULL) {
    x <- as_data_matrix(if (is_host(x)) fit_input(x, reduction) else x)
    n_repeats <- assert_count(n_repeats, "n_repeats", min = 0)
    holdout <- assert_number(holdout, "holdout", above = 0)
    price <- assert_number(price, "price", min = 0)
    splits <- random_splits(x, n_repeats, holdout, assert_seed(seed))
    ranks <- assert_ranks(ranks, x, splits)
    assert_passed_on(list(...), c("lambda_graph", "lambda_smooth", "lambda_anchor", "alpha", "solver"))
    assert_class(control, "pnmf_control", "control", "pnmf_control()")
    assert_no_checkpoint(control)
    scales <- assert_count(scales, "scales")
    # Distances do not depend on the rank: they are computed once for all cells and once for each repeat.
    parts <- run_independent(c(list(NULL), splits), part_scales, BPPARAM, x = x, n_scales = scales,
                             control = control, ..., label = "distances")
    tasks <- rank_tasks(ranks, n_repeats)
    fits <- run_independent(tasks, rank_fit, BPPARAM, x = x, splits = splits, parts = parts,
                            settings = list(control = control, ...), label = "ranks")
    evidence <- rank_evidence(ranks, tasks, fits, price)
    structure(
        list(rank = evidence$rank[evidence$suggested], elbow = ranks[which.min(evidence$error + price * ranks)],
             evidence = evidence, n_repeats = n_repeats, price = price),
        class = "rank_suggestion"
    )
}

#' @rdname suggest_rank
#' @export
print.rank_suggestion <- function(x, ...) {
    ranks <- x$evidence$rank
    chosen <- x$evidence[x$evidence$suggested, ]
    reason <- if (x$n_repeats > 0L) {
        sprintf("held-out error %.4f (best: %.4f at rank %d), factor stability %.2f", chosen$holdout_error,
                min(x$evidence$holdout_error), ranks[which.min(x$evidence$holdout_error)], chosen$stability)
    } else {
        "by the reconstruction error; no cells were held out"
    }
    writeLines(c(
        sprintf("suggested rank: %d (of %s)", x$rank, abbreviated(ranks)),
        reason,
        sprintf("reconstruction error %.4f; alone it suggests rank %d", chosen$error, x$elbow),
        sprintf("errors are shares of the error without factors; another factor must lower it by %s", format(x$price)),
        if (x$rank == max(ranks)) "this is the largest rank tried: try larger ones",
        "a heuristic: look at plot(x) and x$evidence"
    ))
    invisible(x)
}

# One list per repeat: the held-out cells, and one half of the features.
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

# Every rank on all cells (repeat 0), then every rank on each repeat; large ranks first, because they are slow.
rank_tasks <- function(ranks, n_repeats) {
    grid <- expand.grid(rank = rev(ranks), part = seq.int(0L, n_repeats))
    lapply(seq_len(nrow(grid)), function(i) list(rank = grid$rank[i], part = grid$part[i]))
}

# The scales of the fitted cells, without the coarsest. The graph of the coarsest scale joins all cells, and its penalty
# hides what another factor adds.
part_scales <- function(split, x, n_scales, control, solver = "hals", alpha = NULL, lambda_graph = NULL, ...) {
    kept <- if (is.null(split)) x else x[, -split$cells, drop = FALSE]
    parameters <- list(rank = 1L, control = control, solver = solver, alpha = assert_alpha(alpha, solver, n_scales),
                       lambda_graph = lambda_graph)
    scales <- quietly(scales_for(kept, n_scales + 1L, parameters))
    subset_scales(scales, seq_len(min(n_scales, length(scales$threshold))))
}

rank_fit <- function(task, x, splits, parts, settings) {
    split <- if (task$part > 0L) splits[[task$part]]
    kept <- if (is.null(split)) x else x[, -split$cells, drop = FALSE]
    scales <- parts[[task$part + 1L]]
    path <- quietly(do.call(pnmf, c(list(quote(kept), rank = task$rank, scales = quote(scales)), settings)))
    W <- unname(loading(path, 1L))
    mean <- unname(Matrix::rowMeans(kept))
    if (is.null(split)) {
        # |x - mean|^2 = |x|^2 - n |mean|^2
        none <- 1 - ncol(x) * sum(mean^2) / sum(x^2)
        return(list(W = W, error = mean(squared_errors(path, x)) / sum(x^2) / positive(none)))
    }
    aside <- x[, split$cells, drop = FALSE]
    list(W = W, holdout = vapply(list(split$half, -split$half), function(known) {
        half_error(W, aside, known) / positive(no_factor_error(mean, aside, known))
    }, numeric(1)))
}

positive <- function(x) max(x, 1e-300)

# Cells are projected by the features `known`, and the other features are predicted: |x - W h|^2 / |x|^2 over those.
half_error <- function(W, x, known) {
    h <- project_cells_cpp(x[known, , drop = FALSE], W[known, , drop = FALSE], 20000L, 1e-10, 1L)
    other <- seq_len(nrow(x))[-known]
    unseen <- as.matrix(x[other, , drop = FALSE])
    total <- sum(unseen^2)
    if (total > 0) sum((unseen - W[other, , drop = FALSE] %*% h)^2) / total else 0
}

# The same with every feature predicted by its mean.
no_factor_error <- function(mean, x, known) {
    other <- seq_len(nrow(x))[-known]
    unseen <- as.matrix(x[other, , drop = FALSE])
    total <- sum(unseen^2)
    if (total > 0) sum((unseen - mean[other])^2) / total else 1
}

rank_evidence <- function(ranks, tasks, fits, price) {
    rank <- vapply(tasks, `[[`, numeric(1), "rank")
    part <- vapply(tasks, `[[`, numeric(1), "part")
    whole <- fits[part == 0][match(ranks, rank[part == 0])]
    held_out <- lapply(ranks, function(r) unlist(lapply(fits[part > 0 & rank == r], `[[`, "holdout")))
    evidence <- cbind(
        data.frame(rank = ranks, error = vapply(whole, `[[`, numeric(1), "error")), holdout_evidence(held_out)
    )
    error <- if (anyNA(evidence$holdout_error)) evidence$error else evidence$holdout_error
    evidence$score <- error + price * ranks
    evidence$stability <- vapply(seq_along(ranks), function(i) {
        factor_stability(whole[[i]]$W, lapply(fits[part > 0 & rank == ranks[i]], `[[`, "W"))
    }, numeric(1))
    evidence$suggested <- seq_along(ranks) == which.min(evidence$score)
    evidence
}

holdout_evidence <- function(held_out) {
    data.frame(
        holdout_error = vapply(held_out, function(errors) {
            if (length(errors) > 0L) mean(errors) else NA_real_
        }, numeric(1)),
        holdout_se = vapply(held_out, function(errors) {
            if (length(errors) > 1L) stats::sd(errors) / sqrt(length(errors)) else NA_real_
        }, numeric(1))
    )
}

# Mean cosine between the columns of W and their best one-to-one matches in each of the others.
factor_stability <- function(W, others) {
    if (length(others) == 0L) return(NA_real_)
    mean(vapply(others, function(other) {
        mean(matched_columns(unit_columns(W), unit_columns(other))$similarity)
    }, numeric(1)))
}

assert_ranks <- function(ranks, x, splits) {
    max_rank <- min(nrow(x), ncol(x) - length(unlist(splits[1], recursive = FALSE)$cells))
    if (is.null(ranks)) {
        top <- min(max_rank, max(4, ceiling(2 * sqrt(ncol(x)))), 40)
        ranks <- round(exp(seq(log(min(2, top)), log(top), length.out = 8)))
    }
    ranks <- sort(unique(assert_indices(ranks, "ranks", max_rank)))
    if (length(ranks) < 2L) stop_pnmf("'ranks' must be at least two different ranks to compare, not ", length(ranks))
    ranks
}
