# The same tissue with more cells should have the same path: at the coarsest scale, types keep at least half of their
# own smoothing and the subsets inside them less, at any number of cells. Nothing is fitted.
# Rscript inst/experiments/more_cells.R [output folder] [--full] [--threads=N]
# Simulated types with subsets at 300 to 30,000 cells (300,000 with --full), and pbmc_facs (PNMF_SHARED)
# thinned to 300, 1,000 and all cells. The ends that are compared are those of tr(S^2), the effective cells, and tr(S).
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
options(pNMF.progress = FALSE)

# The expected shares of the genes in every type, from one large simulation.   genes x types
shares <- local({
    cells <- simulated_hierarchy(1, n_cells = 4000, n_genes = 1000)
    vapply(split(seq_along(cells$type), cells$type), function(i) {
        mean <- Matrix::rowMeans(cells$counts[, i])
        mean / sum(mean)
    }, numeric(1000))
})

drawn_cells <- function(n, seed) {
    set.seed(seed)
    type <- sort(rep_len(seq_len(9L), n))
    mean <- sweep(shares[, type, drop = FALSE], 2L, 1000 * exp(stats::rnorm(n, sd = 0.25)), "*")
    counts <- matrix(stats::rnbinom(length(mean), mu = mean, size = 2), nrow(mean))
    list(X = normalize_counts(counts), type = type)
}

# Components of 3,000 of the first 10,000 cells; cells are drawn in blocks.   points: dimensions x cells
simulated_points <- function(n) {
    block <- drawn_cells(min(n, 10000), 1)
    some <- block$X[, unique(round(seq(1, ncol(block$X), length.out = min(n, 3000))))]
    middle <- rowMeans(some)
    axes <- svd(some - middle, nu = 20L, nv = 0L)$u
    blocks <- lapply(seq_len(ceiling(n / 10000)), function(b) {
        block <- drawn_cells(min(n - (b - 1) * 10000, 10000), b)
        list(points = crossprod(axes, block$X - middle), type = block$type)
    })
    type <- unlist(lapply(blocks, `[[`, "type"))
    list(points = do.call(cbind, lapply(blocks, `[[`, "points")), type = (type - 1L) %/% 3L + 1L, subset = type)
}

blood_points <- function(set, every) {
    if (every > 1L) set <- thinned_set(set, every)
    X <- variable_rows(normalize_counts(expm1(set$X)), 2000L)
    points <- pNMF:::principal_components(X, 20L, settings$threads)$coordinates
    list(points = points, type = set$y, subset = ifelse(grepl("^T", set$y), as.character(set$fine), NA))
}

# tr(S^2) and tr(S) of the coarsest graph for many penalties at once. The derivative of lambda tr(S) is tr(S^2).
traces <- function(scales) {
    lambda <- exp(seq(log(1e-4), log(1e6), length.out = 120L))
    measure <- pNMF:::effective_measure(scales, scales$alpha, settings$threads)
    squares <- cummin(measure(max(scales$threshold), lambda)[1L, ])
    area <- c(0, cumsum(diff(lambda) * (squares[-1L] + squares[-120L]) / 2))
    data.frame(lambda = lambda, `S^2` = squares, S = (lambda[1L] * squares[1L] + area) / lambda, check.names = FALSE)
}

penalty_of <- function(traces, trace, end) {
    once <- !duplicated(traces[[trace]])
    exp(stats::approx(-log(traces[[trace]][once]), log(traces$lambda[once]), -log(end), rule = 2)$y)
}

# Groups no larger than a cell's 15 neighbours cannot be alone in any graph.
kept <- function(scales, groups) {
    share <- kept_by_groups(scales, ifelse(is.na(groups), "others", as.character(groups)))
    share[intersect(names(which(table(groups) > 15L)), names(share))]
}

ends <- data.frame(trace = c("S^2", "S^2", "S^2", "S"), end = c(3, 4, 6, 15))

rows_of <- function(name, cells) {
    n <- ncol(cells$points)
    say("%s, %d cells", name, n)
    time <- seconds(scales <- persistence_scales(
        cells$points, thin = "effective", metric = "adaptive", graph = "knn", threads = settings$threads,
        tree = if (n > 50000) "approximate" else "exact"
    ))
    step <- diff(log(scales$effective_cells))
    say("%.0f s, largest step %.2f of the mean, clusters %s", time, max(step / mean(step)),
        paste(persistent_clusters(scales, support = FALSE)$k, collapse = " "))
    found <- traces(scales)
    rows <- Map(function(trace, end) {
        scales$lambda_graph <- penalty_of(found, trace, end)
        types <- kept(scales, cells$type)
        subsets <- kept(scales, cells$subset)
        data.frame(tissue = name, end = sprintf("tr(%s) = %g", trace, end), cells = n, lambda = scales$lambda_graph,
                   types = stats::median(types), least = min(types), subsets = stats::median(subsets),
                   most = max(subsets))
    }, ends$trace, ends$end)
    do.call(rbind, rows)
}

sizes <- c(300, 1000, 4000, 30000, if (settings$full) c(100000, 300000))
rows <- lapply(sizes, function(n) rows_of("simulation", simulated_points(n)))
file <- shared_file("pbmc_facs")
if (!is.null(file)) {
    blood <- readRDS(file)
    rows <- c(rows, lapply(c(12L, 4L, 1L), function(every) rows_of("pbmc_facs", blood_points(blood, every))))
}
table <- do.call(rbind, rows)
print_table(table[order(table$tissue, table$end, table$cells), ], "more_cells", settings, digits = 2)
