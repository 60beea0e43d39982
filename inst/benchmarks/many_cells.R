# How tree, neighbours and one sweep of the solver grow with the number of cells, and a whole fit of the largest.
#   Rscript many_cells.R [MOST_CELLS] [MOST_CELLS_OF_EXACT_SEARCHES]      (100000, and 25000)
#   Rscript many_cells.R --fits CELLS ...     whole fits with all defaults
# Simulated clusters, 2,000 genes, 10% nonzero; distances on 50 principal components; neighbour graph, rank 20, 20
# thinned scales, 2 threads. Every measurement runs in its own process; peak memory is the kernel's VmHWM. On a shared
# machine, read the growth in CPU time. Linux only.

n_genes <- 2000
dimensions <- 50
rank <- 20
n_scales <- 20
threads <- 2L
grown_cells <- c(6000, 12000, 25000, 50000, 100000)

# cells x dimensions, of the centred data, which are never made dense
principal_components <- function(x, k) {
    mean <- Matrix::rowMeans(x)
    found <- RSpectra::svds(function(v, args) as.vector(x %*% v) - mean * sum(v), k, nu = 0, nv = k,
                            Atrans = function(u, args) as.vector(Matrix::crossprod(x, u)) - sum(mean * u),
                            dim = dim(x), opts = list(tol = 1e-3))
    components <- found$v %*% diag(found$d)
    dimnames(components) <- list(colnames(x), paste0("PC", seq_len(k)))
    components
}

approximate_scales <- function(points) {
    pNMF::persistence_scales(points, n_scales = n_scales, graph = "knn", tree = "approximate", threads = threads)
}

# Run in the child; data: x and components of n cells. Each task returns the time it took.
tasks <- list(
    tree_exact = function(data) {
        spent(pNMF:::spanning_tree_cpp(t(data$components), "euclidean", numeric(), threads))
    },
    neighbours_exact = function(data) {
        spent(pNMF:::nearest_neighbors_cpp(t(data$components), 15L, "exact", threads))
    },
    neighbours = function(data) {
        spent(pNMF:::nearest_neighbors_cpp(t(data$components), 20L, "approximate", threads))
    },
    tree = function(data) {
        points <- t(data$components)
        near <- pNMF:::nearest_neighbors_cpp(points, 20L, "approximate", threads)$index
        spent(pNMF:::approximate_tree_cpp(points, "euclidean", numeric(), near, threads))
    },
    # Five sweeps minus one, divided by four: the time before the first sweep cancels.
    sweep = function(data) {
        scales <- approximate_scales(t(data$components))
        start <- pNMF::nndsvda(data$x, rank)
        fit <- function(sweeps) {
            control <- pNMF::pnmf_control(max_outer = sweeps, tol = 0, threads = threads, verbose = FALSE,
                                          start = start)
            spent(pNMF::pnmf(data$x, rank = rank, scales = scales, control = control))
        }
        (fit(5) - fit(1)) / 4
    },
    fit = function(data) {
        control <- pNMF::pnmf_control(threads = threads, verbose = FALSE)
        used <- spent(path <- pNMF::pnmf(data$x, rank = rank, scales = n_scales, space = data$components,
                                         control = control))
        message(sprintf("%d sweeps, %d of %d scales converged, CPU time over wall time %.2f",
                        nrow(pNMF::objective(path)), sum(pNMF::converged(path)), pNMF::n_scales(path),
                        used[2] / used[1]))
        used
    }
)

run_task <- function(task, n, file) {
    suppressPackageStartupMessages(library(Matrix))
    data <- readRDS(file)
    few <- seq_len(n)
    if (n < ncol(data$x)) data <- list(x = data$x[, few], components = data$components[few, ])
    invisible(gc())
    used <- tasks[[task]](data)
    writeLines(sprintf("measured %.4f %.4f %.4f", used[1], used[2], peak_memory()))
}

measured <- function(task, n, file) {
    arguments <- if (startsWith(task, "--")) c(task, file) else c("--run", task, n, file)
    found <- as.numeric(measured_apart(arguments))
    task <- sub("^--", "", task)
    writeLines(sprintf("%-16s %7d cells %8.2f s %8.2f s of CPU %6.2f GB", task, n, found[1], found[2], found[3]))
    data.frame(task = task, cells = n, seconds = found[1], cpu = found[2])
}

# The default fit: rank, components, scales, start, sweeps.
run_whole_fit <- function(file) {
    suppressPackageStartupMessages(library(Matrix))
    x <- readRDS(file)
    used <- spent(pNMF::pnmf(x, control = pNMF::pnmf_control(threads = threads, verbose = FALSE)))
    writeLines(sprintf("measured %.4f %.4f %.4f", used[1], used[2], peak_memory()))
}

run_simulation <- function(n, file) saveRDS(simulate_sparse_cells(n, n_genes), file, compress = FALSE)

report_fits <- function(cells) {
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    rows <- lapply(cells, function(n) {
        run_apart("--simulate", n, file)
        measured("--whole-fit", n, file)
    })
    print_growth(do.call(rbind, rows), "wanted: at most 1.1")
}

print_growth <- function(rows, wanted = "wanted: at most 1.2 for the sweep") {
    for (task in unique(rows$task)) {
        these <- rows[rows$task == task, ]
        if (nrow(these) < 2L) next
        # On a busy machine, a difference of two times may be negative.
        these$seconds <- pmax(these$seconds, 1e-3)
        writeLines(sprintf("%-16s grows as cells^%.2f (CPU time: ^%.2f) from %d to %d cells", task,
                           growth_exponent(these$cells, these$seconds), growth_exponent(these$cells, these$cpu),
                           min(these$cells), max(these$cells)))
    }
    writeLines(wanted)
}

report <- function(max_cells, max_exact) {
    cells <- c(grown_cells[grown_cells < max_cells], max_cells)
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    seconds <- spent(x <- simulate_sparse_cells(max_cells, n_genes))
    writeLines(sprintf("%d x %d, %.1f%% nonzero: simulated in %.0f s", nrow(x), ncol(x),
                       100 * Matrix::nnzero(x) / length(x), seconds[1]))
    seconds <- spent(components <- principal_components(x, dimensions))
    saveRDS(list(x = x, components = components), file, compress = FALSE)
    writeLines(sprintf("%d components in %.0f s; so far %.2f GB", dimensions, seconds[1], peak_memory()))
    rm(x, components)
    rows <- list()
    for (n in cells) {
        for (task in c(if (n <= max_exact) c("tree_exact", "neighbours_exact"), "neighbours", "tree", "sweep")) {
            rows <- c(rows, list(measured(task, n, file)))
        }
    }
    print_growth(do.call(rbind, rows))
    writeLines("the whole fit, from data and components to the path (wanted: at most 8 GB):")
    measured("fit", max_cells, file)
}

arguments <- commandArgs(trailingOnly = TRUE)
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "common.R"))
if (identical(arguments[1], "--run")) {
    run_task(arguments[2], as.integer(arguments[3]), arguments[4])
} else if (identical(arguments[1], "--simulate")) {
    run_simulation(as.integer(arguments[2]), arguments[3])
} else if (identical(arguments[1], "--whole-fit")) {
    run_whole_fit(arguments[2])
} else if (identical(arguments[1], "--fits")) {
    report_fits(as.integer(arguments[-1]))
} else {
    limits <- as.integer(c(arguments, c(100000, 25000)[seq_len(2L) > length(arguments)]))
    invisible(report(limits[1], limits[2]))
}
