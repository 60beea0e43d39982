# The rank of a fit that is given none, from the components that are more signal than noise: these and one for the mean,
# or twice as many if there are few. Programs that are part of others, as types are of a lineage, add fewer components
# than programs. inst/experiments/rank_rules.R compares rules; default_rank.R has fits of smaller and larger ranks.

# Up to this rank, there are two factors for each component.
doubled_rank <- 10L

# The paper's square root of the number of cells in its setting and for its solvers.
default_rank <- function(x, solver, scales, threads) {
    if (solver != "hals" || identical(scales, "paper")) return(assert_rank(NULL, x))
    components <- count_components(x, threads)
    rank <- max(components + 1L, min(2L * components, doubled_rank))
    as.integer(max(min(rank, largest_default_rank, dim(x), ncol(x) %/% 4L), min(2L, dim(x))))
}

# Components of the most variable features that correlate by more than 1/2 with those of data without noise.
count_components <- function(x, threads) {
    rows <- most_variable_rows(x)
    if (length(rows) < 2L) return(0L)
    values <- leading_eigenvalues(standardised_gram(x, rows, threads), largest_default_rank)
    sum(signal_correlation(values, length(rows) / ncol(x)) > 0.5)
}

# Correlation between a component u v' of p standardised features (u) of n cells (v) and the true one that it shows
# (Benaych-Georges and Nadakuditi 2012); ratio: p / n. If the true one has s times the variance of noise, the eigenvalue
# is (1 + s) (1 + ratio / s). Below the edge of Marchenko and Pastur, (1 + sqrt(ratio))^2, there is nothing but noise.
signal_correlation <- function(eigenvalue, ratio) {
    excess <- pmax(eigenvalue, (1 + sqrt(ratio))^2) - 1 - ratio
    s <- (excess + sqrt(pmax(excess^2 - 4 * ratio, 0))) / 2
    pmax((1 - ratio / s^2) / sqrt((1 + ratio / s) * (1 + 1 / s)), 0)
}

# Its eigenvalues, other than zero, are those of the correlations of some features: the smaller of ZZ' / n and Z'Z / n.
standardised_gram <- function(x, rows, threads) {
    n <- ncol(x)
    middle <- feature_means(x)[rows]
    if (!is_streamed(x) && n <= length(rows)) {
        z <- as.matrix(x[rows, , drop = FALSE]) - middle
        return(feature_gram_cpp(t(z / sqrt(rowMeans(z^2))), threads) / n)
    }
    covariance <- feature_gram(x, threads, rows) / n - tcrossprod(middle)
    covariance / tcrossprod(sqrt(diag(covariance)))
}

leading_eigenvalues <- function(gram, k) {
    if (nrow(gram) <= 200L) return(utils::head(eigen(gram, symmetric = TRUE, only.values = TRUE)$values, k))
    RSpectra::eigs_sym(gram, k = k, opts = list(retvec = FALSE, tol = 1e-6, maxitr = 5000))$values
}
