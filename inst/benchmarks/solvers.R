# Speed of the solvers, as ratios in one run:   Rscript inst/benchmarks/solvers.R [data set ...]
# Data: RDS lists with X (features x cells) in $PNMF_SHARED/data (yan and DC1 by default), else simulated cells.
library(pNMF)

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "common.R"))

# Processor seconds, without R's garbage collections, which depend on what else is in the session.
clock <- function() sum(proc.time()[c("user.self", "sys.self")]) - sum(gc.time()[1:2])

# The objective of the model with all penalties 1, from its definition.
objective_of <- function(x, scales, fit) {
    own <- vapply(seq_along(fit$H), function(t) {
        H <- fit$H[[t]]
        sum((x - fit$W[[t]] %*% H)^2) + sum(H * as.matrix(H %*% laplacian(scale_graph(scales, t)))) + sum(H^2)
    }, 0)
    sum(own) + sum(vapply(seq_along(fit$H)[-1L], function(t) sum((fit$H[[t]] - fit$H[[t - 1L]])^2), 0))
}

# The time until `authors` has done its last sweep, and until `hals`, from the same start, is below that objective:
# after its start, which solves one scale after the other, or else after a sweep. Processor time of one thread; neither
# includes the end of the fit (residuals, results to R). That of `hals` is the time after the only sweep of another fit.
compare_solvers <- function(name) {
    x <- as.matrix(load_set(name))
    scales <- pNMF:::with_edges(persistence_scales(x))
    start <- nndsvda(x, ceiling(sqrt(ncol(x))))
    fit <- function(solver, max_outer = NULL, on_sweep = function(...) TRUE) {
        defaults <- pNMF:::complete_control(pnmf_control(), solver)
        if (is.null(max_outer)) max_outer <- defaults$max_outer
        options <- core_options(1, max_outer, defaults$max_inner, if (solver == "hals") 0 else defaults$tol)
        pNMF:::fit_path_cpp(x, scales$edges, scales$threshold, 1.5, list(W = list(start$W), H = list(start$H)), solver,
                            options, on_sweep, NULL)
    }
    time_start <- function() {
        begun <- clock()
        fit("hals", 0L)
        whole <- clock() - begun
        fit("hals", 1L, function(...) {
            begun <<- clock()
            TRUE
        })
        whole - (clock() - begun)
    }
    reached <- list(sweep = 0L, objective = objective_of(x, scales, fit("hals", 0L)))
    seconds <- replicate(3, time_start())
    target <- ended <- NULL
    begun <- clock()
    fit("authors", on_sweep = function(sweep, objective) {
        target <<- objective
        ended <<- clock()
        TRUE
    })
    theirs <- ended - begun
    seconds <- c(seconds, replicate(3, time_start()))
    if (reached$objective >= target) {
        begun <- clock()
        fit("hals", on_sweep = function(sweep, objective) {
            reached <<- list(sweep = sweep, objective = objective)
            seconds <<- clock() - begun
            objective >= target
        })
    }
    if (reached$objective >= target) stop("hals never got below authors on ", name)
    cat(sprintf("%-8s authors %.2f s, ends at %.6g; hals %.6g in %.2f s (%d sweeps; %.2f to %.2f): %.1f times\n",
                name, theirs, target, reached$objective, stats::median(seconds), reached$sweep, min(seconds),
                max(seconds), theirs / stats::median(seconds)))
}

# The paper's step written plainly in R, with WH and dense Laplacians, at a few scales: seconds per sweep over all
# scales, beside those of the default solver.
against_plain_r <- function(name, timed_scales = 3) {
    x <- as.matrix(load_set(name))
    scales <- pNMF:::with_edges(persistence_scales(x))
    start <- nndsvda(x, ceiling(sqrt(ncol(x))))
    one_step <- function(t) {
        A <- methods::as(scale_graph(scales, t)$adjacency, "matrix")
        H <- start$H * (crossprod(start$W, x) + start$H %*% A) /
            (crossprod(start$W, start$W %*% start$H) + start$H %*% diag(rowSums(A)) + 2 * start$H)
        W <- start$W * tcrossprod(x, H) / ((start$W %*% H) %*% t(H) + 1e-9)
        sum((x - W %*% H)^2)
    }
    n_scales <- length(scales$threshold)
    plain <- elapsed(for (t in round(seq(1, n_scales, length.out = timed_scales))) one_step(t))
    plain <- plain / timed_scales * n_scales
    at <- numeric(0)
    timed_fit(x, scales, start, "hals", 1, 4L, 10L, 0, 1L, function(sweep, objective, seconds) {
        at[sweep] <<- seconds
        TRUE
    })
    cat(sprintf("%-8s one sweep in plain R %.1f s (from %d of %d scales), hals %.2f s: %.0f times shorter\n", name,
                plain, timed_scales, n_scales, stats::median(diff(at)), plain / stats::median(diff(at))))
}

# Seconds per sweep on one and on two threads, beside the time of R's crossprod(W, X) and tcrossprod(X, H) for all
# scales. Medians; the measurements alternate, so that all see the same machine load.
time_sweeps <- function(name, x, turns = 9, sweeps = 21L) {
    rank <- ceiling(sqrt(ncol(x)))
    canonical <- persistence_scales(x)
    scales <- pNMF:::with_edges(persistence_scales(x, n_scales = min(40, length(canonical$threshold))))
    start <- nndsvda(x, rank)
    sweep_seconds <- function(threads) {
        at <- numeric(0)
        timed_fit(x, scales, start, "hals", 0.1, sweeps, 10L, 0, threads, function(sweep, objective, seconds) {
            at[sweep] <<- seconds
            TRUE
        })
        (at[sweeps] - at[1]) / (sweeps - 1)
    }
    measured <- vapply(seq_len(turns), function(turn) {
        products <- elapsed(for (i in 1:10) {
            Matrix::crossprod(start$W, x)
            Matrix::tcrossprod(x, start$H)
        }) / 10
        one <- sweep_seconds(1L)
        c(sweep = one, products = one / (products * length(scales$threshold)), threads = one / sweep_seconds(2L))
    }, numeric(3))
    middle <- apply(measured, 1L, stats::median)
    cat(sprintf("%-8s sweep %.3f s, %.2f of R's two products for every scale (%.2f to %.2f in %d turns); %s\n", name,
                middle[["sweep"]], middle[["products"]], min(measured["products", ]), max(measured["products", ]),
                turns, sprintf("2 threads %.2f times faster", middle[["threads"]])))
}

sets <- commandArgs(trailingOnly = TRUE)
if (length(sets) == 0L) sets <- c("yan", "DC1")
for (name in sets) compare_solvers(name)
for (name in sets) against_plain_r(name)
for (name in sets) time_sweeps(name, load_set(name))
dense <- matrix(stats::rexp(6e6), 20000, 300) * (matrix(stats::runif(6e6), 20000, 300) < 0.5)
time_sweeps("dense", dense)
