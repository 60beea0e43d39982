# Cells at random in p dimensions: all distances differ.
random_cells <- function(n, p = 5, seed = 1) with_random_state(seed, matrix(stats::rnorm(n * p), p, n))

# Cells on a grid, some of them twice: many equal distances, some of them zero.
tied_cells <- function() {
    grid <- t(as.matrix(expand.grid(0:3, 0:2)))
    cbind(grid, grid[, c(1, 5, 5)], matrix(c(10, 0, 10, 1), 2))
}

random_sparse <- function(rows, columns, density = 0.3, seed = 1) {
    with_random_state(seed, Matrix::rsparsematrix(rows, columns, density, rand.x = stats::runif))
}

# Component of every cell when all pairs closer than eps are joined: spreads the smallest label until nothing changes.
ref_components <- function(d, eps) {
    joined <- d < eps | row(d) == col(d)
    label <- seq_len(nrow(d))
    repeat {
        updated <- apply(joined, 1, function(near) min(label[near]))
        if (identical(updated, label)) return(match(label, unique(label)))
        label <- updated
    }
}

ref_betti0 <- function(d, eps) vapply(eps, function(e) max(ref_components(d, e)), numeric(1))

# Every distance, the middles between them, and both ends: a threshold for every graph of the filtration.
all_thresholds <- function(d) {
    lengths <- sort(unique(c(0, d[upper.tri(d)])))
    sort(c(lengths, utils::head(lengths, -1) + diff(lengths) / 2, max(lengths) + 1))
}

# The distances as the scales have them: equal to ref_distances() up to rounding, which no threshold may depend on.
own_distances <- function(scales) {
    d <- matrix(0, scales$n_cells, scales$n_cells)
    d[cbind(scales$edges$i, scales$edges$j)] <- scales$edges$length
    d + t(d)
}

# The state of the session's generator, or NULL.
session_seed <- function() get0(".Random.seed", envir = globalenv(), inherits = FALSE)
