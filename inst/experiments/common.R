# Shared by the experiments: arguments, data, tables and figures.
#
# Every experiment runs as   Rscript inst/experiments/NAME.R [output folder] [--full] [--data=FOLDER] [--threads=N]
#   output folder  where the table (CSV) and the figure (PNG) go; by default experiment-output/
#   --full         full size instead of the quick look
#   --data=FOLDER  data sets to use: RDS files, each a list of X (features x cells, nonnegative) and y (labels)
#   --threads=N    threads of each fit, or workers where fits are independent
# If the environment variable PNMF_SHARED names a folder with published data under data/, the experiments use them.
suppressPackageStartupMessages({
    library(pNMF)
    library(ggplot2)
})

experiment_settings <- function(arguments = commandArgs(trailingOnly = TRUE)) {
    flags <- arguments[startsWith(arguments, "--")]
    value_of <- function(name, default) {
        given <- flags[startsWith(flags, paste0("--", name, "="))]
        if (length(given) == 0L) default else sub("^[^=]*=", "", given[1])
    }
    known <- grepl("^--(full$|data=|threads=)", flags)
    if (!all(known)) stop("unknown argument ", flags[!known][1], call. = FALSE)
    folder <- setdiff(arguments, flags)
    folder <- if (length(folder) == 0L) "experiment-output" else folder[1]
    dir.create(folder, showWarnings = FALSE, recursive = TRUE)
    threads <- as.integer(value_of("threads", "2"))
    options(pNMF.threads = threads, width = 110)
    list(folder = folder, full = "--full" %in% flags, data = value_of("data", NULL), threads = threads)
}

say <- function(...) message(format(Sys.time(), "%H:%M:%S "), sprintf(...))

print_table <- function(table, name, settings, digits = 3) {
    print(table, row.names = FALSE, digits = digits)
    utils::write.csv(table, file.path(settings$folder, paste0(name, ".csv")), row.names = FALSE)
}

save_figure <- function(plot, name, settings, width = 9, height = 6) {
    file <- file.path(settings$folder, paste0(name, ".png"))
    ggsave(file, plot, width = width, height = height, dpi = 110)
    writeLines(paste("figure:", file))
}

shared_file <- function(name) {
    file <- file.path(Sys.getenv("PNMF_SHARED"), "data", paste0(name, ".rds"))
    if (nzchar(Sys.getenv("PNMF_SHARED")) && file.exists(file)) file
}

# The paper's simulation: the published points if available, otherwise points drawn in the same way.
circles_data <- function() {
    file <- shared_file("concentric_circles")
    if (!is.null(file)) {
        published <- readRDS(file)
        return(list(X = published$X, y = published$y, H = published$H, source = "the published points"))
    }
    X <- simulate_circles(seed = 1)
    list(X = X, y = attr(X, "circle"), H = NULL, source = "simulate_circles(seed = 1)")
}

ring_names <- function(y) factor(paste("circle", as.integer(factor(y))))

# The paper's settings on the simulation. hals has its own default anchor, 0.1.
fit_circles <- function(X, solver = "hals", scales = "paper", lambda_graph = 100, lambda_smooth = 100,
                        lambda_anchor = NULL, control = pnmf_control()) {
    pnmf(X, rank = 2, scales = scales, lambda_graph = lambda_graph, lambda_smooth = lambda_smooth,
         lambda_anchor = lambda_anchor, alpha = 1.5, solver = solver, control = control)
}

nine_scales <- function(n) unique(round(seq(n, 1, length.out = 9)))

# Several two-factor paths as rows of panels: one column per shown scale, coarse to fine as in the paper.
path_rows <- function(paths, y, scales) {
    points <- do.call(rbind, lapply(names(paths), function(variant) {
        do.call(rbind, lapply(scales, function(t) {
            H <- embedding(paths[[variant]], t)
            data.frame(variant = variant, scale = paste("scale", t), x = H[, 1], y = H[, 2], circle = ring_names(y))
        }))
    }))
    points$variant <- factor(points$variant, names(paths))
    points$scale <- factor(points$scale, paste("scale", scales))
    ggplot(points, aes(x, y, colour = circle)) +
        geom_point(size = 0.6) +
        facet_grid(variant ~ scale, scales = "free") +
        labs(x = "factor 1", y = "factor 2", colour = NULL) +
        plain_theme() +
        theme(axis.text = element_blank(), axis.ticks = element_blank(), legend.position = "bottom")
}

okabe_ito <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")

plain_theme <- function() {
    colours <- function(n) if (n <= 8L) okabe_ito[seq_len(n)] else hcl.colors(n, "viridis")
    list(theme_bw(base_size = 11), theme(panel.grid = element_blank()),
         discrete_scale("colour", "groups", colours))
}

# Mean distance of each circle's points from that circle's centre.   scales x circles, innermost first
ring_radii <- function(path, y) {
    radius <- function(points) mean(sqrt(rowSums(sweep(points, 2, colMeans(points))^2)))
    t(vapply(seq_len(n_scales(path)), function(t) {
        vapply(split.data.frame(embedding(path, t), y), radius, numeric(1))
    }, numeric(length(unique(y)))))
}

# Mean radius at the coarsest scale as a share of that at the finest; 1 means no multi-scale effect.
coarse_to_fine <- function(path, y) {
    radii <- ring_radii(path, y)
    mean(radii[nrow(radii), ]) / mean(radii[1, ])
}

# The first scale, from coarse to fine, at which a circle has half of its finest radius.
emergence <- function(path, y) apply(ring_radii(path, y), 2, function(r) max(which(r >= r[1] / 2)))

real_sets <- c("yan", "biase", "DC1", "ginhoux")

# Named list of data sets, each a list of X and y: the user's, the real ones, or simulated cells.
labelled_sets <- function(settings, names = real_sets) {
    files <- if (!is.null(settings$data)) {
        list.files(settings$data, "\\.rds$", full.names = TRUE, ignore.case = TRUE)
    } else {
        unlist(lapply(names, shared_file))
    }
    if (!is.null(settings$data) && length(files) == 0L) stop("no RDS files in ", settings$data, call. = FALSE)
    if (length(files) == 0L) return(list(simulated = simulated_set(if (settings$full) 240 else 90)))
    sets <- lapply(files, readRDS)
    names(sets) <- sub("\\.rds$", "", basename(files), ignore.case = TRUE)
    sets
}

simulated_set <- function(n_cells) {
    cells <- simulate_cells(n_cells = n_cells, n_genes = 400, depth = 400, seed = 1)
    list(X = normalize_counts(cells$counts, method = "paper"), y = cells$type)
}

# The paper's setting on cells: all features, all pairs, all canonical scales at full size, a few for a quick look.
fit_cells <- function(X, settings, quick = 10, rank = min(ceiling(sqrt(ncol(X))), 30), ...) {
    pnmf(X, rank = rank, scales = scales_of(X, settings, quick), alpha = 1.5, ...)
}

scales_of <- function(X, settings, quick = 10) {
    persistence_scales(as.matrix(X), n_scales = if (settings$full) NULL else min(quick, ncol(X)))
}

# Scores of one embedding (cells x factors) by k-means with one cluster per label.
embedding_scores <- function(H, y) {
    cluster_scores(y, cluster_embedding(H, k = length(unique(y)), n_start = 50, seed = 1))
}

# The four baselines, with the settings of the comparison in the paper. Small data sets limit the number of neighbours.
baseline_fits <- function(X) {
    list(
        NMF = fit_nmf(X), GNMF = fit_gnmf(X, n_neighbors = min(15, ncol(X) - 1)),
        TNMF = fit_tnmf(X, n_neighbors = min(10, ncol(X) - 1)), `k-TNMF` = fit_ktnmf(X)
    )
}

ten_sets <- c(real_sets, "mECS", "Pollen", "RNAmix", "tms_liver", "pollenRG", "pbmc_facs")

# The ten labelled sets, log-normalised, with at most 2,000 genes (the most variable); of pbmc_facs every third cell
# for a quick look. Without the published data, or with the user's, what labelled_sets() has.
variable_sets <- function(settings, names = ten_sets) {
    lapply(labelled_sets(settings, names), function(set) {
        if (ncol(set$X) > 2000L && !settings$full) set <- thinned_set(set, 3L)
        if (max(set$X) > 1 && "CD14+" %in% set$y) set$X <- normalize_counts(expm1(set$X)) # log1p of raw counts
        set$X <- variable_rows(set$X, 2000L)
        set
    })
}

# Every n-th cell of each label.
thinned_set <- function(set, n) {
    kept <- sort(unlist(lapply(split(seq_along(set$y), set$y), function(i) i[seq_along(i) %% n == 1L])))
    c(list(X = set$X[, kept]), lapply(set[setdiff(names(set), "X")], function(labels) labels[kept]))
}

variable_rows <- function(x, n) {
    variance <- Matrix::rowMeans(x^2) - Matrix::rowMeans(x)^2
    x[sort(order(-variance)[seq_len(min(n, nrow(x)))]), ]
}

# Three lineages of three types, and two activities in 30% of all cells. Further arguments: simulate_cells()
simulated_hierarchy <- function(seed, depth = 1000, n_cells = 1000, n_genes = 2000, ...) {
    cells <- simulate_cells(n_cells = n_cells, n_genes = n_genes, n_lineages = 3, types_per_lineage = 3, depth = depth,
                            seed = seed, n_activities = 2, dispersion = 0.5, ...)
    c(cells, list(X = normalize_counts(cells$counts), y = cells$lineage))
}

# The hierarchy on which RcppML::nmf() finds about as much as given: hierarchy.R chooses the numbers.
matched_hierarchy <- function(seed) simulated_hierarchy(seed, depth = 1500, lineage_fold = 3.5, type_fold = 1.65)

# W: genes x factors, H: cells x factors
rcppml <- function(X, rank) {
    suppressPackageStartupMessages(library(Matrix)) # RcppML expects it to be attached
    found <- RcppML::nmf(methods::as(X, "CsparseMatrix"), rank, seed = 1, verbose = FALSE)
    list(W = found$w, H = t(found$d * found$h))
}

# For every known program its best correlation with a factor, mean by kind of program. found: units x factors; known:
# units x programs, whose names end with a number
best_correlations <- function(found, known) {
    best <- apply(suppressWarnings(stats::cor(found, known)), 2L, max, 0, na.rm = TRUE)
    kind <- sub("[0-9]+$", "", colnames(known))
    vapply(split(best, factor(kind, unique(kind))), mean, numeric(1))
}

# Columns of unit length, as differences from the average column.
program_directions <- function(W) {
    W <- sweep(W, 2L, column_lengths(W), "/")
    W - rowMeans(W)
}

column_lengths <- function(W) pmax(sqrt(colSums(W^2)), 1e-300)

# Shares of the factors in every cell, for loadings of unit length.   W: genes x factors, H: cells x factors
usage_shares <- function(W, H) {
    H <- sweep(H, 2L, column_lengths(W), "*")
    H / pmax(rowSums(H), 1e-300)
}

path_usage <- function(path, t) usage_shares(loading(path, t), embedding(path, t))

# Usages and genes of one fit against the simulation's.
program_scores <- function(W, H, cells) {
    genes <- best_correlations(program_directions(W), cells$programs + 0)
    c(best_correlations(usage_shares(W, H), t(cells$usage)), stats::setNames(genes, paste0(names(genes), "_genes")))
}

# Groups of factors that factor_tracks() calls merged at scale t.   tracks: of the whole path
merged_factors <- function(tracks, t) tracks$factors$group[tracks$factors$t == t]

# Share of the factors whose best match at the other scale is itself, or in the same group there: the smallest angle
# between loadings.
share_kept <- function(path, from, to, groups = seq_len(n_factors(path))) {
    directions <- lapply(c(from, to), function(t) program_directions(loading(path, t)))
    similar <- crossprod(directions[[1L]], sweep(directions[[2L]], 2L, column_lengths(directions[[2L]]), "/"))
    mean(groups[max.col(similar, ties.method = "first")] == groups)
}

# Of neighbouring scales (the worst pair of them and the mean), and from the finest to the coarsest.
identity_scores <- function(path) {
    last <- n_scales(path)
    steps <- vapply(seq_len(last - 1L), function(t) share_kept(path, t, t + 1L), numeric(1))
    c(next_scale = mean(steps), worst_step = min(steps), end_to_end = share_kept(path, 1L, last))
}

# The share of its own smoothing that each group of cells keeps at scale t: 1 alone, 0 mixed with everything.
kept_by_groups <- function(scales, groups, t = length(scales$threshold)) {
    groups <- factor(groups)
    cells <- list(scales = scales, alpha = scales$alpha, lambda = scales$lambda_graph,
                  threads = getOption("pNMF.threads", 1L), kept = seq_along(groups))
    mixed <- pNMF:::group_mixing(as.integer(groups), cells, t)
    stats::setNames(pNMF:::kept_share(mixed, as.vector(table(groups))), levels(groups))
}

# The sorted blood cells that the package has.
sorted_cells <- function() {
    held <- new.env()
    utils::data("pbmc_sorted", package = "pNMF", envir = held)
    held$pbmc_sorted
}

# Mean of ARI, NMI, purity and accuracy; NA without labels.
score <- function(truth, labels) if (is.null(labels)) NA else mean(cluster_scores(truth, labels))

ari <- function(truth, labels) cluster_scores(truth, labels)[["ari"]]

seconds <- function(expr) system.time(expr)[["elapsed"]]

# Clusters by the defaults of Seurat on given components (cells x dimensions); NULL without Seurat.
seurat_default <- function(points) {
    if (!requireNamespace("Seurat", quietly = TRUE)) return(NULL)
    rownames(points) <- paste0("cell", seq_len(nrow(points)))
    colnames(points) <- paste0("PC_", seq_len(ncol(points)))
    graphs <- Seurat::FindNeighbors(points, k.param = min(20, nrow(points) - 1), verbose = FALSE)
    Seurat::FindClusters(graphs$snn, verbose = FALSE)[[1]]
}
