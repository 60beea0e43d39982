#' How stable and how well supported gene programs are
#'
#' Fits the path again to random halves of the cells and says, for every program
#' and scale, how similar the programs of these fits are. Also says which
#' programs have enough specific genes to be more than noise.
#'
#' @details
#' The cells are split in half at random, `replicates / 2` times. Each half is
#' fitted from its own start, at the scales of the path restricted to its cells.
#' At every scale the programs are matched one to one with those of the path, as
#' in [factor_tracks()]. `stability` is the mean similarity of the matches: 1 if
#' every half finds the program unchanged.
#'
#' `supported` answers another question: would noise give such a program as well?
#' A program of noise can be stable, because the same gene varies most in every
#' half. But it has one or two genes of its own, where a real program has many:
#' see [factor_markers()] for the criterion.
#'
#' @inheritParams factor_markers
#' @param at Scales to report; `NULL` means all. Fewer scales take less time.
#' @param replicates Number of halves to fit, an even number. Two of them take
#'   about one to three times as long as the path.
#' @param seed Seed for the halves. The random numbers of the session are not
#'   changed.
#' @param BPPARAM `NULL`, or a BiocParallel backend whose workers fit the halves.
#' @return A data frame with one row per program and scale: `factor`, `scale`,
#'   `stability`, `supported`. Pass it to [factor_tracks()] or
#'   [plot_factor_heatmap()] to mark unsupported programs there.
#'   `boxplot(stability ~ factor, result)` shows how stable each program is.
#' @seealso [factor_markers()], [factor_tracks()]
#' @examples
#' data(pbmc_sorted)
#' x <- normalize_counts(pbmc_sorted$counts)[, 1:300]
#' path <- pnmf(x, rank = 6, scales = 3, control = pnmf_control(max_outer = 10, tol = 0))
#' stability <- program_stability(path, x = x)
#' stability[stability$scale == 1, ]
#' boxplot(stability ~ factor, stability)
#' @export
program_stability <- function(path, x = NULL, at = NULL, replicates = 2, seed = NULL, reduction = NULL,
                              BPPARAM = NULL) {
    object <- path
    path <- as_path(object, reduction)
    scales <- chosen_scales(path, at)
    replicates <- assert_replicates(replicates)
    seed <- assert_seed(seed)
    assert_backend(BPPARAM)
    x <- path_data(object, path, x, reduction, "program_stability()")
    assert_enough_cells(path)
    step <- progress_steps("scoring programs", length(scales), at_once = has_many_cells(x))
    supported <- lapply(scales, function(t) step(program_support(x, path, t)))
    halves <- random_halves(ncol(x), replicates, seed)
    bases <- run_independent(halves, half_bases, BPPARAM, x = x, path = path[scales], label = "fitting halves")
    stability <- lapply(seq_along(scales), function(i) {
        own <- distinct_columns(unname(loading(path, scales[i])))
        rowMeans(vapply(bases, function(half) matched_columns(own, half[[i]])$similarity, numeric(ncol(own))))
    })
    data.frame(factor = rep(seq_len(n_factors(path)), length(scales)), scale = rep(scales, each = n_factors(path)),
               stability = unlist(stability), supported = unlist(supported))
}

# Whether each factor has enough specific genes; a factor that no cell uses has none.
program_support <- function(x, path, t) {
    scores <- marker_scores(x, embedding(path, t), unname(loading(path, t)))
    seq_len(n_factors(path)) %in% scores$used[scores$supported]
}

assert_replicates <- function(replicates) {
    replicates <- assert_count(replicates, "replicates", min = 2)
    if (replicates %% 2L != 0L) stop_pnmf("'replicates' must be an even number, not ", replicates)
    replicates
}

assert_enough_cells <- function(path) {
    n <- dim(path)[2]
    needed <- 2L * (n_factors(path) + 1L)
    if (n < needed) {
        stop_pnmf("'path' must have at least ", needed, " cells to fit ", n_factors(path), " factors to half of them, ",
                  "not ", n)
    }
    if (n < few_cells) warn_pnmf("fewer than ", few_cells, " cells: programs of half of them say little")
}

# A list of sets of cells: two halves of every random split.
random_halves <- function(n, replicates, seed) {
    with_random_state(seed, {
        splits <- lapply(seq_len(replicates %/% 2L), function(i) {
            first <- sort(sample.int(n, n %/% 2L))
            list(first, seq_len(n)[-first])
        })
        unlist(splits, recursive = FALSE)
    })
}

# The bases of a fit to some of the cells, one per scale, as distinct_columns(). With fewer cells each cell has fewer
# neighbours; a larger penalty makes up for it.
half_bases <- function(cells, x, path) {
    p <- path@parameters
    control <- p$control
    start <- if (identical(control$start, "random")) "random" else "nndsvda"
    control <- pnmf_control(start = start, seed = control$seed, verbose = FALSE, threads = control$threads,
                            max_outer = max(10L, nrow(path@objective)))
    fit <- quietly(pnmf(
        x[, cells, drop = FALSE], rank = p$rank, scales = scales_of_cells(path@scales, cells),
        lambda_graph = p$lambda_graph * ncol(x) / length(cells), lambda_smooth = p$lambda_smooth,
        lambda_anchor = p$lambda_anchor, alpha = p$alpha, solver = p$solver, control = control
    ))
    lapply(seq_len(n_scales(fit)), function(t) distinct_columns(unname(loading(fit, t))))
}

# Support of factors at scales from a program_stability() result; NA if it is not known.
known_support <- function(stability, factor, t, rank) {
    if (is.null(stability)) return(rep(NA, length(factor)))
    if (!is.data.frame(stability) || !all(c("factor", "scale", "supported") %in% names(stability)) ||
            any(!(stability$factor %in% seq_len(rank)))) {
        stop_pnmf("'stability' must be a program_stability() result of the path's ", rank, " factors, not ",
                  describe(stability))
    }
    stability$supported[match(paste(factor, t), paste(stability$factor, stability$scale))]
}
