# How close a thinned path is to the full one at the scales it keeps.
#   [PNMF_SHARED=folder] Rscript thinning.R [data set ...]      (DC1)
# The full path has all canonical scales. Thinned paths couple scales that are further apart with the same
# 'lambda_smooth', so they solve a different problem. They are also fitted with 'lambda_smooth' divided by m and by m^2,
# where m scales of the full path lie between two kept scales: a chain of m springs is m times softer than one spring,
# and one kept scale represents m data terms.
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

quartiles <- function(x) sprintf("%.2f (%.2f-%.2f)", stats::median(x), min(x), max(x))

report <- function(name) {
    file <- file.path(Sys.getenv("PNMF_SHARED"), "data", paste0(name, ".rds"))
    truth <- if (file.exists(file)) readRDS(file)$y
    x <- load_set(name)
    k <- if (is.null(truth)) 5L else length(unique(truth))
    canonical <- persistence_scales(x)
    fit <- function(scales, lambda_smooth = 1, tol = 1e-5) {
        pnmf(x, scales = scales, lambda_smooth = lambda_smooth,
             control = pnmf_control(max_outer = 300, tol = tol, verbose = FALSE))
    }
    full <- suppressWarnings(fit(canonical))
    total <- n_scales(full)
    line <- function(what, path) {
        found <- compare_paths(path, full, match(thresholds(path), thresholds(full)), k, truth)
        writeLines(sprintf("%-34s %s  %s  %s  %s  %s", what, quartiles(found$difference), quartiles(found$distances),
                           quartiles(found$agreement), quartiles(found$truth_thin), quartiles(found$truth_full)))
    }
    writeLines(c(sprintf("%s: %d x %d, all %d scales against fewer, rank %d, k-means with %d clusters", name, nrow(x),
                         ncol(x), total, n_factors(full), k),
                 "median (range) over kept scales: |H - H full|/|H full| matched, correlation of distances between",
                 "cells, ARI of both labellings with each other, of the thinned and of the full one with the truth"))
    line("full, random start", suppressWarnings(pnmf(x, scales = canonical, control = pnmf_control(
        max_outer = 300, tol = 1e-5, start = "random", seed = 1, verbose = FALSE))))
    line("full, default tolerance", fit(canonical, tol = NULL))
    for (kept in c(20, 50)) {
        m <- total / kept
        scales <- persistence_scales(x, n_scales = kept)
        line(sprintf("%d scales", kept), fit(scales))
        line(sprintf("%d scales, lambda_smooth / %.1f", kept, m), fit(scales, 1 / m))
        line(sprintf("%d scales, lambda_smooth / %.1f^2", kept, m), fit(scales, 1 / m^2))
    }
}

sets <- commandArgs(trailingOnly = TRUE)
for (name in if (length(sets) > 0) sets else "DC1") report(name)
