# A valid path whose embeddings (cells x rank, one per scale) are given, for everything that only reads embeddings.
synthetic_path <- function(embeddings, thresholds = seq_along(embeddings), betti0 = NULL, cells = NULL) {
    n <- nrow(embeddings[[1]])
    rank <- ncol(embeddings[[1]])
    n_scales <- length(embeddings)
    if (is.null(betti0)) betti0 <- rev(seq_len(n_scales))
    if (is.null(cells)) cells <- paste0("cell", seq_len(n))
    scales <- structure(list(
        threshold = as.numeric(thresholds), betti0 = as.integer(betti0), n_edges = seq_len(n_scales) - 1L,
        multiplicity = rep(1L, n_scales), mst = data.frame(i = integer(0), j = integer(0), length = numeric(0)),
        select = "canonical", metric = "euclidean", graph = "full", n_cells = n
    ), class = "persistence_scales")
    new_path(
        scales = scales, W = lapply(seq_len(n_scales), function(t) matrix(1, 3, rank)),
        H = lapply(embeddings, function(e) unname(t(e)) + 0),
        objective = data.frame(outer = 1L, objective = 1, relative_decrease = NA_real_),
        convergence = list(
            scales = data.frame(t = seq_len(n_scales), converged = TRUE, residual = 0, steps = 1L),
            updates = data.frame()
        ),
        parameters = list(rank = rank, lambda_graph = 1, lambda_smooth = 1, lambda_anchor = 0.1, alpha = 1.5,
                          solver = "hals", control = list()),
        feature_names = paste0("feature", 1:3), cell_names = cells
    )
}

# Nonnegative groups in the plane, `spread` apart from their centres; attribute "group" holds the truth.
grouped_embedding <- function(sizes = c(20, 15, 10), spread = 0.1, seed = 1) {
    group <- rep(seq_along(sizes), sizes)
    centers <- cbind(cos(seq(0, pi / 2, length.out = length(sizes))), sin(seq(0, pi / 2, length.out = length(sizes))))
    noise <- with_random_state(seed, matrix(stats::runif(2 * length(group), 0, spread), ncol = 2))
    structure(5 * centers[group, ] + noise, group = group)
}

at_scale <- function(object, t) {
    active_scale(object) <- t
    object
}
