# Clouds without clusters: in how many of a hundred does persistent_clusters() support a split? A quarter each are
# normal, counts of one type with varying depth, the same with one strong continuous covariate, and the shipped blood
# cells, shuffled gene by gene or cell by cell. At most 5 of 100 should have more than one supported cluster.
# Rscript inst/experiments/clouds.R [output folder] [--full] [--threads=N]      (--full: 100 clouds instead of 20)
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))

# Dimensions x cells. Long in a few directions, round in the others.
normal_cloud <- function() {
    n <- sample(300:500, 1)
    deviation <- sort(rexp(sample(c(3, 10, 20), 1)) + 0.2, decreasing = TRUE)
    deviation * matrix(rnorm(n * length(deviation)), length(deviation))
}

# Counts of one type, genes x cells. covariate: how far a fifth of the genes moves along one line, in powers of ten
counts_of_one_type <- function(covariate = 0, n = sample(300:500, 1), n_genes = 800) {
    level <- rgamma(n_genes, 0.6)
    depth <- 2000 * exp(rnorm(n, sd = runif(1, 0.2, 0.7)))
    moved <- ifelse(runif(n_genes) < 0.2, rnorm(n_genes), 0)
    place <- if (runif(1) < 0.5) runif(n, -1, 1) else rnorm(n, sd = 0.6)
    share <- level * 10^(covariate * outer(moved, place))
    matrix(rpois(n * n_genes, sweep(share, 2, depth / colSums(share), `*`)), n_genes)
}

shuffled_blood <- function(by) {
    counts <- sorted_cells()$counts
    x <- as.matrix(normalize_counts(counts[, sample(ncol(counts), 450)]))
    if (by == "gene") t(apply(x, 1, sample)) else apply(x, 2, sample)
}

components <- function(x) t(stats::prcomp(t(x), rank. = 20)$x)
of_counts <- function(counts) components(as.matrix(normalize_counts(counts[rowSums(counts) > 0, ])))

clouds <- list(
    normal = function(seed) normal_cloud(),
    depth = function(seed) of_counts(counts_of_one_type()),
    covariate = function(seed) of_counts(counts_of_one_type(covariate = runif(1, 0.3, 0.8))),
    shuffled = function(seed) components(shuffled_blood(c("gene", "cell")[seed %% 2 + 1]))
)

drawn_cloud <- function(kind, seed) {
    set.seed(seed)
    clouds[[kind]](seed)
}

settings <- experiment_settings()
runs <- expand.grid(seed = seq_len(if (settings$full) 25 else 3), kind = names(clouds), stringsAsFactors = FALSE)
found <- Map(function(kind, seed) {
    points <- drawn_cloud(kind, seed)
    persistent_clusters(persistence_scales(points, metric = "adaptive", graph = "knn", thin = "effective"))
}, runs$kind, runs$seed)
runs$supported <- vapply(found, function(f) f$supported_k > 1, TRUE)
runs$stages <- vapply(found, function(f) f$flat_k > 1 && f$supported_k == 1, TRUE)
table <- stats::aggregate(cbind(clouds = 1, supported, stages) ~ kind, runs, sum)
print_table(table, "clouds", settings)
say("%d of %d clouds have more than one supported cluster; %d are called a continuum", sum(runs$supported), nrow(runs),
    sum(runs$stages))
