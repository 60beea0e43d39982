# Programs have a resolution: fine scales have those of states and subtypes, coarse scales those of types.
# Rscript inst/experiments/resolution.R [output folder] [--full] [--data=FOLDER] [--threads=N]
# The simulated hierarchy at rank 16 and at the default rank (five seeds with --full, two without), known mixtures
# (RNAmix), sorted blood cells, and k-means with k given on ten labelled sets (PNMF_SHARED; 2,000 most variable genes,
# every third cell of pbmc_facs unless --full). RcppML::nmf() and plain NMF run beside ours. Everything else is default.
#
# What limits it. Genes of lineages: the mean expression of the true lineages has .67 (five seeds), less than the .75
# that one would like. Activities at rank 16: some are in two factors, which cost less than one because penalties are
# quadratic; activity_merged reads factors as one where factor_tracks() merges them. RNAmix: the default scale has 10.9
# effective cells, usages are best at 3 to 6 (rank 6, 8, 10: .970, .964, .951 there, .972, .974, .977 at best).
# What was tried at rank 16 with the default folds of simulate_cells() and depth 1,000 (first seed: activities, scales
# of 12 at .90 or more, finest scale, best scale; best types; factors that are their own best match from end to end;
# sweeps). n and e_t: cells and effective cells.
#   springs           anchor   scales  finest  best   types  end to end  sweeps
#   1 (default)       .1       6       .89     .92    .90    .88         188
#   1                 0        2       .86     .92    .91    .94         366
#   .1                .1       11      .97     .97    .91    .56         188
#   .1                0        10      .98     .98    .93    .56         457
#   .1 sqrt(n / e_t)  .1       6       .90     .92    .90    .94         151
#   .03 n / e_t       .1       9       .96     .96    .90    .88         151
#   n / e_t, mean 1   .1       4       .88     .92    .90    .88         188   (mean of the logarithms)
# Weaker springs let the finest scales go back to one factor per activity, but lose the identity of the factors.
# End to end on Pollen (rank 19), in an earlier run: .68 with the default springs and with .03 n / e_t, .74 with n / e_t,
# mean 1. It falls from .95 to .68 between two scales, 9 and 10, and 18 of the 19 factors have not merged there.
# Stronger springs, the same at all scales (lambda_smooth): smooth_ties.R.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
options(pNMF.progress = FALSE, RcppML.threads = settings$threads)

fit <- function(X, ...) suppressMessages(pnmf(X, ...))

plain <- function(X, rank) {
    found <- fit_nmf(X, rank)
    list(W = loading(found), H = embedding(found))
}
has_rcppml <- requireNamespace("RcppML", quietly = TRUE)

# What a fit would find that knows the lineage of every cell: their mean expression. Only genes of lineages count.
known_lineages <- function(cells) {
    members <- stats::model.matrix(~ lineage - 1, data.frame(lineage = cells$lineage))
    list(W = as.matrix(cells$X %*% sweep(members, 2L, colSums(members), "/")), H = members)
}

# Activities, where the factors that factor_tracks() calls merged are one program.
merged_activities <- function(path, cells) {
    tracks <- factor_tracks(path)
    vapply(seq_len(n_scales(path)), function(t) {
        usage <- t(rowsum(t(path_usage(path, t)), merged_factors(tracks, t)))
        best_correlations(usage, t(cells$usage))[["activity"]]
    }, numeric(1))
}

# 1. The simulation: correlation of the best factor with every known program.
simulation_rows <- function(seed, rank = NULL) {
    cells <- matched_hierarchy(seed)
    path <- fit(cells$X, rank = rank)
    ours <- t(vapply(seq_len(n_scales(path)), function(t) program_scores(loading(path, t), embedding(path, t), cells),
                     numeric(6)))
    merged <- merged_activities(path, cells)
    others <- c(list(`plain NMF` = plain(cells$X, n_factors(path)), `known lineages` = known_lineages(cells)),
                if (has_rcppml) list(RcppML = rcppml(cells$X, n_factors(path)), `RcppML, rank 9` = rcppml(cells$X, 9)))
    theirs <- t(vapply(others, function(fit) program_scores(fit$W, fit$H, cells), numeric(6)))
    data.frame(fit = c(paste("scale", seq_len(nrow(ours))), "best scale", names(others)),
               rbind(ours, apply(ours, 2L, max), theirs),
               activity_merged = c(merged, max(merged), theirs[, "activity"]), rank = n_factors(path),
               next_scale = c(identity_scores(path)[["next_scale"]], rep(NA, nrow(ours) + length(others))))
}

mean_rows <- function(rows) {
    numbers <- Reduce(`+`, lapply(rows, function(row) as.matrix(row[-1L]))) / length(rows)
    data.frame(fit = rows[[1L]]$fit, numbers, row.names = NULL)
}

seeds <- if (settings$full) 1:5 else 1:2
for (rank in list(16, NULL)) {
    name <- if (is.null(rank)) "default" else rank
    say("simulation, rank %s", name)
    table <- mean_rows(lapply(seeds, simulation_rows, rank = rank))
    print_table(table, paste0("resolution_simulation_", name), settings, digits = 2)
    writeLines(sprintf("activities at .90 or more: %d of 12 scales, %d with merged programs as one",
                       sum(table$activity[1:12] >= 0.9), sum(table$activity_merged[1:12] >= 0.9)))
}

# 2. Clusters of the simulation, with weak (depth 1,000) and clear types (2,000).
cluster_line <- function(name, found, types, subsets) {
    by_scale <- function(truth) vapply(found$clusters, function(labels) ari(truth, labels), numeric(1))
    data.frame(data = name, clusters = paste(found$k, collapse = " "), types = max(by_scale(types)),
               k_types = found$k[which.max(by_scale(types))], subsets = max(by_scale(subsets)),
               k_subsets = found$k[which.max(by_scale(subsets))])
}
points_of <- function(X) fit(X, rank = 2, control = pnmf_control(max_outer = 1, tol = 0))@scales
rows <- lapply(c(1000, 2000), function(depth) {
    cells <- simulated_hierarchy(1, depth)
    cluster_line(paste("simulation, depth", depth), persistent_clusters(suppressWarnings(points_of(cells$X))),
                 cells$lineage, cells$type)
})

# 3. Known mixtures: correlation of usages with the known shares, and at the scale that the package uses.
sets <- variable_sets(settings)
if ("RNAmix" %in% names(sets)) {
    mix <- sets$RNAmix
    truth <- mix$U
    colnames(truth) <- paste0("line", seq_len(ncol(truth)))
    mixtures <- lapply(c(6, 8, 10, 12), function(rank) {
        path <- fit(mix$X, rank = rank)
        found <- vapply(seq_len(n_scales(path)), function(t) best_correlations(path_usage(path, t), truth), numeric(1))
        other <- if (has_rcppml) rcppml(mix$X, rank)
        data.frame(rank = rank, finest = found[1L], best = max(found), at = which.max(found),
                   default = found[pNMF:::scale_for_programs(path@scales)], coarsest = found[length(found)],
                   RcppML = if (has_rcppml) best_correlations(usage_shares(other$W, other$H), truth) else NA)
    })
    print_table(do.call(rbind, mixtures), "resolution_mixtures", settings)
}

# 4. Ten labelled sets: scores with k given, identity of the factors; blood cells: what types and subsets explain.
squares <- function(usage) sum(sweep(usage, 2L, colMeans(usage))^2)
between <- function(usage, group) squares((rowsum(usage, group) / as.vector(table(group)))[group, ])
explained <- function(path, set) {
    inside <- grepl("^T", set$y)
    t(vapply(seq_len(n_scales(path)), function(t) {
        usage <- path_usage(path, t)
        subsets <- between(usage[inside, ], as.character(set$fine[inside]))
        c(scale = t, effective_cells = effective_cells(path)[t],
          types = between(usage, as.character(set$y)) / squares(usage), T_subsets = subsets / squares(usage[inside, ]),
          T_subsets_of_all = subsets / squares(usage))
    }, numeric(5)))
}
kept_or_merged <- function(path) {
    last <- n_scales(path)
    share_kept(path, 1L, last, merged_factors(factor_tracks(path), last))
}
scored <- lapply(names(sets), function(name) {
    set <- sets[[name]]
    time <- seconds(path <- suppressWarnings(fit(set$X)))
    score <- score_path(path, set$y, n_start = 20, seed = 1)$average
    if (!is.null(set$fine) && name == "pbmc_facs") {
        print_table(as.data.frame(explained(path, set)), "resolution_explained", settings)
        rows[[3L]] <<- cluster_line(name, persistent_clusters(path), set$y, set$fine)
    }
    data.frame(set = name, cells = ncol(set$X), rank = n_factors(path), finest = score[1L], mean = mean(score),
               coarsest = score[length(score)], best = max(score), at = which.max(score),
               as.list(identity_scores(path)), end_to_end_merged = kept_or_merged(path),
               converged = all(converged(path)), seconds = time)
})
table <- do.call(rbind, scored)
means <- colMeans(table[c("finest", "mean", "coarsest", "best", "next_scale", "worst_step", "end_to_end",
                          "end_to_end_merged")])
print_table(table, "resolution_sets", settings)
writeLines(c("means:", paste(names(means), sprintf("%.3f", means), collapse = ", "),
             paste("fall by more than .15 from the best scale to the coarsest:",
                   toString(table$set[table$best - table$coarsest > 0.15]))))
print_table(do.call(rbind, rows), "resolution_clusters", settings)
long <- stats::reshape(table[c("set", "finest", "mean", "coarsest", "best")], direction = "long", varying = 2:5,
                       v.names = "score", times = c("finest", "mean", "coarsest", "best"), timevar = "scale")
save_figure(ggplot(long, aes(score, set, colour = scale)) + geom_point() + labs(y = NULL) + plain_theme(),
            "resolution", settings)
