# The rank of a fit that is given none: the components that are more signal than noise, and one for the mean.
# inst/experiments/default_rank.R has its figures beside those of smaller and larger ranks.

# The paper's square root of the number of cells in its setting and for its solvers.
default_rank <- function(x, solver, scales, threads) {
    largest <- min(largest_default_rank, dim(x))
    if (solver != "hals" || identical(scales, "paper")) return(assert_rank(NULL, x))
    as.integer(max(min(count_components(x, threads) + 1L, largest, ncol(x) %/% 4L), min(2L, dim(x))))
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
