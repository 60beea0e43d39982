# How fast the solver reaches its optimum:   Rscript inst/benchmarks/convergence.R [LIBRARY]
# 1. One scale without a graph is plain NMF: objective against readings of X and seconds, beside RcppML::nmf and
#    NMF::nmf.
# 2. Whole paths, beside version 0.99.0, which LIBRARY holds
#    (git archive 966853e | tar x; R CMD INSTALL --library=LIBRARY).
# One thread. Data as in solvers.R.
library(pNMF)
library(Matrix)  # RcppML looks for its classes on the search path

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "common.R"))
old_library <- commandArgs(TRUE)[1]

squared_error <- function(x, W, H) sum(x^2) - 2 * sum(W * as.matrix(x %*% t(H))) + sum(crossprod(W) * tcrossprod(H))

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

# In another process: the old version's scales of the data, its objective after every sweep, and its default fit.
old_path <- function(name, x, n_scales, rank, lambda, sweeps) {
    data <- tempfile(fileext = ".rds")
    result <- tempfile(fileext = ".rds")
    on.exit(unlink(c(data, result)))
    saveRDS(x, data)
    code <- substitute({
        .libPaths(c(library_path, .libPaths()))
        library(pNMF)
        x <- readRDS(data)
        scales <- persistence_scales(x, n_scales = n_scales, graph = if (ncol(x) > 2000) "knn" else "full")
        fit <- function(...) {
            pnmf(x, rank, scales = scales, lambda_graph = lambda, lambda_smooth = lambda,
                 control = pnmf_control(threads = 1, ...))
        }
        seconds <- sum(system.time(default <- fit())[1:2])
        long <- fit(tol = 0, max_outer = sweeps)
        saveRDS(list(scales = unclass(scales), seconds = seconds, sweeps = nrow(objective(default)),
                     objective = objective(long)$objective), result)
    }, list(library_path = old_library, data = data, n_scales = n_scales, rank = rank, lambda = lambda, sweeps = sweeps,
            result = result))
    script <- tempfile(fileext = ".R")
    writeLines(deparse(code), script)
    if (system2(file.path(R.home("bin"), "Rscript"), script) != 0) stop("version 0.99.0 failed on ", name)
    readRDS(result)
}

# A sweep reads the data twice. Both versions compute singular vectors first, the new one three times as many.
whole_path <- function(name, n_scales, rank, sweeps = 2000, lambda = 1, x = load_set(name)) {
    old <- old_path(name, x, n_scales, rank, lambda, sweeps)
    scales <- persistence_scales(x, n_scales = n_scales, thin = "index", graph = if (ncol(x) > 2000) "knn" else "full")
    scales$weight <- scales$gap <- NULL
    stopifnot(all.equal(scales$threshold, old$scales$threshold))
    fit <- function(...) {
        pnmf(x, rank, scales = scales, lambda_graph = lambda, lambda_smooth = lambda, alpha = 1.5,
             control = pnmf_control(threads = 1, ...))
    }
    seconds <- sum(system.time(default <- fit())[1:2])
    target <- old$objective[sweeps]
    made <- pNMF::objective(fit(tol = 0, max_outer = 400))$objective
    reached <- which(made <= target * (1 + 1e-5))[1]
    old_reached <- which(old$objective <= target * (1 + 1e-5))[1]
    cat(sprintf(paste("%-18s %3d scales: within 1e-5 of the old end after %d sweeps, was %d (1/%.1f);",
                      "after 400 sweeps %.1e above that end;\n%19s default fit %d sweeps, %.1f s of processor time,",
                      "was %d, %.1f s (%.1f times); converged: %s\n"),
                name, length(scales$threshold), reached, old_reached, old_reached / reached, made[400] / target - 1, "",
                nrow(pNMF::objective(default)), seconds, old$sweeps, old$seconds, seconds / old$seconds,
                all(converged(default))))
}

for (name in c("DC1", "ginhoux")) one_scale(name)
if (is.na(old_library)) {
    cat("no library with version 0.99.0 given: whole paths are not compared\n")
} else {
    whole_path("concentric_circles", NULL, 2, lambda = 100)
    # The example in the README of version 0.99.0
    whole_path("simulated cells", 24, 8, x = normalize_counts(simulate_cells(n_cells = 180)$counts, method = "paper"))
    whole_path("yan", 20, 10, 500)
    whole_path("DC1", 40, 17)
    whole_path("ginhoux", 20, 16)
    whole_path("pbmc_facs", 20, 20, 300)
}
