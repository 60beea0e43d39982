# The rank of a fit that is given none: the components that stand out of noise, a quarter more, and one for the mean.
# Programs are not orthogonal and overlap, so there are more of them than components. inst/experiments/default_rank.R
# compares this rule with others.

max_rank_features <- 2000L

# hals on expression data; the paper's square root of the number of cells otherwise.
default_rank <- function(x, solver, scales, threads) {
    largest <- min(largest_default_rank, dim(x))
    if (solver != "hals" || identical(scales, "paper") || nrow(x) <= max_plain_features) return(assert_rank(NULL, x))
    programs <- ceiling(1.25 * components_beyond_noise(x, threads)) + 1
    as.integer(max(min(programs, largest, ncol(x) %/% 4L), min(2L, dim(x))))
}

# Eigenvalues of the correlations of the most variable features above the edge of Marchenko and Pastur, (1 + sqrt(p /
# n))^2, up to which those of independent features reach.
components_beyond_noise <- function(x, threads) {
    gram <- if (has_few_features(x)) feature_gram(x, threads)
    squares <- if (is.null(gram)) feature_squares(x) else diag(gram)
    rows <- most_variable_rows(feature_sums(x), squares, ncol(x))
    if (length(rows) < 2L) return(0L)
    values <- leading_eigenvalues(standardised_gram(x, rows, squares, gram, threads), largest_default_rank)
    sum(values > (1 + sqrt(length(rows) / ncol(x)))^2)
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
        return(crossprod(z) / n)
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
