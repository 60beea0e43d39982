#' Baseline methods: NMF, GNMF, TNMF and k-TNMF
#'
#' Fit the methods that pNMF is compared with: nonnegative matrix factorisation
#' at a single scale, either plain or with one graph of the cells. All of them
#' minimise
#' \deqn{\|X - W H\|^2 + \lambda\, tr(H L H')}{|X - W H|^2 + lambda tr(H L H')}
#' over nonnegative `W` (features x rank) and `H` (rank x cells), with `L` the
#' Laplacian of the method's graph, and keep the columns of `W` at unit length.
#'
#' @section Graphs:
#' Neighbours are Euclidean and exact; ties are resolved by the order of the
#' cells. The heat weight of a pair at distance `d` is
#' `exp(-d^2 / longest^1.5)`, where `longest` is the largest distance between
#' any two cells.
#' * NMF: no graph.
#' * GNMF: heat weights between each cell and its `n_neighbors` nearest cells.
#'   The larger weight of the two directions is used.
#' * TNMF: the range of these heat weights is divided into equal steps, one per
#'   entry of `weights`. An entry that reaches the end of the first step gets
#'   the last weight; at the end of the second step it also gets the weight
#'   before that, and so on. Entries within the first step get nothing. The two
#'   directions `a` and `b` are combined as `a + b - a b`.
#' * k-TNMF: for every `k`, each cell gives `weights[k]` to each of its `k`
#'   nearest cells, so nearer cells collect more weight. The directions are
#'   combined in the same way.
#'
#' `weights` are scaled to sum to one.
#'
#' @section Solvers:
#' `"mu"` follows the arithmetic of the comparison in the paper: multiplicative
#' steps, `W` first, whose columns are then scaled to unit length, until the loss
#' changes by at most `tol` of itself in one step. (The released code takes at
#' most 999 steps and first compares the initial loss with 1e9.) `"hals"`
#' minimises the same loss with columns of `W` no longer than one, and stops by
#' the rule of [pnmf()]. Its loss never rises, and is lower after fewer steps.
#'
#' @inheritParams pnmf
#' @param n_neighbors Neighbours per cell, less than the number of cells.
#' @param weights Nonnegative weights, not all zero: one per step of the range
#'   for TNMF, one per nearest neighbour (1, 2, ...) for k-TNMF. There must be
#'   fewer neighbours than cells. The default is that of the comparison in the
#'   paper.
#' @param lambda Weight of the graph.
#' @param rank Number of factors; `NULL` means `min(ceiling(sqrt(cells)), 30)`.
#' @param start Starting factors, a list with `W` (features x rank) and `H`
#'   (rank x cells); `NULL` means those of [nndsvda()].
#' @param max_steps Maximum number of steps.
#' @param tol When to stop, see below; 0 takes exactly `max_steps` steps.
#' @param threads Number of threads. The result does not depend on it.
#' @param solver The algorithm, see below.
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
    start <- if (is.null(settings$start)) nndsvda(x, settings$rank, settings$threads) else settings$start
    no_edges <- Matrix::sparseMatrix(i = integer(), j = integer(), x = numeric(), dims = c(ncol(x), ncol(x)))
    weights <- if (is.null(adjacency)) no_edges else as_compressed_columns(adjacency)
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

assert_baseline_start <- function(start, x, rank) {
    if (is.null(start)) return(NULL)
    if (!is.list(start) || !all(c("W", "H") %in% names(start))) {
        stop_pnmf("'start' must be NULL or a list with W and H, not ", describe(start))
    }
    list(W = assert_factor(start$W, c(nrow(x), rank), "start$W"),
         H = assert_factor(start$H, c(rank, ncol(x)), "start$H"))
}

assert_weights <- function(weights, max_length = Inf) {
    fits <- is.numeric(weights) && !is.object(weights) && length(weights) > 0L && all(is.finite(weights)) &&
        all(weights >= 0) && any(weights > 0)
    if (!fits) {
        came <- if (is.numeric(weights) && length(weights) > 0L) abbreviated(weights) else describe(weights)
        stop_pnmf("'weights' must be finite numbers of at least 0, not all of them 0, not ", came)
    }
    if (length(weights) > max_length) {
        stop_pnmf("'weights' must have at most ", max_length, " entries, one less than the number of cells, not ",
                  length(weights))
    }
    as.numeric(weights)
}
