# Searches for nearest neighbours, the package's own beside those of libraries:
#   Rscript inst/benchmarks/neighbors.R [CELLS ...]      (100,000 if none are given)
# 15 neighbours in 20 dimensions, two threads, Euclidean distances; cells of 25 clusters whose sizes fall as 1/k^0.7,
# half of them overlapping. Every search runs in its own session. Prints recall (on 1,000 cells, against all pairs),
# seconds, processor seconds, and the peak of memory above that of the session with the data (not that of the processes
# BiocNeighbors forks). Libraries that are not installed are left out; searches of all pairs, above 100,000 cells. A
# process is ended after 25 minutes of processor time.
me <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(me), "common.R"))

k <- 15L
threads <- 2L
max_processor_seconds <- 1500L

# points: cells x dimensions. All return indices, cells x k.
own_search <- function(how) {
    function(points) pNMF:::nearest_neighbors_cpp(t(points), k, how, threads)$index
}

in_bioc_neighbors <- function(parameter) {
    function(points) {
        workers <- BiocParallel::MulticoreParam(threads)
        BiocNeighbors::findKNN(points, k = k, BNPARAM = parameter(), BPPARAM = workers, get.distance = FALSE)$index
    }
}

# Libraries that count a cell as its own neighbour find one more.
searches <- list(
    "pNMF, descent" = list(package = "pNMF", run = own_search("approximate")),
    "pNMF, exact" = list(package = "pNMF", run = own_search("exact"), all_pairs = TRUE),
    rnndescent = list(package = "rnndescent", run = function(points) {
        rnndescent::rnnd_knn(points, k + 1L, n_threads = threads)$idx
    }),
    RcppHNSW = list(package = "RcppHNSW", run = function(points) {
        RcppHNSW::hnsw_knn(points, k + 1L, distance = "euclidean", n_threads = threads)$idx
    }),
    "BiocNeighbors, Annoy" = list(package = "BiocNeighbors",
                                  run = in_bioc_neighbors(function() BiocNeighbors::AnnoyParam())),
    "BiocNeighbors, HNSW" = list(package = "BiocNeighbors",
                                 run = in_bioc_neighbors(function() BiocNeighbors::HnswParam())),
    "BiocNeighbors, KMKNN" = list(package = "BiocNeighbors",
                                  run = in_bioc_neighbors(function() BiocNeighbors::KmknnParam()), all_pairs = TRUE)
)

simulate_points <- function(n_cells, dimensions = 20L, n_types = 25L) {
    set.seed(1)
    size <- as.vector(stats::rmultinom(1, n_cells, 1 / seq_len(n_types)^0.7))
    centers <- matrix(stats::rnorm(n_types * dimensions), n_types) * rep(c(1, 4), length.out = n_types)
    spread <- exp(stats::rnorm(n_types, 0, 0.4))
    type <- rep(seq_len(n_types), size)
    points <- centers[type, ] + spread[type] * matrix(stats::rnorm(n_cells * dimensions), n_cells)
    points[sample.int(n_cells), ]
}

squared_distances <- function(points, norms, cells) {
    norms + rep(norms[cells], each = nrow(points)) - 2 * tcrossprod(points, points[cells, , drop = FALSE])
}

# The share of the k nearest neighbours of the chosen cells that were found. Ties count as found.
recall <- function(points, norms, found, cells) {
    hits <- vapply(seq_along(cells), function(at) {
        d <- squared_distances(points, norms, cells[at])
        d[cells[at]] <- Inf
        limit <- sort(d, partial = k)[k] * (1 + 1e-9)
        sum(d[utils::head(setdiff(found[at, ], cells[at]), k)] <= limit)
    }, numeric(1))
    mean(hits) / k
}

run_search <- function(name, data, result) {
    points <- readRDS(data)
    search <- searches[[name]]
    loadNamespace(search$package)
    gc(full = TRUE)
    before <- peak_memory()
    begun <- proc.time()
    found <- search$run(points)
    spent <- proc.time() - begun
    saveRDS(list(found = found[checked_cells(nrow(points)), ], seconds = spent[["elapsed"]],
                 processor = sum(spent[c(1, 2, 4, 5)]), memory = peak_memory() - before), result)
}

checked_cells <- function(n_cells) as.integer(seq(1, n_cells, length.out = min(n_cells, 1000L)))

limited_run <- function(arguments) {
    command <- paste("ulimit -t", max_processor_seconds, "; exec Rscript", paste(shQuote(arguments), collapse = " "))
    system2("bash", c("-c", shQuote(command)))
}

compare_searches <- function(n_cells) {
    points <- simulate_points(n_cells)
    norms <- rowSums(points^2)
    data <- tempfile(fileext = ".rds")
    result <- tempfile(fileext = ".rds")
    on.exit(unlink(c(data, result)))
    saveRDS(points, data, compress = FALSE)
    cat(sprintf("%d cells, 20 dimensions, %d neighbours\n", n_cells, k))
    for (name in names(searches)) {
        if (isTRUE(searches[[name]]$all_pairs) && n_cells > 1e5) next
        if (!requireNamespace(searches[[name]]$package, quietly = TRUE)) {
            cat(sprintf("  %-22s not installed\n", name))
            next
        }
        unlink(result)
        status <- limited_run(c(me, "search", name, data, result))
        if (!file.exists(result)) {
            cat(sprintf("  %-22s ended without a result (status %d, limit %d s)\n", name, status,
                        max_processor_seconds))
            next
        }
        seen <- readRDS(result)
        share <- recall(points, norms, seen$found, checked_cells(n_cells))
        cat(sprintf("  %-22s recall %.4f %8.1f s %8.1f s of processor time %6.2f GB\n", name, share, seen$seconds,
                    seen$processor, seen$memory))
    }
}

arguments <- commandArgs(trailingOnly = TRUE)
if (identical(arguments[1], "search")) {
    run_search(arguments[2], arguments[3], arguments[4])
} else {
    for (n_cells in if (length(arguments)) as.numeric(arguments) else 1e5) compare_searches(n_cells)
}
