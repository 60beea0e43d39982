# Which programs noise would not give: those with enough specific genes.

# A program needs this many. Permuted genes give programs of one or two.
min_specific_genes <- 5L

# score: genes x factors. The number of genes that lead by more than one gene of all would by chance.
count_specific <- function(score, n_genes = nrow(score)) {
    colSums(score > stats::qnorm(1 - 1 / max(n_genes, 2L)), na.rm = TRUE)
}

# x: genes x cells, W: genes x factors, score: of these factors
supported_programs <- function(x, W, gene, score, threads) {
    enough <- count_specific(score) >= min(min_specific_genes, nrow(score))
    if (all(enough)) return(enough)
    enough | seq_len(ncol(W)) %in% lasting_programs(x, W, gene, threads)
}

# Whether each program rests on five cells or more, an eighth of fewer than 40: outliers have many specific genes.
# (sum d^2)^2 / sum d^4, with d = max(usage - mean, 0), is the number of cells of a group that shares a usage. What lies
# below the mean does not count: otherwise a program that only a few cells lack would rest on these.
# H: cells x factors
used_by_several <- function(H) {
    U <- H / pmax(rowSums(H), 1e-300)
    squares <- pmax(sweep(U, 2L, colMeans(U)), 0)^2
    colSums(squares)^2 >= min(5, nrow(H) / 8) * colSums(squares^2)
}

max_support_genes <- 2000L

# The programs that are left when those with the fewest specific genes are left out one by one. Copies take each other's
# genes; the last copy keeps them. Usages come from one half of the genes and are compared with the other half, because
# among few programs one of noise leads in the genes that it was fitted to. Two programs are not enough: each has only
# one rival.
lasting_programs <- function(x, W, gene, threads) {
    rows <- utils::head(order(-gene$sd, na.last = NA), max_support_genes)
    if (length(rows) < 2L || ncol(W) < 3L) return(integer(0))
    x <- x[rows, , drop = FALSE]
    first <- seq_along(rows) %% 2L == 1L
    halves <- lapply(list(first, !first), function(half) {
        H <- t(project_cells_cpp(x, W[rows, , drop = FALSE] * half, 200L, 1e-3, threads))
        other <- rows[!half]
        products <- usage_products(x[!half, , drop = FALSE], H, list(mean = gene$mean[other], sd = gene$sd[other]))
        c(products, list(W = W[other, , drop = FALSE]))
    })
    left <- seq_len(ncol(W))
    while (length(left) > 2L) {
        counts <- rowSums(vapply(halves, function(half) {
            half$ZU <- half$ZU[, left, drop = FALSE]
            half$gram <- half$gram[left, left, drop = FALSE]
            score <- loaded_scores(lead_scores(half)$score, half$W[, left, drop = FALSE])
            count_specific(score, length(rows))
        }, numeric(length(left))))
        if (min(counts) >= min_specific_genes) return(left)
        left <- left[-which.min(counts)]
    }
    integer(0)
}
