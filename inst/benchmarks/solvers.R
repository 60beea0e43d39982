# Speed of the solvers, as ratios in one run:   Rscript inst/benchmarks/solvers.R [data set ...]
# Data: RDS lists with X (features x cells) in $PNMF_SHARED/data (yan and DC1 by default), else simulated cells.
library(pNMF)

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "common.R"))

processor_seconds <- function() sum(proc.time()[c("user.self", "sys.self")])

# The objective of the model with all penalties 1, from its definition.
objective_of <- function(x, scales, fit) {
    own <- vapply(seq_along(fit$H), function(t) {
        H <- fit$H[[t]]
        sum((x - fit$W[[t]] %*% H)^2) + sum(H * as.matrix(H %*% laplacian(scale_graph(scales, t)))) + sum(H^2)
    }, 0)
    sum(own) + sum(vapply(seq_along(fit$H)[-1L], function(t) sum((fit$H[[t]] - fit$H[[t - 1L]])^2), 0))
}

# The time that `authors` takes, and the time until `hals`, from the same start, is below that objective: after the
# start, which solves one scale after the other, or else after a sweep. Processor time of one thread.
compare_solvers <- function(name) {
    x <- as.matrix(load_set(name))
    scales <- pNMF:::with_edges(persistence_scales(x))
    start <- nndsvda(x, ceiling(sqrt(ncol(x))))
    defaults <- pNMF:::complete_control(pnmf_control(), "authors")
    target <- NULL
    begun <- processor_seconds()
    timed_fit(x, scales, start, "authors", 1, defaults$max_outer, defaults$max_inner, defaults$tol, 1L,
              function(sweep, objective, seconds) {
                  target <<- objective
                  TRUE
              })
    theirs <- processor_seconds() - begun
    defaults <- pNMF:::complete_control(pnmf_control(), "hals")
    begun <- processor_seconds()
    none <- pNMF:::fit_path_cpp(x, scales$edges, scales$threshold, 1.5, list(W = list(start$W), H = list(start$H)),
                                "hals", core_options(1, 0L, defaults$max_inner), function(...) TRUE, NULL)
    reached <- list(sweep = 0L, seconds = processor_seconds() - begun, objective = objective_of(x, scales, none))
    if (reached$objective >= target) {
        reached <- NULL
        begun <- processor_seconds()
        timed_fit(x, scales, start, "hals", 1, defaults$max_outer, defaults$max_inner, 0, 1L,
                  function(sweep, objective, seconds) {
                      if (objective < target) {
                          reached <<- list(sweep = sweep, objective = objective, seconds = processor_seconds() - begun)
                      }
                      is.null(reached)
                  })
    }
    if (is.null(reached)) stop("hals never got below authors on ", name)
    cat(sprintf("%-8s authors %.2f s, ends at %.6g; hals %.6g in %.2f s (%d sweeps): %.1f times shorter\n", name,
                theirs, target, reached$objective, reached$seconds, reached$sweep, theirs / reached$seconds))
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
