# A naive pNMF in plain R: the executable specification that the C++ core is tested against.
# Shapes: X features x cells, W features x rank, H rank x cells, all dense.
# A path is list(W = list of T matrices, H = list of T matrices, ...); t = 1 is the finest scale.
# l1, l2, l3: lambda_graph, lambda_smooth, lambda_anchor. Results carry no dimnames.

# --- Scales and graphs -----------------------------------------------------------------------------------------------

ref_distances <- function(x) unname(as.matrix(stats::dist(t(as.matrix(x)))))

# The deaths of H0 (single-linkage heights) ascending, ties once, then one threshold above every distance.
ref_thresholds <- function(x) {
  d <- stats::as.dist(ref_distances(x))
  deaths <- sort(unique(stats::hclust(d, method = "single")$height))
  c(deaths, max(d) * (1 + 1e-9))
}

# A_ij = exp(-d_ij^2 / eps^alpha) where d_ij < eps and i != j, else 0.
ref_adjacency <- function(d, eps, alpha = 1.5) {
  A <- matrix(0, nrow(d), ncol(d))
  edge <- d < eps & row(d) != col(d)
  A[edge] <- exp(-d[edge]^2 / eps^alpha)
  A
}

# L = D - A with D the diagonal matrix of row sums.
ref_laplacian <- function(A) diag(rowSums(A), nrow(A)) - A

ref_adjacencies <- function(x, thresholds = ref_thresholds(x), alpha = 1.5) {
  d <- ref_distances(x)
  lapply(thresholds, function(eps) ref_adjacency(d, eps, alpha))
}

# --- Start -----------------------------------------------------------------------------------------------------------

ref_length <- function(v) sqrt(sum(v^2))

# NNDSVD (Boutsidis & Gallopoulos 2008) from the exact SVD X = sum_j s_j u_j v_j'. Factor 1 is |u_1|, |v_1|. Factor j
# (j > 1) is the stronger of the parts (u+, v+), (u-, v-), of strength |u||v|. Entries below 1e-8 become mean(X).
ref_nndsvda <- function(x, rank) {
  x <- unname(as.matrix(x))
  s <- svd(x, nu = rank, nv = rank)
  W <- matrix(0, nrow(x), rank)
  H <- matrix(0, rank, ncol(x))
  for (j in seq_len(rank)) {
    part <- ref_nonnegative_part(s$u[, j], s$v[, j], first = j == 1)
    scale <- sqrt(s$d[j] * ref_length(part$u) * ref_length(part$v))
    W[, j] <- scale * part$u / ref_length(part$u)
    H[j, ] <- scale * part$v / ref_length(part$v)
  }
  W[W < 1e-8] <- mean(x)
  H[H < 1e-8] <- mean(x)
  list(W = W, H = H)
}

ref_nonnegative_part <- function(u, v, first) {
  if (first) return(list(u = abs(u), v = abs(v)))
  plus <- list(u = pmax(u, 0), v = pmax(v, 0))
  minus <- list(u = pmax(-u, 0), v = pmax(-v, 0))
  strength <- function(part) ref_length(part$u) * ref_length(part$v)
  if (strength(plus) > strength(minus)) plus else minus
}

# --- Objective and gradients -----------------------------------------------------------------------------------------

ref_fit <- function(x, W, H) sum((x - W %*% H)^2)

# tr(H L H')
ref_roughness <- function(H, L) sum(diag(H %*% L %*% t(H)))

# sum_t q_t (|X - W_t H_t|^2 + l1 tr(H_t L_t H_t') + l3 |H_t|^2)  +  l2 sum_{t>1} |H_t - H_{t-1}|^2 / g_t
# q: weights of the scales, g: gaps between them (the first is not used); both 1 in the paper.
ref_objective <- function(x, W, H, laplacians, l1, l2, l3, q = rep(1, length(H)), g = rep(1, length(H))) {
  x <- unname(as.matrix(x))
  scales <- seq_along(H)
  sum_over <- function(ts, term) sum(vapply(ts, term, numeric(1)))
  fit <- sum_over(scales, function(t) q[t] * ref_fit(x, W[[t]], H[[t]]))
  graph <- sum_over(scales, function(t) q[t] * ref_roughness(H[[t]], laplacians[[t]]))
  smooth <- sum_over(scales[-1], function(t) sum((H[[t]] - H[[t - 1]])^2) / g[t])
  anchor <- sum_over(scales, function(t) q[t] * sum(H[[t]]^2))
  fit + l1 * graph + l2 * smooth + l3 * anchor
}

# The existing neighbours of scale t: a list of one (t = 1, t = T) or two matrices; none when T = 1.
ref_neighbours <- function(H, t) H[intersect(c(t - 1, t + 1), seq_along(H))]

# f_t = |X - WH|^2 + l1 tr(H L H') + l2 sum_{N neighbour} |H - N|^2 + l3 |H|^2
ref_scale_objective <- function(x, W, H, L, neighbours, l1, l2, l3) {
  smooth <- sum(vapply(neighbours, function(N) sum((H - N)^2), numeric(1)))
  ref_fit(x, W, H) + l1 * ref_roughness(H, L) + l2 * smooth + l3 * sum(H^2)
}

# df_t/dW = 2 (WH - X) H'
ref_gradient_w <- function(x, W, H) 2 * (W %*% H - x) %*% t(H)

# df_t/dH = 2 W'(WH - X) + 2 l1 H L + 2 l2 sum_{N neighbour} s_N (H - N) + 2 l3 H;  springs s_N: 1 in the paper
ref_gradient_h <- function(x, W, H, L, neighbours, l1, l2, l3, springs = rep(1, length(neighbours))) {
  smooth <- Reduce(`+`, Map(function(N, s) s * (H - N), neighbours, springs), 0 * H)
  2 * (t(W) %*% (W %*% H - x) + l1 * H %*% L + l2 * smooth + l3 * H)
}

# Full gradients of f_t at one scale; NULL stands for a neighbour that does not exist. springs: of both neighbours.
ref_gradients <- function(x, W_t, H_t, L_t, H_prev, H_next, l1, l2, l3, # nolint: object_name_linter.
                          springs = c(1, 1)) {
  there <- !vapply(list(H_prev, H_next), is.null, logical(1))
  neighbours <- list(H_prev, H_next)[there]
  list(W = ref_gradient_w(x, W_t, H_t), H = ref_gradient_h(x, W_t, H_t, L_t, neighbours, l1, l2, l3, springs[there]))
}

# --- Multiplicative updates, Lin's modification ----------------------------------------------------------------------

# A bar: the value where the gradient is >= 0, at least mu where it is negative.
ref_lin_bar <- function(M, gradient, mu = 1e-9) ifelse(gradient >= 0, M, pmax(M, mu))

# W - Wbar / (factor Wbar H H' + nu) * gradient. The paper's factor is 2; the released code's 1 halves the gradient and
# the denominator: the same step up to the weight of nu.
ref_lin_step_w <- function(x, W, H, factor = 2, nu = 1e-9) {
  gradient <- factor / 2 * ref_gradient_w(x, W, H)
  bar <- ref_lin_bar(W, gradient)
  W - bar / (factor * bar %*% H %*% t(H) + nu) * gradient
}

# H - Hbar / (factor (W'W Hbar + l1 Hbar D + (c l2 + l3) Hbar) + nu) * gradient, c the number of neighbours.
ref_lin_step_h <- function(x, W, H, A, neighbours, l1, l2, l3, factor = 2, nu = 1e-9) {
  gradient <- factor / 2 * ref_gradient_h(x, W, H, ref_laplacian(A), neighbours, l1, l2, l3)
  bar <- ref_lin_bar(H, gradient)
  D <- diag(rowSums(A), nrow(A))
  curvature <- t(W) %*% W %*% bar + l1 * bar %*% D + (length(neighbours) * l2 + l3) * bar
  H - bar / (factor * curvature + nu) * gradient
}

# w_j / s_j and s_j h_j: the product WH stays. A column with s_j = 0 is left alone.
ref_rescale <- function(W, H, s) {
  s[s == 0] <- 1
  list(W = W %*% diag(1 / s, length(s)), H = diag(s, length(s)) %*% H)
}

ref_unit_columns <- function(W, H) ref_rescale(W, H, sqrt(colSums(W^2)))

# --- solver = "mu": Algorithm 1 --------------------------------------------------------------------------------------

# Sweep t = 1..T; at each scale repeat (H, then W) up to max_inner times. The inner loop ends when
# |f_t(before the step) - f_t(after)| <= tol f_t(before), the outer loop when the same holds for the objective over
# one sweep; tol = 0 never stops early. At the end W's columns sum to one (normalize = FALSE leaves that out).
# `start` is list(W, H): two matrices, used at every scale, or two lists with one matrix per scale.
# Returns W, H, objective (after each sweep, before the normalisation) and, if record, trace (the objective at the start
# and after every single update).
ref_mu <- function(x, rank, A, l1, l2, l3, max_outer, max_inner, start = ref_nndsvda(x, rank), tol = 0, record = FALSE,
                   normalize = TRUE) {
  x <- unname(as.matrix(x))
  laplacians <- lapply(A, ref_laplacian)
  path <- ref_start_path(start, length(A))
  total <- function() ref_objective(x, path$W, path$H, laplacians, l1, l2, l3)
  settled <- function(before, after) tol > 0 && abs(before - after) <= tol * before
  trace <- objective <- numeric()
  note <- function() if (record) trace <<- c(trace, total())
  visit <- function(t) {
    neighbours <- ref_neighbours(path$H, t)
    f_t <- function() ref_scale_objective(x, path$W[[t]], path$H[[t]], laplacians[[t]], neighbours, l1, l2, l3)
    for (inner in seq_len(max_inner)) {
      before <- f_t()
      path$H[[t]] <<- ref_lin_step_h(x, path$W[[t]], path$H[[t]], A[[t]], neighbours, l1, l2, l3)
      note()
      path$W[[t]] <<- ref_lin_step_w(x, path$W[[t]], path$H[[t]])
      note()
      if (settled(before, f_t())) break
    }
  }
  note()
  for (outer in seq_len(max_outer)) {
    before <- total()
    for (t in seq_along(A)) visit(t)
    objective[outer] <- total()
    if (settled(before, objective[outer])) break
  }
  if (normalize) path <- ref_sum_to_one(path)
  c(path, list(objective = objective, trace = trace))
}

ref_start_path <- function(start, n_scales) {
  if (is.list(start$W)) return(start[c("W", "H")])
  list(W = rep(list(start$W), n_scales), H = rep(list(start$H), n_scales))
}

ref_sum_to_one <- function(path) {
  fits <- Map(function(W, H) ref_rescale(W, H, colSums(W)), path$W, path$H)
  list(W = lapply(fits, `[[`, "W"), H = lapply(fits, `[[`, "H"))
}

# --- solver = "authors": the arithmetic of the released code ---------------------------------------------------------

# Repeat fit <- step(fit) until the loss changes by at most tol, relative to the loss before the step. The loss of the
# start is compared with 1e9 first, so a fit may end after one step (after none if that loss is within tol of 1e9).
ref_iterate <- function(fit, step, loss, tol = 1e-3, max_steps = 1000) {
  previous <- 1e9
  current <- loss(fit$W, fit$H)
  steps <- 0
  while (steps < max_steps && abs(previous - current) / previous > tol) {
    previous <- current
    fit <- step(fit$W, fit$H)
    current <- loss(fit$W, fit$H)
    steps <- steps + 1
  }
  list(W = fit$W, H = fit$H, steps = steps)
}

# Graph-regularised NMF, |X - WH|^2 + lambda tr(H L H'), from (W0, H0); A = NULL is plain NMF. One step:
#   W <- W * XH' / (WHH' + 1e-9);  H <- H * (W'X + lambda HA) / (W'WH + lambda HD + 1e-9);  W's columns to unit length.
ref_baseline <- function(x, W0, H0, A = NULL, lambda = 0, tol = 1e-3, max_steps = 1000) {
  x <- unname(as.matrix(x))
  if (is.null(A)) A <- matrix(0, ncol(x), ncol(x))
  L <- ref_laplacian(A)
  D <- diag(rowSums(A), nrow(A))
  step <- function(W, H) {
    W <- W * (x %*% t(H)) / (W %*% H %*% t(H) + 1e-9)
    H <- H * (t(W) %*% x + lambda * H %*% A) / (t(W) %*% W %*% H + lambda * H %*% D + 1e-9)
    ref_unit_columns(W, H)
  }
  loss <- function(W, H) ref_fit(x, W, H) + lambda * ref_roughness(H, L)
  ref_iterate(list(W = W0, H = H0), step, loss, tol, max_steps)
}

# GNMF fits from the coarsest scale to the finest, each started from the coarser scale's result.
ref_gnmf_chain <- function(x, A, l1, start, tol = 1e-3, max_steps = 1000) {
  fits <- vector("list", length(A))
  for (t in rev(seq_along(A))) {
    fits[[t]] <- ref_baseline(x, start$W, start$H, A[[t]], l1, tol, max_steps)
    start <- fits[[t]]
  }
  list(W = lapply(fits, `[[`, "W"), H = lapply(fits, `[[`, "H"))
}

# One visit of a scale, its neighbours fixed: W, then H, then W's columns to unit length. Half gradients.
ref_authors_visit <- function(x, W, H, A, neighbours, l1, l2, l3, tol = 1e-3, max_inner = 1000) {
  step <- function(W, H) {
    W <- ref_lin_step_w(x, W, H, factor = 1)
    H <- ref_lin_step_h(x, W, H, A, neighbours, l1, l2, l3, factor = 1)
    ref_unit_columns(W, H)
  }
  L <- ref_laplacian(A)
  loss <- function(W, H) ref_scale_objective(x, W, H, L, neighbours, l1, l2, l3)
  ref_iterate(list(W = W, H = H), step, loss, tol, max_inner)
}

# NNDSVDA, the GNMF chain, then max_outer sweeps t = 1..T, each scale seeing its neighbours' newest H. No stopping rule
# over sweeps; W's columns keep unit length.
ref_authors <- function(x, rank, l1, l2, l3, A = ref_adjacencies(x), max_outer = 10, max_inner = 1000, tol = 1e-3) {
  x <- unname(as.matrix(x))
  laplacians <- lapply(A, ref_laplacian)
  path <- ref_gnmf_chain(x, A, l1, ref_nndsvda(x, rank), tol, max_inner)
  objective <- numeric()
  for (outer in seq_len(max_outer)) {
    for (t in seq_along(A)) {
      neighbours <- ref_neighbours(path$H, t)
      fit <- ref_authors_visit(x, path$W[[t]], path$H[[t]], A[[t]], neighbours, l1, l2, l3, tol, max_inner)
      path$W[[t]] <- fit$W
      path$H[[t]] <- fit$H
    }
    objective <- c(objective, ref_objective(x, path$W, path$H, laplacians, l1, l2, l3))
  }
  c(path, list(objective = objective))
}

# --- Graphs of the baselines -----------------------------------------------------------------------------------------

# TRUE at (i, j) when j is among the k nearest of i; a cell is not its own neighbour, ties go to the smaller index.
ref_nearest <- function(d, k) {
  near <- matrix(FALSE, nrow(d), ncol(d))
  for (i in seq_len(nrow(d))) {
    near[i, setdiff(order(d[i, ]), i)[seq_len(k)]] <- TRUE
  }
  near
}

# Directed kNN weights exp(-d^2 / max(d)^1.5), the maximum over all pairs.
ref_heat_weights <- function(d, k) ref_nearest(d, k) * exp(-d^2 / max(d)^1.5)

ref_gnmf_graph <- function(x, n_neighbors) {
  K <- ref_heat_weights(ref_distances(x), n_neighbors)
  pmax(K, t(K))
}

# A + A' - A o A'
ref_probabilistic_union <- function(A) A + t(A) - A * t(A)

# w[T - i + 1] is added to every entry >= (i/T)(hi - lo) + lo, i = 1..T; lo, hi the range of the directed weights.
ref_tnmf_graph <- function(x, n_neighbors, weights) {
  K <- ref_heat_weights(ref_distances(x), n_neighbors)
  lo <- min(K[K > 0])
  hi <- max(K)
  w <- rev(weights / sum(weights))
  A <- 0 * K
  for (i in seq_along(w)) A <- A + w[i] * (K >= (i / length(w)) * (hi - lo) + lo)
  ref_probabilistic_union(A)
}

# w[k] is added to each cell's k nearest, k = 1..T.
ref_ktnmf_graph <- function(x, weights) {
  d <- ref_distances(x)
  w <- weights / sum(weights)
  A <- 0 * d
  for (k in seq_along(w)) A <- A + w[k] * ref_nearest(d, k)
  ref_probabilistic_union(A)
}
