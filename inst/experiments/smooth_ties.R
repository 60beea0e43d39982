# How strongly should neighbouring scales be tied? lambda_smooth, the same between all scales.
# Rscript inst/experiments/smooth_ties.R [output folder] [--full] [--data=FOLDER] [--threads=N]
# Ten labelled sets (PNMF_SHARED; 2,000 genes, default rank) and pbmc_sorted: score with k given and identity of the
# factors. The matched hierarchy at rank 16 (--full: five seeds, otherwise one): usages. RNAmix: known shares.
#
# What was found: means of the eleven sets, and end to end on Pollen (rank 19), the set with the lowest. Hierarchy:
# types at the finest scale (RcppML .65), activities at the best. RNAmix: the default scale of rank 10 below the best.
#   tie  finest  all scales  coarsest  end to end  Pollen  sweeps  types  activities  RNAmix
#   1    .821    .841        .838      .953        .63     69      .68    .97         .026
#   2    .818    .843        .845      .973        .79     126
#   3    .821    .847        .846      .986        .84     82                         .008
#   5    .834    .849        .849      .990        .89     124
#   10   .835    .851        .851      1.00        1.00    88      .60    .92         .005
# Only 10 keeps 90% of the factors on all sets, but then the finest scale is no longer fine: types of the hierarchy fall
# behind RcppML. The default stays 1.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
options(pNMF.progress = FALSE)
fit <- function(X, ...) suppressWarnings(suppressMessages(pnmf(X, ...)))

sets <- variable_sets(settings)
blood <- sorted_cells()
sets$pbmc_sorted <- list(X = variable_rows(normalize_counts(blood$counts), 2000L), y = blood$type)

scored <- function(name, tie) {
    time <- seconds(path <- fit(sets[[name]]$X, lambda_smooth = tie))
    score <- score_path(path, sets[[name]]$y, n_start = 20, seed = 1)$average
    data.frame(tie = tie, set = name, rank = n_factors(path), finest = score[1L], mean = mean(score),
               coarsest = score[length(score)], best = max(score), as.list(identity_scores(path)),
               sweeps = nrow(objective(path)), seconds = time)
}

# Correlations of usages at every scale.   scales x kinds of programs
usages <- function(path, truth) {
    t(vapply(seq_len(n_scales(path)), function(t) best_correlations(path_usage(path, t), truth),
             numeric(length(unique(sub("[0-9]+$", "", colnames(truth)))))))
}

on_hierarchy <- function(tie) {
    one <- function(seed) {
        cells <- matched_hierarchy(seed)
        path <- fit(cells$X, rank = 16, lambda_smooth = tie)
        found <- usages(path, t(cells$usage))
        c(tie = tie, finest = found[1L, ], best = apply(found, 2L, max), identity_scores(path))
    }
    rowMeans(vapply(if (settings$full) 1:5 else 1L, one, numeric(10)))
}

on_mixtures <- function(rank, tie) {
    truth <- sets$RNAmix$U
    colnames(truth) <- paste0("line", seq_len(ncol(truth)))
    path <- fit(sets$RNAmix$X, rank = rank, lambda_smooth = tie)
    found <- usages(path, truth)
    c(tie = tie, rank = rank, best = max(found), default = found[active_scale(path)])
}

ties <- c(1, 2, 3, 5, 10)
table <- do.call(rbind, lapply(ties, function(tie) do.call(rbind, lapply(names(sets), scored, tie = tie))))
print_table(table, "smooth_ties", settings)
print(stats::aggregate(table[-(1:2)], table["tie"], mean), digits = 3)
print_table(as.data.frame(t(vapply(ties, on_hierarchy, numeric(10)))), "smooth_ties_hierarchy", settings)
if ("RNAmix" %in% names(sets)) {
    mixtures <- lapply(ties, function(tie) t(vapply(c(6, 8, 10, 12), on_mixtures, numeric(4), tie = tie)))
    print_table(as.data.frame(do.call(rbind, mixtures)), "smooth_ties_mixtures", settings)
}
