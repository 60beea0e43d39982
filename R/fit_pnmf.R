#' Persistent nonnegative matrix factorisation
#'
#' Factorises a nonnegative matrix at a whole sequence of scales. Minimises
#' \deqn{\sum_t \|X - W_t H_t\|^2 + \lambda_1 tr(H_t L_t H_t') + \lambda_3
#' \|H_t\|^2 + \lambda_2 \sum_{t>1} \|H_t - H_{t-1}\|^2}{sum_t |X - W_t H_t|^2
#' + l1 tr(H_t L_t H_t') + l3 |H_t|^2 + l2 sum_{t>1} |H_t - H_{t-1}|^2}
#' over nonnegative `W_t` (features x rank) and `H_t` (rank x cells), where
#' `L_t` is the Laplacian of the graph at scale `t`. Where scales of a thinned path
#' stand for more than themselves (`weight` and `gap` of [persistence_scales()]),
#' `"hals"` multiplies the terms of scale `t` by its weight and divides the step
#' from the scale before by its gap.
#'
#' @section Input:
#' Log-normalised expression (the `data` layer or `logcounts`), or what
#' [normalize_counts()] returns: nonnegative and finite. Scaled or centred
#' values are refused; raw counts run, but are dominated by the few largest
#' genes. The largest entry must lie between 1e-120 and 1e120; smaller entries
#' may be as small as they like.
#'
#' Sparse matrices are never made dense; with more than about 30% nonzero
#' entries a dense matrix is faster (`inst/benchmarks/sparse.R` measures where).
#'
#' @section Scales and distances:
#' In thousands of genes all cells are about equally far apart: connected
#' components are then one giant and single cells, and scales say little. So for
#' data of more than 100 features distances are measured on the first 20
#' principal components (of the centred data; computed inside, without making
#' sparse data dense, in two readings of data on disk), between each cell and its
#' 15 nearest neighbours, with `metric = "adaptive"` of [persistence_scales()].
#' 20 scales are kept, evenly spread in the logarithm of the number of
#' components (`thin = "betti"`). `thin`, `metric`, `graph` and `n_neighbors`
#' change this.
#'
#' A thinned path approximates the full one: with q the number of scales that a
#' kept one stands for and g the distance in scales to the kept one before it,
#' the terms of scale t count q times and the smoothness between the two is
#' divided by g.
#'
#' `scales = "paper"` is the setting of the paper: distances in all features,
#' all pairs of cells, all canonical scales, `alpha = 1.5`. It stays the default
#' for up to 100 features and 500 cells and for the solvers `"mu"` and
#' `"authors"`.
#'
#' By default `pnmf(c * x)` is the path of `x` with embeddings times `c`.
#'
#' @section Solvers:
#' As written the model has no minimiser: making `W` longer and `H` shorter
#' sends every penalty to zero. `"hals"` (the default) therefore keeps every
#' column of `W` at length at most 1, and converges to a stationary point with
#' an objective that never rises. `"mu"` is the paper's Algorithm 1 to the
#' letter (columns of `W` are made to sum to 1 at the end). `"authors"` follows
#' the arithmetic of the authors' released code, for reproducing published
#' results; its objective is not monotone.
#'
#' @section Checkpoints:
#' With `control = pnmf_control(checkpoint = "fit.ckpt")` the state of the fit is
#' written to that file when the start is made, after every sweep (or every few,
#' `every`), and at the end. The same call with `resume = "fit.ckpt"` continues
#' it, after a crash, an interrupt, a `time_limit`, or with a larger `max_outer`
#' or smaller `tol`. The result is that of a run that was never interrupted, to
#' the last bit on the same kind of machine (a changed `tol` is the one exception
#' for `"mu"` and `"authors"`, whose steps depend on it). Resuming a fit that had
#' converged returns its path.
#'
#' A checkpoint replaces the one before as a whole: whatever happens while it is
#' written (a kill, a full disk, a power cut), the file is either the old or the
#' new one. Until then it is called `<file>.part`; a killed process may leave that
#' behind, and the next one uses it again. A file that exists and is no
#' checkpoint is never replaced.
#'
#' Data, scales and everything that changes the result (`rank`, `solver`,
#' penalties, `alpha`, and `max_inner`, `start`, `seed`, `record`, `extrapolate`
#' of the control, and `keep` where that changes the fit) must be those of the earlier call; otherwise, and if the file
#' is damaged, the call is an error that says what differs. The file has a format
#' of its own, whatever its name: it holds numbers only, and reading it never runs
#' or restores R objects.
#'
#' A script that may be killed at any time continues by itself with
#' `resume = if (file.exists(file)) file`.
#'
#' @section Beyond one machine:
#' With `BPPARAM` (such as [BiocParallel::SnowParam()] for processes here or
#' [BiocParallel::BatchtoolsParam()] for a cluster) the part of each sweep that
#' reads the data runs on the backend's workers, one thread each, and the result is
#' that of threads, bit for bit. The problem is written once to a file in `shared` of
#' [pnmf_control()] (or R's temporary folder), which every worker reads once and
#' which all of them must see; data on disk stay where they are, so their file
#' must be seen by all, too. The start and the objective are computed in this
#' session, and so are the embeddings given the bases. With T scales, rank d, n
#' cells and p features, a sweep sends T d (n + p) numbers out and takes T d (n + p +
#' d) back. That pays where a pass over the data takes much longer than sending a
#' factor, so for large data rather than many scales. If a worker dies, the call is an
#' error that names the scales lost; with a `checkpoint`, `resume` continues from the
#' sweep before. Fits for several ranks, seeds or penalties are independent:
#' [suggest_rank()] and [parameter_analysis()] share whole fits among workers.
#'
#' @param x Nonnegative data, features x cells: matrix, sparse Matrix,
#'   data.frame of numbers or DelayedMatrix (HDF5 files among them). A
#'   DelayedMatrix that in memory would take more than `memory` of
#'   [pnmf_control()] is read in blocks of cells at every pass over the data
#'   instead.
#' @param rank Number of factors; `NULL` is `min(ceiling(sqrt(cells)), 30)`, the
#'   paper's rule up to 900 cells, or the smaller dimension of `x` if that is
#'   less.
#' @param scales How many scales: a whole number; `NULL` for the default (20, or
#'   all where the data have few features and cells); `"paper"` for the paper's
#'   setting; or a [persistence_scales()] object of the same cells. See *Scales
#'   and distances* below. A message says what was chosen.
#' @param lambda_graph,lambda_smooth,lambda_anchor The weights of the penalties,
#'   0 switches one off. `lambda_anchor = NULL` is 0.1 for `"hals"` and 1 for
#'   the other solvers.
#' @param alpha Decay of the graphs' weights exp(-d^2 / threshold^alpha), see
#'   [scale_graph()]. `NULL` is 2 for `"hals"`: the weights then do not depend on
#'   the unit of the data. It is 1.5, as in the paper, for the other solvers and
#'   for `scales = "paper"`.
#' @param solver Which algorithm, see below.
#' @param control Settings, see [pnmf_control()].
#' @param space Coordinates in which distances between cells are measured, cells
#'   x dimensions (such as principal components: `prcomp()$x`, `Embeddings()`,
#'   `reducedDim()`); `NULL` for principal components of `x`, or for `x` itself
#'   where it has few features. Not with a [persistence_scales()]
#'   object, which has them already.
#' @param resume `NULL`, or the name of a file that an earlier call wrote as its
#'   `checkpoint`: see below.
#' @param ... `thin`, `metric`, `graph` and `n_neighbors` of
#'   [persistence_scales()].
#' @param BPPARAM `NULL`, or a BiocParallel backend whose workers find
#'   the bases of `"hals"`: see below.
#' @return A [pNMFPath-class].
#' @seealso [embedding()], [predict,pNMFPath-method], [persistence_scales()]
#' @references Zhang, Miao, Li: Persistent Nonnegative Matrix Factorization via
#' Multi-Scale Graph Regularization.
#' @examples
#' x <- simulate_circles(seed = 1)
#' path <- pnmf(x, rank = 2, lambda_graph = 100, lambda_smooth = 100,
#'              scales = 10, control = pnmf_control(max_outer = 30, tol = 0))
#' path
#' head(embedding(path, t = 1))
#'
#' # a fit that is stopped and continued
#' file <- tempfile(fileext = ".ckpt")
#' few <- pnmf_control(checkpoint = file, max_outer = 5, tol = 0)
#' more <- pnmf_control(checkpoint = file, max_outer = 8, tol = 0)
#' path <- pnmf(x, rank = 2, scales = 10, control = few)
#' path <- pnmf(x, rank = 2, scales = 10, control = more, resume = file)
#' nrow(objective(path))
#'
#' # a matrix that another package keeps, on disk for example
#' if (requireNamespace("DelayedArray", quietly = TRUE)) {
#'     pnmf(DelayedArray::DelayedArray(x), rank = 2, scales = 10)
#' }
#' @export
pnmf <- function(x, rank = NULL, scales = NULL, lambda_graph = 1, lambda_smooth = 1, lambda_anchor = NULL,
                 alpha = NULL, solver = c("hals", "mu", "authors"), control = pnmf_control(), resume = NULL,
                 space = NULL, ..., BPPARAM = NULL) {
    UseMethod("pnmf")
}

#' @rdname pnmf
#' @export
pnmf.default <- function(x, rank = NULL, scales = NULL, lambda_graph = 1, lambda_smooth = 1, lambda_anchor = NULL,
                         alpha = NULL, solver = c("hals", "mu", "authors"), control = pnmf_control(), resume = NULL,
                         space = NULL, ..., BPPARAM = NULL) {
    begun <- proc.time()[["elapsed"]]
    settings <- scale_settings(...)
    solver <- assert_choice(solver, c("hals", "mu", "authors"), "solver")
    assert_backend(BPPARAM)
    assert_worker_solver(BPPARAM, solver)
    control <- complete_control(control, solver)
    x <- as_data_matrix(x, memory = control$memory)
    assert_fittable(x)
    parameters <- list(
        rank = assert_rank(rank, x),
        lambda_graph = assert_number(lambda_graph, "lambda_graph", min = 0),
        lambda_smooth = assert_number(lambda_smooth, "lambda_smooth", min = 0),
        lambda_anchor = assert_anchor(lambda_anchor, solver),
        alpha = assert_alpha(alpha, solver, scales),
        solver = solver, control = control
    )
    assert_no_overflow(x, unlist(parameters[c("lambda_graph", "lambda_smooth", "lambda_anchor")]))
    run <- new_run(x, parameters, resume, begun)
    scales <- with_edges(scales_for(x, scales, parameters, space, settings))
    run <- with_run_scales(run, scales)
    start <- if (is.null(run$resumed)) initial_factors(x, scales, parameters)
    fit <- fit_path(x, scales, start, parameters, run, BPPARAM)
    assemble_path(fit, x, scales, parameters)
}

largest_entry <- function(x) {
    if (is_streamed(x)) return(x$largest)
    max(if (is(x, "dgCMatrix")) x@x else x, 0)
}

squared_norm <- function(x) if (is_streamed(x)) x$squared_norm else sum(x^2)

assemble_path <- function(fit, x, scales, parameters) {
    warn_if_unfinished(fit, parameters)
    new_path(
        scales = scales, W = fit$W, H = fit$H,
        objective = sweep_record(fit$objective),
        convergence = list(
            scales = data.frame(t = seq_along(fit$H), converged = fit$converged, residual = fit$residual,
                                steps = fit$steps, movement = predicted_movement(fit)),
            updates = as.data.frame(fit$updates)
        ),
        parameters = stored_parameters(parameters),
        feature_names = feature_names_of(x), cell_names = cell_names_of(x),
        data = if (parameters$control$keep == "embedding") x
    )
}

# By how much as many sweeps again may move each embedding; NA where the fit has not measured it.
predicted_movement <- function(fit) {
    if (length(fit$movement) == 0L) return(rep(NA_real_, length(fit$H)))
    fit$movement
}

# A start given as factors is not kept with the result.
stored_parameters <- function(parameters) {
    if (!is.character(parameters$control$start)) parameters$control$start <- "given"
    parameters
}

sweep_record <- function(objective) {
    before <- c(NA_real_, objective[-length(objective)])
    data.frame(outer = seq_along(objective), objective = objective,
               relative_decrease = (before - objective) / abs(before))
}

warn_if_unfinished <- function(fit, parameters) {
    control <- parameters$control
    open <- sum(!fit$converged)
    if (fit$stopped && open > 0L) return(warn_out_of_time(length(fit$objective), control))
    if (open == 0L || control$tol == 0 || parameters$solver != "hals") return(invisible())
    reached <- if (length(fit$movement) == 0L) {
        "too few to tell how far it is from convergence"
    } else {
        paste0("as many again may move an embedding by ", format(100 * max(fit$movement), digits = 2),
               "% and lower the objective by ", format(fit$decrease, digits = 2), " of itself")
    }
    warn_pnmf("not converged: ", open, " of ", length(fit$converged), " scales still move after ",
              length(fit$objective), " sweeps ('max_outer'); ", reached, " (largest residual ",
              format(max(fit$residual), digits = 2), " of |x|^2); raise 'max_outer' or 'tol' in pnmf_control(), or raise ",
              "'lambda_anchor'")
}

warn_out_of_time <- function(sweeps, control) {
    remedy <- if (is.null(control$checkpoint)) {
        "raise it, or continue with pnmf_control(start = <this path>)"
    } else {
        paste0("call pnmf() again with resume = \"", control$checkpoint, "\" to continue")
    }
    warn_pnmf("not converged: stopped after ", sweeps, if (sweeps == 1L) " sweep" else " sweeps",
              " by 'time_limit' = ", format(control$time_limit), " seconds; ", remedy)
}
