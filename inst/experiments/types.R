# Simulated types: how often does persistent_clusters() find their number? 3 to 12 types of equal or very unequal sizes
# (each 1.6 times as large as the next, at least 15 cells), 20 seeds, types of their own lineage or of one lineage. What
# becomes of the missed ones: the p-values of the splits of the whole tree that part two types.
# Rscript inst/experiments/types.R [output folder] [--full] [--threads=N]       (--full: 20 seeds instead of 2)
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

drawn_types <- function(seed, sizes, lineages) {
    set.seed(seed)
    k <- sample(3:12, 1)
    share <- if (sizes == "equal") rep(1, k) else 1.6^-seq_len(k)
    size <- pmax(15, round(500 * share / sum(share)))
    cells <- simulate_cells(n_cells = k * max(size), n_genes = 500, n_lineages = if (lineages == "own") k else 1,
                            types_per_lineage = if (lineages == "own") 1 else k, seed = seed)
    kept <- unlist(lapply(seq_len(k), function(type) which(as.integer(cells$type) == type)[seq_len(size[type])]))
    counts <- cells$counts[, kept]
    x <- as.matrix(normalize_counts(counts[Matrix::rowSums(counts) > 0, ]))
    gram <- eigen(crossprod(x - rowMeans(x)), symmetric = TRUE)
    list(points = t(gram$vectors[, 1:20]) * sqrt(gram$values[1:20]), type = cells$type[kept], k = k)
}

# The smallest p-value of a split that is not shown although it parts cells of two types, NA if there is none.
missed_p <- function(scales, shown, type) {
    all <- persistent_clusters(scales, all_splits = TRUE)$tree
    hidden <- all$p_value[which(all$p_value > 0.05 & !all$continuum)]
    if (length(unique(shown)) >= length(unique(type)) || length(hidden) == 0L) NA else min(hidden)
}

one_run <- function(seed, sizes, lineages) {
    drawn <- drawn_types(seed, sizes, lineages)
    scales <- persistence_scales(drawn$points, metric = "adaptive", graph = "knn", thin = "effective")
    found <- persistent_clusters(scales)
    data.frame(sizes = sizes, lineages = lineages, seed = seed, types = drawn$k, recommended = found$flat_k,
               supported = found$supported_k, ari = cluster_scores(drawn$type, found$flat)[["ari"]],
               missed_p = missed_p(scales, found$flat, drawn$type))
}

runs <- expand.grid(seed = seq_len(if (settings$full) 20 else 2), sizes = c("equal", "unequal"),
                    lineages = c("own", "one"), stringsAsFactors = FALSE)
table <- do.call(rbind, Map(one_run, runs$seed, runs$sizes, runs$lineages))
utils::write.csv(table, file.path(settings$folder, "types_runs.csv"), row.names = FALSE)
table$right <- table$recommended == table$types
table$right_supported <- table$supported == table$types
print_table(stats::aggregate(cbind(right, right_supported, ari) ~ sizes + lineages, table, mean), "types", settings)
wrong <- table[!table$right, c("sizes", "lineages", "seed", "types", "recommended", "supported", "ari", "missed_p")]
if (nrow(wrong) > 0L) print_table(wrong, "types_wrong", settings)
say("the number of types is right in %.0f%% of %d runs", 100 * mean(table$right), nrow(table))
