# The start of "hals" for many cells: the bases of a fit of some of them. Scales with as many effective cells have about
# the same bases, however many cells there are. Embeddings are those of the bases alone, smoothed by the graphs.

max_cells_without_sample <- 10000L
sampled_cells <- 3000L

begins_with_sample <- function(x, scales, parameters) {
    ncol(x) > max_cells_without_sample && !is_streamed(x) && !parameters$sharded && length(scales$threshold) > 1L &&
        !is.null(scales$effective_cells) && !is.null(scales$coordinates) && scales$graph == "knn"
}

sampled_start <- function(x, scales, parameters, run) {
    chosen <- round(seq(1, ncol(x), length.out = sampled_cells))
    near <- sampled_scales(scales, chosen, parameters)
    W <- sampled_bases(x[, chosen, drop = FALSE], near, parameters, run)
    log_cells <- log(near$effective_cells)
    like <- vapply(log(scales$effective_cells), function(value) which.min(abs(log_cells - value)), integer(1))
    H <- vector("list", length(like))
    for (t in seq_along(like)) { # the finest scales share a basis, which needs one pass over the data
        if (t == 1L || like[t] != like[t - 1L]) alone <- basis_embedding(x, W[[like[t]]], parameters$control$threads)
        H[[t]] <- smoothed_embedding(alone, scales, t, parameters)
    }
    list(W = W[like], H = H, chain = FALSE)
}

# Cells x factors, without any graph.
basis_embedding <- function(x, W, threads) t(project_cells_cpp(x, W, 30L, 1e-3, threads))

# Scales of some cells, with as many effective cells at the coarse end, or as few as can be reached.
sampled_scales <- function(scales, chosen, parameters) {
    threads <- parameters$control$threads
    found <- found_scales(scales$coordinates[, chosen, drop = FALSE], scales$metric, "knn", scales$n_neighbors, "exact",
                          threads, verbose = FALSE)
    curve <- penalty_curve(found, parameters$alpha, effective_measure(found, parameters$alpha, threads))
    lambda <- penalty_on(curve, min(scales$effective_cells))
    even_scales(found, length(scales$threshold), NULL, lambda, parameters$alpha, threads)
}

sampled_bases <- function(sample, scales, parameters, run) {
    parameters$lambda_graph <- scales$lambda_graph
    parameters$control[c("tol", "max_outer", "record", "keep")] <- list(0.03, 100L, FALSE, "all")
    parameters$control["checkpoint"] <- list(NULL)
    fit_path(sample, scales, projected_start(sample, parameters), parameters, list(begun = run$begun))$W
}

smoothed_embedding <- function(alone, scales, t, parameters) {
    t(pmax(smooth_cells_cpp(scales$edges, scales$threshold[t], parameters$alpha, parameters$lambda_graph, alone, 0.01,
                            parameters$control$threads), 0))
}
