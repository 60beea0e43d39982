# Maps of the cells at several scales. Every scale has a map of its own, on which cells lie among their nearest
# neighbours in the embedding of that scale; no position is interpolated.

# A map for each of the embeddings (cells x factors), finest first: a list of matrices, cells x 2. The first starts at
# its principal components. Each of the others starts at the map before it, so cells move only as far as their
# neighbours change: on blood cells, .03 to .1 of the spread of the map from scale to scale, without any rotation.
scale_layouts <- function(embeddings, seed = NULL, threads = default_threads()) {
    seed <- assert_seed(seed)
    map <- principal_map(embeddings[[1]])
    if (nrow(map) < 3L) return(rep(list(map), length(embeddings)))
    step <- progress_steps("placing cells", length(embeddings))
    maps <- vector("list", length(embeddings))
    for (s in seq_along(maps)) {
        epochs <- if (s == 1L) first_epochs else later_epochs
        maps[[s]] <- map <- step(neighbor_map(embeddings[[s]], map, epochs, seed, threads))
    }
    maps
}

# uwot's default and number of epochs; maps that start at that of a neighbouring scale need fewer.
map_neighbors <- 15L
first_epochs <- 500L
later_epochs <- 100L

# From `start`, cells x 2. As in uwot, a cell counts as its own first neighbour.
neighbor_map <- function(h, start, epochs, seed, threads) {
    near <- nearest_neighbors(t(h), min(map_neighbors, nrow(h)) - 1L, nrow(h) > max_cells_for_exact_tree, threads)
    t(neighbor_layout_cpp(near$index, near$distance, t(start), epochs, if (is.null(seed)) 1L else seed, threads))
}

# The first two principal components, with a standard deviation of 10 along the first. The largest loading of each is
# positive, so that the map is the same on every machine.
principal_map <- function(h) {
    h <- sweep(unname(h), 2L, colMeans(h))
    axes <- eigen(crossprod(h), symmetric = TRUE)$vectors[, seq_len(min(2L, ncol(h))), drop = FALSE]
    axes <- apply(axes, 2L, function(v) v * sign(v[which.max(abs(v))]))
    map <- cbind(h %*% axes, 0)[, c(1L, 2L), drop = FALSE]
    10 * map / max(sqrt(mean(map[, 1]^2)), 1e-300)
}
