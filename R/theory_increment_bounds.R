#' Bounds on the increments of the embeddings, as in the paper
#'
#' Checks whether the paper's theorem on multi-scale embedding increments applies
#' to a fitted path. Computes its constants and, if its condition
#' `lambda_anchor > C` holds, compares the uniform and the pointwise bound with
#' the observed increments.
#'
#' @details
#' With \eqn{C_H = \max_t \|H_t\|_F}{C_H = max |H_t|}, \eqn{l = \min_t
#' \gamma_{min}(H_t H_t')}{l the smallest eigenvalue of any H_t H_t'}, \eqn{C_X
#' = \|X'X\|_F}{C_X = |X'X|}, rank d and n cells,
#' \deqn{C_1 = 1/l + 2 C_H^2/l^2, \quad C_2 = C_1 C_H + C_H/l, \quad C = (C_1
#' \sqrt{n - d} + C_2 C_H/l) C_X,}{C_1 = 1/l + 2 C_H^2/l^2, C_2 = C_1 C_H +
#' C_H/l, C = (C_1 sqrt(n - d) + C_2 C_H/l) C_X,}
#' \deqn{a = \frac{\lambda_1 C_H}{2\lambda_2 + \lambda_3 - C}, \quad b =
#' \frac{\lambda_2}{2\lambda_2 + \lambda_3 - C}, \quad \rho = \frac{1 - \sqrt{1
#' - 4b^2}}{2b}.}{a = l1 C_H / (2 l2 + l3 - C), b = l2 / (2 l2 + l3 - C), rho =
#' (1 - sqrt(1 - 4 b^2)) / (2 b).}
#' For a stationary path with \eqn{\lambda_3 > C}{l3 > C},
#' \deqn{\max_t \|\Delta H_t\|_F \le \frac{\lambda_1 C_H}{\lambda_3 - C} \max_t
#' \|\Delta L_t\|_F, \quad \|\Delta H_t\|_F \le \frac{a}{\sqrt{1 - 4b^2}} \sum_k
#' \rho^{|t-k|} \|\Delta L_k\|_F.}{max |dH_t| <= l1 C_H / (l3 - C) max |dL_t|,
#' |dH_t| <= a / sqrt(1 - 4 b^2) sum_k rho^|t-k| |dL_k|.}
#'
#' @section When the condition holds:
#' The condition never holds at a stationary point, so the theorem says nothing
#' about converged paths. A path that is not stationary (`"mu"`, `"authors"`, or
#' stopped early) may meet it, but need not obey the bounds. The proof uses `C`
#' only as a number with \eqn{-\langle R_t - R_{t-1}, \Delta H_t\rangle \le C
#' \|\Delta H_t\|_F^2}{-<R_t - R_(t-1), dH_t> <= C |dH_t|^2} for the residuals
#' \eqn{R_t = W_t'(W_t H_t - X)}{R_t = W_t'(W_t H_t - X)}. `observed` has the
#' smallest such number on this path and the bounds that follow from it, which
#' hold wherever embeddings are stationary given the bases, as those of converged
#' `"hals"` paths are up to the tolerance. The vignette "The method" has the
#' reasons, and the bounds of the graphs alone.
#'
#' @param path A [pNMFPath-class] with at least two scales, a Seurat object or
#'   SingleCellExperiment that contains one, or a [persistence_scales()] object
#'   for the bounds of the graphs alone.
#' @param x The data that the path was fitted to; `NULL` if the object holds them.
#' @inheritParams increments
#' @return A list of class `"increment_bounds"`:
#'   \describe{
#'   \item{`constants`}{`C_H`, `l`, `C_X`, `C_1`, `C_2`, `C`, `a`, `b`, `rho`;
#'     the last three `NA` where the condition does not hold.}
#'   \item{`condition`}{Whether `lambda_anchor > C`.}
#'   \item{`uniform_bound`}{The uniform bound, or `NA`.}
#'   \item{`observed`}{The same with the observed `C`: a list of `constants`
#'     (`C`, `a`, `b`, `rho`), `condition`, `uniform_bound`.}
#'   \item{`increments`}{What [increments()] returns, with `pointwise_bound` and
#'     `observed_bound` (pointwise, from the observed `C`), `NA` where their
#'     conditions do not hold.}
#'   \item{`laplacian`}{The bounds of the graphs, see below.}
#'   \item{`stationary`}{Whether the path can be regarded as stationary: fitted
#'     by `"hals"`, all scales converged, none with a weight or gap other than
#'     1.}
#'   \item{`parameters`}{`lambda_graph`, `lambda_smooth`, `lambda_anchor`.}
#'   } It has a `print()` method.
#'
#'   For scales, a data frame with one row for every scale but the finest: `t`,
#'   `d_threshold`, `d_laplacian`, `ratio` (of the two: the observed constant),
#'   `bound` and `uniform_bound`.
#' @examples
#' x <- simulate_circles(seed = 1) / 100
#' path <- pnmf(x, rank = 2, scales = 10, lambda_anchor = 10)
#' increment_bounds(path, x)
#' increment_bounds(persistence_scales(x, n_scales = 10))
#' @export
increment_bounds <- function(path, x = NULL, threads = default_threads(), reduction = NULL) {
    if (inherits(path, "persistence_scales")) return(laplacian_bounds(path, threads = threads))
    object <- path
    path <- as_path(path, reduction)
    steps <- increments(path, threads)
    x <- path_data(object, path, x, reduction, "increment_bounds()")
    constants <- theorem_constants(path, x)
    lambda <- unlist(path@parameters[c("lambda_graph", "lambda_smooth", "lambda_anchor")])
    theorem <- bounds_given(constants[["C"]], constants[["C_H"]], lambda, steps$d_laplacian)
    observed <- bounds_given(observed_constant(path, x), constants[["C_H"]], lambda, steps$d_laplacian)
    steps$pointwise_bound <- theorem$pointwise
    steps$observed_bound <- observed$pointwise
    structure(
        list(
            constants = c(constants, theorem$constants[c("a", "b", "rho")]), condition = theorem$condition,
            uniform_bound = theorem$uniform_bound,
            observed = observed[c("constants", "condition", "uniform_bound")],
            increments = steps, laplacian = laplacian_bounds(path, threads = threads), parameters = lambda,
            # The theorem is about scales of equal weight, one step apart.
            stationary = path@parameters$solver == "hals" && all(converged(path)) && all(path@scales$weight == 1) &&
                all(path@scales$gap[-1] == 1)
        ),
        class = "increment_bounds"
    )
}

theorem_constants <- function(path, x) {
    of_scales <- function(measure) {
        vapply(seq_len(n_scales(path)), function(t) measure(scale_embedding(path, t)), numeric(1))
    }
    size <- max(of_scales(length2))
    least <- min(of_scales(smallest_gram_eigenvalue))
    gram <- gram_norm(x)
    c1 <- 1 / least + 2 * size^2 / least^2
    c2 <- c1 * size + size / least
    C <- (c1 * sqrt(dim(path)[2] - n_factors(path)) + c2 * size / least) * gram
    c(C_H = size, l = least, C_X = gram, C_1 = c1, C_2 = c2, C = C)
}

# Smallest eigenvalue of HH': the square of the smallest singular value of H, which is rounding error if a factor
# vanishes or is a copy.
smallest_gram_eigenvalue <- function(H) {
    values <- svd(H, nu = 0, nv = 0)$d
    smallest <- values[length(values)]
    if (smallest > 1e-14 * values[1]) smallest^2 else 0
}

# |X'X|_F = |XX'|_F, computed from the smaller one by blocks of columns.
gram_norm <- function(x) {
    if (nrow(x) < ncol(x)) x <- Matrix::t(x)
    blocks <- split(seq_len(ncol(x)), (seq_len(ncol(x)) - 1L) %/% 500L)
    sqrt(sum(vapply(blocks, function(block) sum(Matrix::crossprod(x, x[, block, drop = FALSE])^2), numeric(1))))
}

# The smallest C with -<R_t - R_{t-1}, dH_t> <= C |dH_t|^2 for all t.
observed_constant <- function(path, x) {
    constants <- rep(-Inf, n_scales(path))
    residual_before <- before <- NULL
    for (t in seq_len(n_scales(path))) {
        W <- unname(loading(path, t))
        H <- scale_embedding(path, t)
        residual <- crossprod(W) %*% H - as.matrix(Matrix::crossprod(W, x))
        if (t > 1L) {
            step <- H - before
            if (any(step != 0)) constants[t] <- -sum((residual - residual_before) * step) / sum(step^2)
        }
        residual_before <- residual
        before <- H
    }
    if (any(is.finite(constants))) max(constants) else 0
}

# a, b, rho and both bounds for one value of C; size is C_H. NA unless lambda_anchor > C.
bounds_given <- function(C, size, lambda, d_laplacian) {
    excess <- lambda[["lambda_anchor"]] - C
    condition <- is.finite(C) && excess > 0
    if (!condition) {
        return(list(constants = c(C = C, a = NA_real_, b = NA_real_, rho = NA_real_), condition = FALSE,
                    uniform_bound = NA_real_, pointwise = rep(NA_real_, length(d_laplacian))))
    }
    total <- 2 * lambda[["lambda_smooth"]] + excess
    a <- lambda[["lambda_graph"]] * size / total
    b <- lambda[["lambda_smooth"]] / total
    root <- sqrt(1 - 4 * b^2)
    rho <- 2 * b / (1 + root) # (1 - root) / (2 b) without cancellation, and 0 for b = 0
    list(
        constants = c(C = C, a = a, b = b, rho = rho), condition = TRUE,
        uniform_bound = lambda[["lambda_graph"]] * size / excess * max(d_laplacian),
        pointwise = a / root * decaying_sums(d_laplacian, rho)
    )
}

# sum_k rho^|t-k| x_k for every t: a running sum from each side.
decaying_sums <- function(x, rho) {
    forward <- as.numeric(stats::filter(x, rho, method = "recursive"))
    backward <- rev(as.numeric(stats::filter(rev(x), rho, method = "recursive")))
    forward + backward - x
}

#' @export
print.increment_bounds <- function(x, ...) {
    largest <- max(x$increments$d_embedding)
    shown <- format(x$constants[c("C_H", "l", "C_X", "C_1", "C_2", "C")], digits = 4, trim = TRUE)
    writeLines(c(
        sprintf("increments along %d scales; the largest increment of an embedding is %s", nrow(x$increments) + 1L,
                format(largest, digits = 4)),
        paste(names(shown), shown, sep = " = ", collapse = ", "),
        bound_lines(x, "the theorem", x$constants, x$condition, x$uniform_bound, x$increments$pointwise_bound),
        bound_lines(x, "the observed C", x$observed$constants, x$observed$condition, x$observed$uniform_bound,
                    x$increments$observed_bound),
        if (!x$stationary) {
            "the path is not a converged one of solver \"hals\" with scales of equal weight: the bounds need not hold"
        }
    ))
    invisible(x)
}

bound_lines <- function(x, source, constants, condition, uniform, pointwise) {
    anchor <- format(x$parameters[["lambda_anchor"]])
    C <- format(constants[["C"]], digits = 4)
    if (!condition) {
        return(sprintf("%s: C = %s, so the condition lambda_anchor > C does not hold (lambda_anchor = %s): no bound",
                       source, C, anchor))
    }
    within <- sum(x$increments$d_embedding <= pointwise)
    sprintf("%s: lambda_anchor = %s > C = %s; uniform bound %s; %d of %d increments within their pointwise bound",
            source, anchor, C, format(uniform, digits = 4), within, length(pointwise))
}
