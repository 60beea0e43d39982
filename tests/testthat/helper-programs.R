# Cells that use two programs each in shares of their own: genes 1-10 belong to program 1, 11-20 to program 2, ...;
# gene "house" is high in all, gene "flat" is constant. A path of true factors, and its data with Poisson noise.
programs <- function(n_programs = 3, n_cells = 120, n_scales = 3, seed = 1) {
    genes <- 10L * n_programs
    W <- matrix(0.05, genes + 2L, n_programs)
    W[cbind(seq_len(genes), rep(seq_len(n_programs), each = 10L))] <- 1
    W[genes + 1L, ] <- 5
    W[genes + 2L, ] <- 0
    H <- with_random_state(seed, matrix(stats::rgamma(n_programs * n_cells, 0.4), n_programs)) + 0.01
    x <- with_random_state(seed, matrix(stats::rpois(nrow(W) * n_cells, 4 * W %*% H), nrow(W)) / 4)
    x[nrow(x), ] <- 1
    dimnames(x) <- list(c(paste0("g", seq_len(genes)), "house", "flat"), paste0("cell", seq_len(n_cells)))
    list(x = x, path = path_of_factors(rep(list(W), n_scales), rep(list(H), n_scales), rownames(x)), W = W, H = H)
}

# A valid path with the given bases (features x rank) and embeddings (rank x cells).
path_of_factors <- function(W, H, features = paste0("g", seq_len(nrow(W[[1]])))) {
    path <- synthetic_path(lapply(H, t))
    path@W <- lapply(W, function(w) unname(w) + 0)
    path@feature_names <- features
    validObject(path)
    path
}

# The same data without program k: each of its genes is permuted over the cells.
without_program <- function(x, k) {
    genes <- 10L * (k - 1L) + 1:10
    x[genes, ] <- with_random_state(5, t(apply(x[genes, ], 1L, sample)))
    x
}
