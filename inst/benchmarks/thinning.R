# How close a thinned path is to the full one at the scales it keeps.
#   [PNMF_SHARED=folder] Rscript thinning.R [data set ...]      (DC1)
# Default settings, but all scales in the full path, and a tolerance of a tenth of the default, so that differences are
# not those of unfinished fits. A kept scale carries the weight of the scales that were left out, and its gap to the
# previous one (see persistence_scales()). For comparison, a thinned path that starts from the full one (if only this
# one is close, the others are different local optima), one from a random start, and one whose scales all have the
# weight and gap 1.
suppressPackageStartupMessages(library(pNMF))

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "common.R"))

# |A - PB| / |B| with the rows of B in the order that fits best. A, B: rank x cells
matched_difference <- function(A, B) {
    cost <- outer(rowSums(A^2), rowSums(B^2), `+`) - 2 * tcrossprod(A, B)
    order <- as.integer(clue::solve_LSAP(pmax(cost, 0)))
    sqrt(sum((A - B[order, , drop = FALSE])^2) / sum(B^2))
}

# Figures of every kept scale; `same` are the positions of the kept thresholds in the full path.
compare_paths <- function(thin, full, same, k, truth) {
    labels <- function(path, t) {
        set.seed(1)
        stats::kmeans(embedding(path, t), k, nstart = 20, iter.max = 100)$cluster
    }
    rows <- lapply(seq_len(n_scales(thin)), function(t) {
        mine <- labels(thin, t)
        theirs <- labels(full, same[t])
        data.frame(difference = matched_difference(t(embedding(thin, t)), t(embedding(full, same[t]))),
                   distances = stats::cor(as.vector(stats::dist(embedding(thin, t))),
                                          as.vector(stats::dist(embedding(full, same[t])))),
                   agreement = cluster_scores(theirs, mine)[["ari"]],
                   truth_thin = if (is.null(truth)) NA else cluster_scores(truth, mine)[["ari"]],
                   truth_full = if (is.null(truth)) NA else cluster_scores(truth, theirs)[["ari"]])
    })
    do.call(rbind, rows)
}

quartiles <- function(x) sprintf("%.2g (%.2g-%.2g)", stats::median(x), min(x), max(x))

report <- function(name) {
    truth <- if (file.exists(shared_file(name))) readRDS(shared_file(name))$y
    x <- load_set(name)
    k <- if (is.null(truth)) 5L else length(unique(truth))
    fit <- function(scales, ...) {
        control <- pnmf_control(max_outer = 1000, tol = 0.003, verbose = FALSE, ...)
        suppressMessages(pnmf(x, scales = scales, control = control))
    }
    full <- fit(ncol(x))
    writeLines(c(sprintf("%s: %d x %d, all %d scales against fewer, rank %d, k-means with %d clusters", name, nrow(x),
                         ncol(x), n_scales(full), n_factors(full), k),
                 "median (range) over kept scales: |H - H full|/|H full| matched, correlation of distances between",
                 "cells, ARI of both labellings with each other, of the thinned and of the full one with the truth"))
    line <- function(what, path) {
        same <- vapply(thresholds(path), function(h) which.min(abs(thresholds(full) - h)), integer(1))
        found <- compare_paths(path, full, same, k, truth)
        writeLines(c(
            sprintf("%-34s %s  %s  %s  %s  %s", what, quartiles(found$difference), quartiles(found$distances),
                    quartiles(found$agreement), quartiles(found$truth_thin), quartiles(found$truth_full)),
            sprintf("%34s %d of %d differences below 0.05", "", sum(found$difference < 0.05), nrow(found))
        ))
    }
    for (kept in c(20, 50)) line(sprintf("%d scales", kept), fit(kept))
    line("20 scales, from the full path", fit(20, start = full))
    line("20 scales, random start", fit(20, start = "random", seed = 1))
    unweighted <- fit(20)@scales
    unweighted[c("weight", "gap")] <- list(rep(1, 20), rep(1, 20))
    line("20 scales, weights and gaps 1", fit(unweighted))
}

sets <- commandArgs(trailingOnly = TRUE)
for (name in if (length(sets) > 0) sets else "DC1") report(name)
