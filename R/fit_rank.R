# The rank of a fit that is given none: the components that are more signal than noise, and one for the mean.
# inst/experiments/default_rank.R has its figures beside those of smaller and larger ranks.

max_rank_features <- 2000L

# The paper's square root of the number of cells in its setting and for its solvers.
default_rank <- function(x, solver, scales, threads) {
    largest <- min(largest_default_rank, dim(x))
    if (solver != "hals" || identical(scales, "paper")) return(assert_rank(NULL, x))
    as.integer(max(min(count_components(x, threads) + 1L, largest, ncol(x) %/% 4L), min(2L, dim(x))))
}

# Components of the most variable features that correlate by more than 1/2 with those of data without noise.
count_components <- function(x, threads) {
    gram <- if (has_few_features(x)) feature_gram(x, threads)
    squares <- if (is.null(gram)) feature_squares(x) else diag(gram)
    rows <- most_variable_rows(feature_sums(x), squares, ncol(x))
    if (length(rows) < 2L) return(0L)
    values <- leading_eigenvalues(standardised_gram(x, rows, squares, gram, threads), largest_default_rank)
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

# The features with the largest variance, of those that are spread over more than a few cells. (sum x)^2 / sum x^2 is at
# most the number of cells with a positive value.
most_variable_rows <- function(sums, squares, n) {
    variance <- squares / n - (sums / n)^2
    spread <- sums^2 / pmax(squares, .Machine$double.xmin) >= max(5, 0.01 * n)
    rows <- which(spread & variance > 1e-12 * squares / n)
    sort(rows[order(-variance[rows])][seq_len(min(length(rows), max_rank_features))])
}

# Its eigenvalues, other than zero, are those of the correlations of some features: the smaller of ZZ' / n and Z'Z / n.
standardised_gram <- function(x, rows, squares, gram, threads) {
    n <- ncol(x)
    middle <- feature_sums(x)[rows] / n
    deviation <- sqrt(squares[rows] / n - middle^2)
    if (!is_streamed(x) && n <= length(rows)) {
        z <- (as.matrix(x[rows, , drop = FALSE]) - middle) / deviation
        return(feature_gram_cpp(t(z), threads) / n)
    }
    gram <- if (is.null(gram)) selected_gram(x, rows, threads) else gram[rows, rows]
    (gram / n - tcrossprod(middle)) / tcrossprod(deviation)
}

# XX' of some of many features.
selected_gram <- function(x, rows, threads) {
    if (!is_streamed(x)) return(feature_gram_cpp(x[rows, , drop = FALSE], threads))
    gram <- 0
    for (b in seq_along(x$first)) {
        block <- next_block(x, b)[rows, , drop = FALSE]
        gram <- gram + as.matrix(Matrix::tcrossprod(block))
    }
    gram
}

leading_eigenvalues <- function(gram, k) {
    if (nrow(gram) <= 200L) return(utils::head(eigen(gram, symmetric = TRUE, only.values = TRUE)$values, k))
    RSpectra::eigs_sym(gram, k = k, opts = list(retvec = FALSE, tol = 1e-6, maxitr = 5000))$values
}
