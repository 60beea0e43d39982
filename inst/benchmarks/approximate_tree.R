# How far the thresholds of persistence_scales(tree = "approximate") are from those of the exact tree.
#   [PNMF_SHARED=folder] Rscript approximate_tree.R [CELLS]
# Uses simulated clusters of CELLS (8000) cells in 50 dimensions, from far apart to hardly distinct, and, if PNMF_SHARED
# has them, 50 principal components of the real data sets.

suppressPackageStartupMessages(library(pNMF))
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "common.R"))

clusters <- function(n, apart, dimensions = 50, groups = 20) {
    set.seed(1)
    centers <- matrix(stats::rnorm(dimensions * groups, sd = apart), dimensions)
    centers[, sample.int(groups, n, replace = TRUE)] + stats::rnorm(dimensions * n)
}

# dimensions x cells
components <- function(name) {
    x <- load_set(name)
    found <- RSpectra::svds(methods::as(x, "CsparseMatrix"), min(50, dim(x) - 1), nu = 0)
    found$d * t(found$v)
}

spaces <- function(n) {
    sets <- list("clusters, far apart" = clusters(n, 6), "clusters, apart" = clusters(n, 1.5),
                 "clusters, overlapping" = clusters(n, 0.5), "5 dimensions" = clusters(n, 2, 5))
    for (name in c("pbmc_facs", "DC1", "ginhoux")) {
        if (file.exists(shared_file(name))) sets[[name]] <- components(name)
    }
    sets
}

# One call computes both, so the seconds include tree and neighbours.
compared <- function(x, metric) {
    made <- function(tree) {
        seconds <- elapsed(scales <- persistence_scales(x, graph = "knn", metric = metric, tree = tree))
        list(scales = scales, seconds = seconds)
    }
    exact <- made("exact")
    near <- made("approximate")
    lengths <- function(made) made$scales$mst$length
    last <- function(made) utils::tail(made$scales$threshold, 1)
    excess <- lengths(near) / lengths(exact) - 1
    data.frame(cells = ncol(x), metric = metric, total = sum(lengths(near)) / sum(lengths(exact)),
               largest_error = max(excess[is.finite(excess)]), wrong_edges = mean(excess > 0),
               last_threshold = last(near) / last(exact),
               same_edges = mean(paste(near$scales$mst$i, near$scales$mst$j) %in%
                                 paste(exact$scales$mst$i, exact$scales$mst$j)),
               seconds_exact = exact$seconds, seconds = near$seconds)
}

arguments <- commandArgs(trailingOnly = TRUE)
sets <- spaces(if (length(arguments) > 0) as.integer(arguments[1]) else 8000L)
rows <- lapply(names(sets), function(name) {
    metrics <- c("euclidean", "cosine")
    cbind(data = name, do.call(rbind, lapply(metrics, compared, x = sets[[name]])))
})
options(width = 160)
writeLines("total: length of the approximate tree over the exact one; largest_error: of any threshold, relative")
print(do.call(rbind, rows), row.names = FALSE, digits = 6)
