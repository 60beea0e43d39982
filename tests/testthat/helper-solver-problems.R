# Small problems for the solvers, and what is measured on their paths.

# Nonnegative data with `groups` groups of cells, about `zeros` of the entries zero.   features x cells
small_data <- function(seed, features = 20, cells = 10, groups = 3, zeros = 0.3) {
    with_random_state(seed, {
        profiles <- matrix(stats::rexp(features * groups), features, groups)
        x <- profiles[, rep_len(seq_len(groups), cells)] + 0.3 * matrix(stats::rexp(features * cells), features)
        x * stats::rbinom(length(x), 1, 1 - zeros)
    })
}

as_sparse <- function(x) Matrix::Matrix(x, sparse = TRUE)

random_start <- function(seed, x, rank, zeros = 0) {
    with_random_state(seed, {
        draw <- function(n) stats::runif(n) * stats::rbinom(n, 1, 1 - zeros)
        list(W = matrix(draw(nrow(x) * rank), nrow(x)), H = matrix(draw(rank * ncol(x)), rank))
    })
}

# A fit of at most `sweeps` sweeps; lambdas = c(graph, smooth, anchor).
fit_small <- function(x, rank, lambdas, solver = "hals", scales = NULL, ...) {
    pnmf(x, rank = rank, scales = scales, lambda_graph = lambdas[1], lambda_smooth = lambdas[2],
         lambda_anchor = lambdas[3], solver = solver, control = pnmf_control(threads = 1, verbose = FALSE, ...))
}

# The paper's simulation with the weights of its experiment.
fit_circles <- function(x, solver = "hals", graph = 100, smooth = 100, anchor = NULL, ...) {
    pnmf(x, rank = 2, scales = "paper", lambda_graph = graph, lambda_smooth = smooth, lambda_anchor = anchor,
         solver = solver, control = pnmf_control(verbose = FALSE, ...))
}

largest_difference <- function(a, b) max(mapply(function(one, other) max(abs(one - other)), a, b))

# Largest entrywise difference of two paths, relative to the largest entry of each factor.
path_difference <- function(path, reference) {
    relative <- function(a, b) largest_difference(a, b) / max(abs(unlist(b)))
    max(relative(path@W, reference$W), relative(path@H, reference$H))
}

# Dense Laplacians of a path's scales from its sorted edges.
path_laplacians <- function(path) {
    scales <- path@scales
    lapply(seq_along(scales$threshold), function(t) {
        edges <- lapply(scales$edges, utils::head, n = scales$n_edges[t])
        A <- matrix(0, scales$n_cells, scales$n_cells)
        A[cbind(edges$i, edges$j)] <- exp(-edges$length^2 / scales$threshold[t]^path@parameters$alpha)
        ref_laplacian(A + t(A))
    })
}

# The objective of a path from its definition.
direct_objective <- function(path, x) {
    p <- path@parameters
    of <- path_weights(path)
    ref_objective(x, path@W, path@H, path_laplacians(path), p$lambda_graph, p$lambda_smooth, p$lambda_anchor, of$q,
                  of$g)
}

# Weights and gaps of a path's scales, 1 where there are none.
path_weights <- function(path) {
    ones <- rep(1, n_scales(path))
    given <- function(values) if (is.null(values)) ones else values
    list(q = given(path@scales$weight), g = given(path@scales$gap))
}

last_objective <- function(path) utils::tail(objective(path)$objective, 1)

# The objective is a difference of terms of the size of T |X|^2, so its rounding error is that times about 1e-16.
rounding_of_objective <- function(path, x) 1e-14 * n_scales(path) * sum(x^2)

largest_rise <- function(values) max(diff(values), 0)

# --- Stationarity and other minimisers in plain R ---------------------------------------------------------------------

# Entries of a gradient that nonnegativity does not hold back.
free_gradient <- function(factor, gradient) ifelse(factor > 0, gradient, pmin(gradient, 0))

# The same for a basis under |w_j| <= 1: a column of length 1 has the multiplier m >= 0 of gradient_j + m w_j = 0.
free_basis_gradient <- function(W, gradient) {
    squared <- colSums(W^2)
    multiplier <- ifelse(squared > 1 - 1e-9, pmax(-colSums(W * gradient), 0), 0)
    free_gradient(W, gradient + W %*% diag(multiplier, ncol(W)))
}

# The largest violation of the KKT conditions at any scale, relative to the data's part of each gradient.
kkt_violation <- function(path, x) {
    p <- path@parameters
    laplacians <- path_laplacians(path)
    of <- path_weights(path)
    at <- function(t) if (t >= 1 && t <= n_scales(path)) path@H[[t]]
    violations <- vapply(seq_len(n_scales(path)), function(t) {
        W <- path@W[[t]]
        H <- path@H[[t]]
        springs <- 1 / (of$q[t] * of$g[t + 0:1])
        gradient <- ref_gradients(x, W, H, laplacians[[t]], at(t - 1), at(t + 1), p$lambda_graph, p$lambda_smooth,
                                  p$lambda_anchor, springs)
        c(max(abs(free_basis_gradient(W, gradient$W))) / max(2 * x %*% t(H)),
          max(abs(free_gradient(H, gradient$H))) / max(2 * t(W) %*% x), max(colSums(W^2)) - 1)
    }, numeric(3))
    max(violations)
}

unit_ball_columns <- function(W) W %*% diag(1 / pmax(sqrt(colSums(W^2)), 1), ncol(W))

# |X - WH|^2 + l1 tr(H L H') + l3 |H|^2 with W, H >= 0, |w_j| <= 1 at one scale, by accelerated projected gradient steps
# on one factor after the other: nothing in common with coordinate descent. Returns the value.
plain_gnmf <- function(x, start, L, l1 = 0, l3 = 0, rounds = 200, steps = 10) {
    W <- unit_ball_columns(start$W)
    H <- start$H
    for (round in seq_len(rounds)) {
        slope <- function(W) ref_gradient_w(x, W, H)
        W <- projected_descent(W, slope, 2 * norm(tcrossprod(H), "2"), function(W) unit_ball_columns(pmax(W, 0)), steps)
        slope <- function(H) ref_gradient_h(x, W, H, L, list(), l1, 0, l3)
        steepest <- 2 * (norm(crossprod(W), "2") + l1 * norm(L, "2") + l3)
        H <- projected_descent(H, slope, steepest, function(H) pmax(H, 0), steps)
    }
    list(W = W, H = H, value = ref_scale_objective(x, W, H, L, list(), l1, 0, l3))
}

# Nesterov's accelerated steps of length 1 / steepest.
projected_descent <- function(M, gradient, steepest, project, steps) {
    ahead <- M
    for (k in seq_len(steps)) {
        after <- project(ahead - gradient(ahead) / steepest)
        ahead <- after + (k - 1) / (k + 2) * (after - M)
        M <- after
    }
    M
}
