# Where a path should end: the effective cells of the coarsest scale, and the number of scales.
# Rscript inst/experiments/coarsest.R [output folder] [--full] [--data=FOLDER] [--threads=N]
# Ten labelled sets (PNMF_SHARED; 2,000 most variable genes, default rank, every third cell of pbmc_facs unless --full)
# and the simulation of resolution.R at rank 16.
#
# What was found with every end. Sets: score with k given, over all scales, at the coarsest, at the best; share of
# the factors that are their own best match from the finest to the coarsest scale. Simulation: correlation of usages
# with the lineages (best scale) and the activities (coarsest scale); clusters at the finest and the coarsest scale.
#   end       mean  coarsest  best  end to end   lineages  activities  clusters
#   3         .839  .841      .894  .91          1.00      .50         14 to 3
#   4         .837  .838      .892  .94          1.00      .80         14 to 4
#   6         .841  .839      .902  .94           .98      .86         14 to 3
#   12        .843  .859      .893  .98           .97      .89         14 to 11
#   24        .844  .853      .889  1.00         1.00      .92         14 to 14
#   rank      .842  .851      .891  .99           .99      .91         14 to 13
#   2 rank    .838  .859      .887  1.00          .98      .91         14 to 14
# Scores hardly depend on the end. 12 and more lost because the coarsest scale still has the types; 4 and 6 because
# types keep about half of their own smoothing there, so that seeds and the number of cells decide which of them are
# left (more_cells.R): exactly the three lineages in 5 of 8 simulations with 4, in 8 of 8 with 3. What 3 costs are the
# activities at the last two scales, and three percent of the factors end to end. The recommended clusters score the
# same (.80).
# The number of scales (with the end at 6): 8, 12 and 20 scales have .844, .841 and .838 over all scales, .96, .94
# and .86 end to end: 8 are enough for programs, 12 show more levels of the tree. No step was longer than 1.7 times
# the mean step; 2.2 times with an end at twice the rank.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
options(pNMF.progress = FALSE)

fit <- function(set, ...) suppressWarnings(suppressMessages(pnmf(set$X, ...)))

# k given: mean of ARI, NMI, purity and accuracy over the scales, at the coarsest and at the best one.
scored <- function(set, ...) {
    path <- fit(set, ...)
    score <- score_path(path, set$y, n_start = 10, seed = 1)$average
    step <- -diff(log(effective_cells(path)))
    data.frame(as.list(c(mean = mean(score), coarsest = score[length(score)], best = max(score),
                         identity_scores(path), largest_step = max(step) / mean(step))))
}

# Correlations of usages: types at their best scale, lineages and activities at the coarsest.
scored_simulation <- function(cells, ...) {
    path <- fit(cells, ...)
    at_scale <- function(t) best_correlations(path_usage(path, t), t(cells$usage))
    usage <- vapply(seq_len(n_scales(path)), at_scale, numeric(3))
    kept <- persistent_clusters(path, support = FALSE)$k
    data.frame(lineage = max(usage[1L, ]), type = max(usage[2L, ]), activity = max(usage[3L, ]),
               coarsest_lineage = usage[1L, ncol(usage)], coarsest_activity = usage[3L, ncol(usage)],
               end_to_end = identity_scores(path)[["end_to_end"]],
               clusters = paste(range(kept)[2:1], collapse = " to "))
}

sets <- variable_sets(settings)
cells <- simulated_hierarchy(1)
ranks <- vapply(sets, function(set) n_factors(fit(set, control = pnmf_control(max_outer = 1, tol = 0))), 1L)

compare <- function(what, variants) {
    rows <- lapply(names(variants), function(name) {
        score_set <- function(set, rank) do.call(scored, c(list(set), variants[[name]](rank)))
        table <- do.call(rbind, Map(score_set, sets, ranks))
        say("%s %s: %s", what, name, paste(names(sets), sprintf("%.3f", table$coarsest), collapse = ", "))
        data.frame(variant = name, as.list(colMeans(table[-7L])), largest_step = max(table$largest_step))
    })
    print_table(do.call(rbind, rows), paste0("coarsest_", what), settings)
    rows <- lapply(names(variants), function(name) {
        data.frame(variant = name, do.call(scored_simulation, c(list(cells, rank = 16), variants[[name]](16))))
    })
    print_table(do.call(rbind, rows), paste0("coarsest_", what, "_simulation"), settings)
}

ends <- list(`3` = 3, `4` = 4, `6` = 6, `12` = 12, `24` = 24)
compare("end", c(lapply(ends, function(end) function(rank) list(coarsest = end)),
                 list(rank = function(rank) list(coarsest = rank),
                      `2 rank` = function(rank) list(coarsest = 2 * rank))))
compare("number", lapply(c(`8` = 8, `20` = 20), function(n) function(rank) list(scales = n, coarsest = 6))) # 12: above
