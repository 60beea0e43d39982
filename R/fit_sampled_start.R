# The start of "hals" for many cells: a fit of some of them, with as many effective cells. All cells begin with its
# bases and with the mean embedding of the nearest cells of the sample. One sweep over all cells is enough then: more of
# them bring programs and usages no nearer to the truth (inst/experiments/sweeps.R).

max_cells_without_sample <- 10000L
sampled_cells <- 3000L
nearest_sampled <- 5L
sweeps_after_sample <- 1L

begins_with_sample <- function(x, scales, parameters) {
    parameters$solver == "hals" && identical(parameters$control$start, "nndsvda") && !is_streamed(x) &&
        !parameters$sharded && ncol(x) > max_cells_without_sample && length(scales$threshold) > 1L &&
        !is.null(scales$effective_cells) && !is.null(scales$coordinates) && scales$graph == "knn"
}

# The control with the default number of sweeps of "hals". 18 are the fewest after which it can say that it has
# converged.
with_sweeps <- function(control, sampled, n_cells) {
    if (is.null(control$max_outer)) {
        control$max_outer <- if (sampled) sweeps_after_sample else as.integer(max(18, min(1000, 2.5e6 / n_cells)))
    }
    control
}

sampled_start <- function(x, scales, parameters, run) {
    chosen <- round(seq(1, ncol(x), length.out = sampled_cells))
    near <- sampled_scales(scales, chosen, parameters)
    fit <- sampled_fit(x[, chosen, drop = FALSE], near, parameters, run)
    log_cells <- log(near$effective_cells)
    like <- vapply(log(scales$effective_cells), function(value) which.min(abs(log_cells - value)), integer(1))
    points <- t(scales$coordinates)
    index <- query_neighbors(points[chosen, , drop = FALSE], points, nearest_sampled, parameters$control$threads)$index
    list(W = fit$W[like], H = fit$H[like], near = index, chain = FALSE)
}

# Scales of some cells, with as many effective cells at the coarse end, or as few as can be reached.
sampled_scales <- function(scales, chosen, parameters) {
    threads <- parameters$control$threads
    found <- found_scales(scales$coordinates[, chosen, drop = FALSE], scales$metric, "knn", scales$n_neighbors, "exact",
                          threads, verbose = FALSE)
    coarsest <- min(scales$effective_cells)
    curve <- penalty_curve(found, coarsest, parameters$alpha, effective_measure(found, parameters$alpha, threads))
    lambda <- penalty_on(curve, coarsest)
    even_scales(found, length(scales$threshold), NULL, lambda, parameters$alpha, threads)
}

# Most of it is done by the sweeps over fewer scales that every fit begins with.
sampled_fit <- function(sample, scales, parameters, run) {
    parameters$lambda_graph <- scales$lambda_graph
    parameters$start_sweeps <- 100L
    parameters$sampled <- FALSE
    parameters$control[c("max_outer", "tol", "record", "verbose")] <- list(5L, 0, FALSE, FALSE)
    parameters$control["checkpoint"] <- list(NULL)
    fit_path(sample, scales, projected_start(sample, parameters), parameters, list(begun = run$begun))
}
