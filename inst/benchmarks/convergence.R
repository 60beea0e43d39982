# How fast the solver reaches its optimum:   Rscript inst/benchmarks/convergence.R [data set ...]
# One scale without a graph is plain NMF: objective against readings of X and seconds, beside RcppML::nmf and NMF::nmf.
# One thread. Data as in solvers.R, DC1 and ginhoux by default.
library(pNMF)
library(Matrix)  # RcppML looks for its classes on the search path

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "common.R"))

show_lines <- function(table, best) {
    table$above <- (table$objective - best) / best
    cat(sprintf("  %-22s %6d iterations %7d readings %8.2f s   %.2e above the lowest\n", table$method, table$iterations,
                table$readings, table$seconds, table$above), sep = "")
}

line_of <- function(method, iterations, readings, seconds, objective) {
    data.frame(method = method, iterations = iterations, readings = readings, seconds = seconds, objective = objective)
}

own_lines <- function(x, rank, sweeps) {
    start <- nndsvda(x, rank)
    scales <- list(edges = list(i = integer(0), j = integer(0), length = numeric(0)), threshold = 1)
    lines <- list()
    begun <- elapsed(nndsvda(x, rank))
    timed_fit(x, scales, start, "hals", 0, max(sweeps), 10L, 0, 1L, function(sweep, objective, seconds) {
        # The chain of starts reads X twice for each of its at most 10 steps; a sweep reads it twice.
        if (sweep %in% sweeps) {
            lines[[length(lines) + 1]] <<- line_of("pNMF", sweep, 20 + 2 * sweep, begun + seconds, objective)
        }
        TRUE
    }, penalties = 0)
    do.call(rbind, lines)
}

rcppml_lines <- function(x, rank, iterations) {
    if (!requireNamespace("RcppML", quietly = TRUE)) return(NULL)
    RcppML::setRcppMLthreads(1)
    x <- methods::as(x, "CsparseMatrix")
    do.call(rbind, lapply(iterations, function(n) {
        seconds <- elapsed(fit <- RcppML::nmf(x, rank, tol = 1e-300, maxit = n, verbose = FALSE, seed = 1))
        line_of("RcppML", n, 2 * n, seconds, squared_error(x, fit$w %*% diag(fit$d), fit$h))
    }))
}

nmf_lines <- function(x, rank, iterations) {
    if (!requireNamespace("NMF", quietly = TRUE)) return(NULL)
    suppressMessages(library(NMF)) # its objective() hides ours
    x <- as.matrix(x)
    x <- x[rowSums(x) > 0, ]
    do.call(rbind, lapply(iterations, function(n) {
        # It prints its progress.
        utils::capture.output(seconds <- elapsed(fit <- nmf(x, rank, method = "lee", seed = 1, maxIter = n,
                                                            .stop = NULL, .options = "-p")))
        line_of("NMF, Lee and Seung", n, 2 * n, seconds, squared_error(x, basis(fit), coef(fit)))
    }))
}

one_scale <- function(name) {
    x <- load_set(name)
    rank <- ceiling(sqrt(ncol(x)))
    cat(sprintf("%s, %d x %d, rank %d, one scale without a graph\n", name, nrow(x), ncol(x), rank))
    lines <- rbind(own_lines(x, rank, c(10, 20, 50, 100, 200, 500, 1000)), rcppml_lines(x, rank, c(10, 50, 200, 1000)),
                   nmf_lines(x, rank, c(50, 200, 1000)))
    show_lines(lines, min(lines$objective))
}

sets <- commandArgs(TRUE)
for (name in if (length(sets)) sets else c("DC1", "ginhoux")) one_scale(name)
