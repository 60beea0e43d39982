# The default number of factors, from the components beyond noise, and the rule of the paper, ceiling(sqrt(cells)),
# beside smaller and larger ranks.
# Rscript inst/experiments/default_rank.R [output folder] [--full]
# pbmc_sorted is shipped; with PNMF_SHARED set also pbmc_facs (its 2,000 most variable genes) and, with --full, the
# published sets of at most 900 cells.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

log_normalised <- function(counts, total = Matrix::colSums(counts)) {
    x <- counts %*% Matrix::Diagonal(x = mean(total) / total)
    x@x <- log1p(x@x)
    dimnames(x) <- dimnames(counts)
    x
}

data_sets <- function() {
    sorted <- sorted_cells()
    sets <- list(pbmc_sorted = list(X = log_normalised(sorted$counts, sorted$total), y = sorted$type))
    file <- shared_file("pbmc_facs")
    if (!is.null(file)) {
        all <- readRDS(file)
        sets$pbmc_facs <- list(X = variable_rows(log_normalised(expm1(all$X)), 2000L), y = all$y)
    }
    names <- if (settings$full) c("yan", "biase", "DC1", "ginhoux", "mECS", "Pollen")
    for (name in Filter(function(name) !is.null(shared_file(name)), names)) sets[[name]] <- readRDS(shared_file(name))
    sets
}

# Share of the factors in which one gene has more than half of the squared loading.
single_gene_share <- function(W) {
    size <- pmax(colSums(W^2), 1e-300)
    mean(apply(W^2, 2L, max) / size > 0.5)
}

rank_figures <- function(name, set, rank, suggestion, default) {
    say("%s, rank %d", name, rank)
    seconds <- system.time(path <- pnmf(set$X, rank = rank, control = pnmf_control(verbose = FALSE)))[[3]]
    scores <- score_path(path, set$y, n_start = 10, normalize = FALSE)
    evidence <- suggestion$evidence[suggestion$evidence$rank == rank, ]
    data.frame(
        data = name, cells = ncol(set$X), rank = rank, seconds = seconds, finest = scores$average[1],
        best = max(scores$average), single_gene = single_gene_share(loading(path, 1)),
        holdout_error = evidence$holdout_error, stability = evidence$stability,
        default = rank == default, suggested = rank == suggestion$rank
    )
}

tables <- Map(function(name, set) {
    default <- asNamespace("pNMF")$default_rank(set$X, "hals", NULL, 2L)
    rules <- c(default, ceiling(sqrt(ncol(set$X))))
    ranks <- sort(unique(pmin(c(4, 6, 8, 12, 20, 30, rules), floor(0.8 * ncol(set$X)))))
    seconds <- system.time(suggestion <- suggest_rank(set$X, ranks = ranks))[[3]]
    say("%s: suggest_rank() of %d ranks took %.1f s", name, length(ranks), seconds)
    do.call(rbind, lapply(ranks, function(rank) rank_figures(name, set, as.integer(rank), suggestion, default)))
}, names(sets <- data_sets()), sets)
table <- do.call(rbind, tables)
print_table(table, "default_rank", settings)

long <- do.call(rbind, lapply(c("finest", "single_gene", "holdout_error", "stability"), function(column) {
    data.frame(table[c("data", "rank", "default")], measure = column, value = table[[column]])
}))
figure <- ggplot(long, aes(rank, value, colour = data)) +
    geom_line() +
    geom_point(aes(shape = default), size = 2.5) +
    facet_wrap(~measure, scales = "free_y") +
    theme_bw()
save_figure(figure, "default_rank", settings)
