#' Persistent nonnegative matrix factorisation
#'
#' Factorises a nonnegative matrix at a sequence of scales, from fine to coarse.
#' Minimises
#' \deqn{\sum_t \|X - W_t H_t\|^2 + \lambda_1 tr(H_t L_t H_t') + \lambda_3
#' \|H_t\|^2 + \lambda_2 \sum_{t>1} \|H_t - H_{t-1}\|^2}{sum_t |X - W_t H_t|^2
#' + l1 tr(H_t L_t H_t') + l3 |H_t|^2 + l2 sum_{t>1} |H_t - H_{t-1}|^2}
#' over nonnegative `W_t` (features x rank) and `H_t` (rank x cells), where
#' `L_t` is the Laplacian of the graph at scale `t`.
#'
#' @section Input:
#' Log-normalised expression (the `data` layer or `logcounts`), or the result of
#' [normalize_counts()]. Values must be nonnegative and finite, so scaled or
#' centred data give an error; the largest must be between 1e-120 and 1e120. Raw
#' counts work, but a few genes with large counts dominate the fit; a warning says
#' so. Cells without a positive value belong to no cluster. Repeated names are
#' made unique. Sparse matrices are never made dense; with more than about 30%
#' nonzero entries, a dense matrix is faster.
#'
#' With more than 10,000 cells in memory, a fit of 3,000 of them comes first, and
#' one sweep over all cells follows, which does not converge. In simulations,
#' more sweeps brought programs and usages no nearer to the truth. If you want
#' them, use `control = pnmf_control(max_outer = 500)`.
#'
#' @section Scales and distances:
#' For data with more than 100 features, distances are measured on the first 20
#' principal components of the 2,000 most variable features, between each cell
#' and its 15 nearest neighbours, with `metric = "adaptive"` of
#' [persistence_scales()]. `space`, `metric`, `graph` and `n_neighbors` change
#' this. There are 12 scales, spread evenly in the logarithm of their
#' [effective_cells()]: how many cells the graph of a scale still tells apart.
#' The finest scale has no edges. The coarsest has 3 effective cells
#' (`coarsest`), which sets the strength of the graph, `lambda_graph`. Fine
#' scales show states of cells, coarse scales show types and lineages. A message
#' says what was chosen, and the vignette "The method" says why.
#'
#' `thin = "betti"`, `"index"` or `"gap"` keep some of the canonical scales
#' instead, with the weights of those that were left out, see
#' [persistence_scales()]. `scales = "paper"` selects the setting of the paper:
#' distances in all features, all pairs of cells, all canonical scales,
#' `alpha = 1.5`. All of this but `alpha` is also the default for up to 100 cells
#' with up to 100 features. The solvers `"mu"` and `"authors"` measure distances
#' in all features, too, with all pairs up to 2,000 cells and all canonical
#' scales up to 500 cells.
#'
#' By default, `pnmf(c * x)` is the path of `x` with embeddings multiplied by
#' `c`.
#'
#' @section Solvers:
#' As written, the model has no minimiser: lengthening `W` and shortening `H`
#' sends every penalty to zero. The default `"hals"` therefore limits the length
#' of every column of `W` to 1. It converges to a stationary point, and its
#' objective never rises. `"mu"` is exactly the paper's Algorithm 1 (at the end,
#' the columns of `W` are scaled to sum to 1). `"authors"` follows the arithmetic
#' of the authors' released code, to reproduce published results; its objective
#' is not monotone.
#'
#' @section Checkpoints:
#' With `control = pnmf_control(checkpoint = "fit.ckpt")`, the state of the fit
#' is kept in that file. The same call with `resume = "fit.ckpt"` continues the
#' fit after a crash, an interrupt or a `time_limit`, or with a larger `max_outer`
#' or smaller `tol`. On the same kind of machine, the result is the same to the
#' last bit as without the interruption. What changes the result must be as in the
#' earlier call; otherwise an error says what differs. Use
#' `resume = if (file.exists(file)) file` in a script that may be killed.
#'
#' @section Beyond one machine:
#' Use `BPPARAM` to spread one fit of `"hals"` over several processes or machines:
#' [BiocParallel::SnowParam()], or `SnowParam(type = "MPI")` with the package Rmpi
#' on a cluster; `system.file("scripts", "shards.slurm", package = "pNMF")` is a
#' job script for SLURM. The result is the same for any number of workers, and
#' agrees with that on threads to within the tolerance of convergence. All workers
#' must be able to read and write the folder `shared` of [pnmf_control()] and that
#' of a `checkpoint`. The vignette "The method" says more about both.
#'
#' @param x Nonnegative data, features x cells: a matrix, sparse Matrix, numeric
#'   data.frame, DelayedMatrix (including HDF5 files) or IterableMatrix of
#'   BPCells. A DelayedMatrix or IterableMatrix that would take more than `memory`
#'   of [pnmf_control()] is read in blocks of cells, twice in every sweep.
#' @param rank Number of factors; `NULL` takes it from the data: the principal
#'   components of the 2,000 most variable features that are more signal than
#'   noise, and one for the mean, or twice as many as components, up to 10;
#'   between 2 and 30. With `scales = "paper"`, and
#'   with `"mu"` and `"authors"`, it is `min(ceiling(sqrt(cells)), 30)`.
#' @param scales Number of scales; `NULL` for the default (12, or all if the
#'   data have few features and cells); `"paper"` for the setting of the paper;
#'   or a [persistence_scales()] object of the same cells. See *Scales and
#'   distances* below.
#' @param lambda_graph,lambda_smooth,lambda_anchor Weights of the penalties; 0
#'   switches one off. `lambda_graph = NULL` is solved from the data, see
#'   `coarsest`; in the setting of the paper and for `"mu"` and `"authors"` it
#'   means 1. `lambda_anchor = NULL` means 0.1 for `"hals"` and 1 for the other
#'   solvers.
#' @param coarsest The [effective_cells()] of the coarsest scale, more than one
#'   and fewer than there are cells; `NULL` means 3. It sets `lambda_graph`, so
#'   only one of them may be given.
#' @param solver The algorithm, see below.
#' @param control Settings, see [pnmf_control()].
#' @param resume `NULL`, or the name of a `checkpoint` file of an earlier call,
#'   see below.
#' @param ... How scales are found, if `scales` is not an object: `space`, the
#'   coordinates in which distances between cells are measured, cells x dimensions
#'   (such as principal components: `prcomp()$x`, `Embeddings()`, `reducedDim()`),
#'   by default principal components of `x`, or `x` itself if it has few features;
#'   `thin`, `metric`, `graph` and `n_neighbors` of [persistence_scales()]. Also
#'   `alpha`, the decay of the graph weights exp(-d^2 / threshold^alpha), see
#'   [scale_graph()]. By default, it is 2 for `"hals"`, so that the weights do not
#'   depend on the unit of the data, and 1.5, as in the paper, for the other
#'   solvers and for `scales = "paper"`.
#' @param BPPARAM `NULL`, or a BiocParallel backend whose workers hold the cells
#'   during a fit of `"hals"`, see below.
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
pnmf <- function(x, rank = NULL, scales = NULL, lambda_graph = NULL, coarsest = NULL, ..., lambda_smooth = 1,
                 lambda_anchor = NULL, solver = c("hals", "mu", "authors"), control = pnmf_control(), resume = NULL,
                 BPPARAM = NULL) {
    begun <- proc.time()[["elapsed"]]
    assert_no_container(x)
    assert_whole_names(names(sys.call()))
    settings <- c(scale_settings(...), list(coarsest = coarsest))
    if (!is.null(coarsest) && !is.null(lambda_graph)) {
        stop_pnmf("'coarsest' must be NULL if 'lambda_graph' is given: each determines the other")
    }
    solver <- assert_choice(solver, c("hals", "mu", "authors"), "solver")
    assert_backend(BPPARAM)
    control <- complete_control(control, solver)
    assert_shardable(BPPARAM, solver, control)
    x <- as_data_matrix(x, memory = control$memory)
    assert_fittable(x)
    keep_gram()
    on.exit(forget_gram())
    parameters <- list(
        rank = if (is.null(rank)) default_rank(x, solver, scales, control$threads) else assert_rank(rank, x),
        lambda_graph = if (!is.null(lambda_graph)) assert_number(lambda_graph, "lambda_graph", min = 0),
        lambda_smooth = assert_number(lambda_smooth, "lambda_smooth", min = 0),
        lambda_anchor = assert_anchor(lambda_anchor, solver),
        alpha = assert_alpha(settings$alpha, solver, scales),
        solver = solver, control = control, sharded = !is.null(BPPARAM)
    )
    parameters <- c(parameters, input_notes(x))
    assert_no_overflow(x, unlist(parameters[c("lambda_graph", "lambda_smooth", "lambda_anchor")]))
    run <- new_run(x, parameters, resume, begun)
    scales <- with_edges(scales_for(x, scales, parameters, list(...)[["space"]], settings))
    parameters$lambda_graph <- graph_penalty(scales, parameters, coarsest)
    scales <- with_effective_cells(scales, parameters)
    if (control$messages) {
        inform_plan(scales, x, parameters$rank, own = isTRUE(attr(list(...)[["space"]], "own")))
    }
    run <- with_run_scales(run, scales)
    parameters$sampled <- begins_with_sample(x, scales, parameters)
    parameters$control <- with_sweeps(parameters$control, parameters$sampled, ncol(x))
    start <- if (is.null(run$resumed)) list2env(initial_factors(x, scales, parameters, run), parent = emptyenv())
    forget_gram()
    if (has_many_cells(x)) { # garbage would otherwise take memory during the whole fit
        gc(verbose = FALSE)
        return_free_memory_cpp()
    }
    fit <- fit_path(x, scales, start, parameters, run, BPPARAM)
    assemble_path(fit, x, scales, parameters)
}

assemble_path <- function(fit, x, scales, parameters) {
    warn_if_unfinished(fit, parameters)
    new_path(
        scales = with_placement(scales, x, parameters$control$threads), W = fit$W, H = fit$H,
        objective = sweep_record(fit$objective),
        convergence = c(list(
            scales = data.frame(t = seq_along(fit$H), converged = fit$converged,
                                residual = if_measured(fit$residual, fit), steps = fit$steps,
                                movement = if_measured(fit$movement, fit)),
            updates = as.data.frame(fit$updates)
        ), if (!is.null(fit$shards)) list(shards = fit$shards), if (is_streamed(x)) list(disk = disk_record(x))),
        parameters = stored_parameters(parameters),
        feature_names = feature_names_of(x), cell_names = cell_names_of(x),
        # Distances to new cells need the data if they were measured on more features than the scales keep.
        data = if (isTRUE(scales$measured_on == "features") && is.null(scales$coordinates)) x
    )
}

# One value per scale; NA if the fit has not measured them.
if_measured <- function(values, fit) if (length(values) == 0L) rep(NA_real_, length(fit$H)) else values

# The result does not keep starting factors, nor where it was computed.
stored_parameters <- function(parameters) {
    parameters$sharded <- NULL
    parameters$sampled <- if (parameters$sampled) sampled_cells
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
    if (parameters$sampled && control$max_outer == sweeps_after_sample) {
        return(if (control$messages) inform_refined())
    }
    reached <- if (length(fit$movement) == 0L) {
        "too few to tell how far it is from convergence"
    } else {
        paste0("as many again may move an embedding by ", format(100 * max(fit$movement), digits = 2),
               "% and lower the objective by ", format(fit$decrease, digits = 2), " of its value")
    }
    warn_pnmf("not converged: ", open, " of ", length(fit$converged), " scales (", number_ranges(which(!fit$converged)),
              ") still move after ", counted(length(fit$objective), "sweep"), "; ", reached, " (largest residual ",
              format(max(fit$residual), digits = 2), " of |x|^2); allow more sweeps, control = ",
              "pnmf_control(max_outer = ", 2 * control$max_outer, ")")
}

# Not a warning: more sweeps lower the objective, but they are not needed.
inform_refined <- function() {
    inform_pnmf("started from a fit of ", sampled_cells, " cells and made one sweep over all, the default for so ",
                "many; to go on until nothing moves, use control = pnmf_control(max_outer = 500)")
}

# Ascending whole numbers in short: "1-3, 7".
number_ranges <- function(numbers) {
    runs <- split(numbers, cumsum(c(1, diff(numbers) != 1)))
    paste(vapply(runs, function(run) paste(unique(range(run)), collapse = "-"), ""), collapse = ", ")
}

warn_out_of_time <- function(sweeps, control) {
    remedy <- resume_remedy(control, "raise it, or continue with control = pnmf_control(start = <this path>)")
    warn_pnmf("not converged: stopped after ", counted(sweeps, "sweep"), " by 'time_limit' = ",
              format(control$time_limit), " seconds; ", remedy)
}
