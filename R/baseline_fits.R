#' The methods pNMF is compared with: NMF, GNMF, TNMF and k-TNMF
#'
#' Nonnegative matrix factorisation of a matrix at a single scale, plain or
#' with one graph of the cells. All minimise
#' \deqn{\|X - W H\|^2 + \lambda\, tr(H L H')}{|X - W H|^2 + lambda tr(H L H')}
#' over nonnegative `W` (features x rank) and `H` (rank x cells), with `L` the
#' Laplacian of the method's graph, and keep the columns of `W` at unit length.
#'
#' @section Graphs:
#' Neighbours are Euclidean and exact; equal distances go by the order of the
#' cells. The heat weight of a pair at distance `d` is
#' `exp(-d^2 / longest^1.5)`, where `longest` is the largest distance of any
#' two cells.
#' * NMF: none.
#' * GNMF: heat weights of each cell and its `n_neighbors` nearest; the larger
#'   of both directions.
#' * TNMF: the range of those heat weights, from smallest to largest, is cut
#'   into as many equal steps as there are `weights`. An entry gets the last
#'   weight when it reaches the end of the first step, that and the one before
#'   when it reaches the end of the second, and so on; entries within the first
#'   step get nothing. Both directions `a`, `b` are joined as `a + b - a b`.
#' * k-TNMF: every cell gives `weights[k]` to each of its `k` nearest, for all
#'   `k`, so that nearer cells collect more. Directions are joined likewise.
#'
#' `weights` are scaled to sum to one.
#'
#' @section Solvers:
#' `"mu"` is the arithmetic of the comparison in the paper: multiplicative
#' steps, `W` first, then unit columns of `W`, until a step changes the loss by
#' no more than `tol`, relatively. (The released code takes at most 999 steps,
#' and compares the loss of the start with 1e9 first.) `"hals"` minimises the
#' same loss with columns of `W` no longer than one as a constraint; its loss
#' never rises, and it stops on the same residual as [pnmf()]. It reaches
#' lower losses in fewer steps.
#'
#' @inheritParams pnmf
#' @param n_neighbors Neighbours per cell, less than the number of cells.
#' @param weights Nonnegative weights, not all zero: for TNMF of the steps of
#'   the range, for k-TNMF of the 1, 2, ... nearest neighbours (fewer than
#'   there are cells). The default is the paper's comparison.
#' @param lambda Weight of the graph.
#' @param start Starting factors, a list with `W` (features x rank) and `H`
#'   (rank x cells); `NULL` is [nndsvda()].
#' @param max_steps Most steps.
#' @param tol When to stop, see below; 0 takes exactly `max_steps` steps.
#' @param threads Threads; the result does not depend on it.
#' @param solver Which algorithm, see below.
#' @return A list of class `"nmf_fit"`: `W`, `H`, `loss`, `steps`, `converged`,
#'   `graph` (the symmetric sparse weights, or `NULL`), `method`, `parameters`
#'   and `names` (of features and cells). [embedding()] gives its cells x rank
#'   matrix, [loading()] its features x rank matrix, and `predict()` projects
#'   new cells.
#' @references
#' Cai, He, Han, Huang (2011): Graph regularized nonnegative matrix
#' factorization for data representation. IEEE TPAMI 33, 1548-1560.
#'
#' Hozumi, Wei (2024): Analyzing single cell RNA sequencing with topological
#' nonnegative matrix factorization. J. Comput. Appl. Math. 445, 115842.
#' @examples
#' x <- simulate_circles(seed = 1)
#' fit <- fit_gnmf(x, rank = 3, n_neighbors = 5)
#' fit
#' head(embedding(fit))
#' fit_ktnmf(x, rank = 3, weights = c(1, 1, 1), solver = "hals")$loss
#' @name baselines
NULL

#' @rdname baselines
#' @export
fit_nmf <- function(x, rank = NULL, start = NULL, max_steps = 1000, tol = 1e-3, threads = default_threads(),
                    solver = c("mu", "hals")) {
    x <- as_baseline_data(x)
    settings <- baseline_settings(x, rank, 0, start, max_steps, tol, threads, solver)
    fit_baseline(x, NULL, settings, "NMF")
}

#' @rdname baselines
#' @export
fit_gnmf <- function(x, rank = NULL, n_neighbors = 15, lambda = 0.1, start = NULL, max_steps = 1000, tol = 1e-3,
                     threads = default_threads(), solver = c("mu", "hals")) {
    x <- as_baseline_data(x)
    settings <- baseline_settings(x, rank, lambda, start, max_steps, tol, threads, solver)
    settings$n_neighbors <- assert_count(n_neighbors, "n_neighbors", max = ncol(x) - 1L)
    fit_baseline(x, gnmf_graph(x, settings), settings, "GNMF")
}

#' @rdname baselines
#' @export
fit_tnmf <- function(x, rank = NULL, n_neighbors = 10, weights = c(1, 0, 1, 0, 1, 0, 1, 1), lambda = 0.1,
                     start = NULL, max_steps = 1000, tol = 1e-3, threads = default_threads(),
                     solver = c("mu", "hals")) {
    x <- as_baseline_data(x)
    settings <- baseline_settings(x, rank, lambda, start, max_steps, tol, threads, solver)
    settings$n_neighbors <- assert_count(n_neighbors, "n_neighbors", max = ncol(x) - 1L)
    settings$weights <- assert_weights(weights)
    fit_baseline(x, tnmf_graph(x, settings), settings, "TNMF")
}

#' @rdname baselines
#' @export
fit_ktnmf <- function(x, rank = NULL, weights = c(1, 0, 1, 0, 1, 0, 1, 1), lambda = 1, start = NULL,
                      max_steps = 1000, tol = 1e-3, threads = default_threads(), solver = c("mu", "hals")) {
    x <- as_baseline_data(x)
    settings <- baseline_settings(x, rank, lambda, start, max_steps, tol, threads, solver)
    settings$weights <- assert_weights(weights, max_length = ncol(x) - 1L)
    fit_baseline(x, ktnmf_graph(x, settings), settings, "k-TNMF")
}

as_baseline_data <- function(x) {
    x <- as_data_matrix(x)
    assert_fittable(x)
    x
}

baseline_settings <- function(x, rank, lambda, start, max_steps, tol, threads, solver) {
    rank <- assert_rank(rank, x)
    lambda <- assert_number(lambda, "lambda", min = 0)
    assert_no_overflow(x, c(lambda = lambda))
    list(
        rank = rank,
        lambda = lambda,
        start = assert_baseline_start(start, x, rank),
        max_steps = assert_count(max_steps, "max_steps"),
        tol = assert_number(tol, "tol", min = 0),
        threads = assert_count(threads, "threads"),
        solver = assert_choice(solver, c("mu", "hals"), "solver")
    )
}

# adjacency: a sparse symmetric matrix, or NULL for plain NMF.
fit_baseline <- function(x, adjacency, settings, method) {
    start <- if (is.null(settings$start)) nndsvda(x, settings$rank) else settings$start
    weights <- if (is.null(adjacency)) empty_graph(ncol(x)) else as_compressed_columns(adjacency)
    fit <- fit_gnmf_cpp(x, weights, start$W, start$H, settings$lambda, settings$max_steps, settings$tol,
                        settings$threads, hals = settings$solver == "hals")
    if (!is.finite(fit$loss) || !all(is.finite(fit$H)) || !all(is.finite(fit$W))) {
        stop_pnmf("the fit overflowed: rescale 'x' or use a smaller 'lambda'")
    }
    if (!fit$converged && settings$tol > 0) {
        warn_pnmf(method, " did not converge in ", settings$max_steps, " steps; raise 'max_steps' or 'tol'")
    }
    settings$start <- if (is.null(settings$start)) "nndsvda" else "given"
    new_nmf_fit(fit, adjacency, method, settings,
                names = list(features = feature_names_of(x), cells = cell_names_of(x)))
}
