# The start of "hals" from NNDSVDA. Let U have leading singular vectors of X. The path of UU'X is close to that of X,
# and sweeps over it do not read X:
# - in general, U has three singular vectors per factor, and the path of UU'X is fitted until it is nearly converged;
# - if X has many entries, U has one per factor, and the core only solves one scale after the other on UU'X;
# - if the projection would not be much smaller than X, or the bases of all scales are large, the core solves one scale
#   after the other on X.
projected_start <- function(x, scales, parameters) {
    rank <- parameters$rank
    fitted <- is_projectable(x, length(scales$threshold), parameters)
    directions <- if (fitted) directions_per_factor * rank else rank
    svd <- leading_svd(x, directions, parameters$control$threads)
    start <- shared_start(nndsvda_in_unit(x, rank, typical_length(x), svd))
    projection <- list(U = svd$u, UtX = t(svd$v) * svd$d[seq_len(directions)])
    if (fitted) return(fit_projection(projection, x, scales, start, parameters))
    if (is_large(x)) start$projection <- projection
    start
}

# Compared with 2, 4, 6 and 8, and with smaller tolerances, in inst/benchmarks/README.md.
directions_per_factor <- 3L

# Bytes of bases that the start may hold in addition to those of the fit.
max_projected_bases <- 2^28

is_projectable <- function(x, n_scales, parameters) {
    bases <- 8 * parameters$rank * as.numeric(nrow(x)) * n_scales
    !is_large(x) && 2L * directions_per_factor * parameters$rank <= min(dim(x)) && bases <= max_projected_bases
}

# If the data have more entries, the start would take longer than several sweeps. The rule must not depend on how the
# data are stored.
max_exact_entries <- 1e8
is_large <- function(x) prod(as.numeric(dim(x))) > max_exact_entries

# Root mean square of the lengths of cells: the start of cells of unit length is that of the paper, and it grows with
# the data.
typical_length <- function(x) sqrt(squared_norm(x) / ncol(x))

# The path of the projection is only near that of the data. Its fit depends neither on the sweeps over the data nor on
# their time limit: a fit that is continued must start as one that was not stopped.
projection_tol <- 0.3
projection_sweeps <- 100L

fit_projection <- function(projection, x, scales, start, parameters) {
    options <- core_options(x, scales, start, parameters)
    options[c("max_outer", "tol", "record", "keep_basis")] <- list(projection_sweeps, projection_tol, FALSE, TRUE)
    fit <- fit_path_cpp(projection, scales$edges, scales$threshold, parameters$alpha, start, "hals", options,
                        function(sweep, objective) TRUE, NULL)
    list(W = fit$W, H = fit$H, chain = FALSE)
}
