# Orders the nodes within each layer of a layered graph so that heavy edges rarely cross. weights: list of matrices,
# layer j x layer j + 1 (cells shared). Returns one vector of positions 1..n per layer. Barycentre sweeps in both
# directions (Sugiyama); the best order is kept.
ordered_layers <- function(weights) {
    sizes <- c(vapply(weights, nrow, integer(1)), ncol(weights[[length(weights)]]))
    position <- lapply(sizes, seq_len)
    best <- position
    fewest <- total_crossings(weights, position)
    for (sweep in seq_len(12L)) {
        position <- if (sweep %% 2L == 1L) forward_sweep(weights, position) else backward_sweep(weights, position)
        crossings <- total_crossings(weights, position)
        if (crossings < fewest) {
            fewest <- crossings
            best <- position
        }
        if (fewest == 0) break
    }
    best
}

forward_sweep <- function(weights, position) {
    for (j in seq_along(weights)) {
        position[[j + 1L]] <- by_barycentre(t(weights[[j]]), position[[j]], position[[j + 1L]])
    }
    position
}

backward_sweep <- function(weights, position) {
    for (j in rev(seq_along(weights))) {
        position[[j]] <- by_barycentre(weights[[j]], position[[j + 1L]], position[[j]])
    }
    position
}

# weights: nodes x neighbours. Ranks the nodes by the weighted mean position of their neighbours; ties keep their order.
by_barycentre <- function(weights, neighbours, own) {
    mean_position <- as.numeric(weights %*% neighbours) / rowSums(weights)
    position <- integer(length(own))
    position[order(mean_position, own)] <- seq_along(own)
    position
}

# Sum over pairs of crossing edges of the product of their weights.
total_crossings <- function(weights, position) {
    sum(vapply(seq_along(weights), function(j) {
        layer_crossings(weights[[j]][order(position[[j]]), order(position[[j + 1L]]), drop = FALSE])
    }, numeric(1)))
}

# For an ordered matrix: an edge (a, b) crosses every (c, d) with c > a and d < b.
layer_crossings <- function(m) {
    below <- matrix(0, nrow(m) + 1L, ncol(m) + 1L)
    for (a in rev(seq_len(nrow(m)))) below[a, -1L] <- below[a + 1L, -1L] + cumsum(m[a, ])
    sum(m * below[-1L, -ncol(below), drop = FALSE])
}
