# The whole story on simulated data: scales, graphs, fit, suggestion, clusters, plots, an interactive page.
# Run by `make demo`; by hand: Rscript demo.R [folder for the plots]
library(pNMF)
library(ggplot2)

folder <- commandArgs(trailingOnly = TRUE)
folder <- if (length(folder) > 0L) folder[1] else file.path(tempdir(), "pNMF-demo")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
written <- character()
save_plot <- function(plot, name, width = 9, height = 3.5) {
    file <- file.path(folder, name)
    ggsave(file, plot, width = width, height = height, dpi = 110)
    written <<- c(written, file)
}
say <- function(...) writeLines(c("", sprintf(...)))

say("1. The data: four concentric circles in 100 dimensions.")
x <- simulate_circles(seed = 1)
circle <- attr(x, "circle")
writeLines(sprintf("%d dimensions x %d points", nrow(x), ncol(x)))

say("2. Its scales: the deaths of connected components.")
scales <- persistence_scales(x)
print(scales)
save_plot(plot(scales), "scales.png")
graph <- scale_graph(scales, t = 77)
writeLines(sprintf("graph at scale 77: threshold %.2f, %d edges, %d components; smallest eigenvalues %s",
                   graph$threshold, as.integer(scales$n_edges[77]), scales$betti0[77],
                   paste(format(laplacian_spectrum(scales, 77, k = 6), digits = 2), collapse = " ")))

say("3. One coupled factorisation over all %d scales.", length(scales$threshold))
seconds <- system.time(
    path <- pnmf(x, rank = 2, scales = scales, lambda_graph = 100, lambda_smooth = 100)
)[["elapsed"]]
print(path)
writeLines(sprintf("fitted in %.1f seconds", seconds))

say("4. Which scale? A heuristic and its evidence.")
suggestion <- suggest_scale(path)
print(suggestion)
save_plot(plot(path, suggested = suggestion$t), "path.png", width = 10)
save_plot(plot_path(path, labels = paste("circle", circle)), "embeddings.png", width = 8, height = 6.5)
save_plot(plot_objective(path), "objective.png")

say("5. Simulated cells: six types in two lineages, clustered along the path.")
cells <- simulate_cells(n_cells = 180, seed = 1)
path <- pnmf(normalize_counts(cells$counts), rank = 8, scales = 24)
print(path)
suggestion <- suggest_scale(path, n_start = 10)
print(suggestion)
scores <- score_path(path, cells$type)
print(scores[unique(c(1, suggestion$t, which.max(scores$average), nrow(scores))), ], row.names = FALSE, digits = 3)
save_plot(plot_scores(scores), "scores.png", width = 7, height = 5)
clusters <- path_clusters(path[c(1, 8, 16, 24)], k = 6)
save_plot(plot_cluster_tree(clusters, labels = cells$type), "cluster-tree.png", width = 7, height = 6)
writeLines("top genes of each factor at the finest scale:")
top <- top_features(path, t = 1, n = 4)
writeLines(tapply(top$feature, top$factor, paste, collapse = " "))

say("6. An interactive page: drag the scale, select clusters.")
page <- file.path(folder, "path.html")
if (requireNamespace("plotly", quietly = TRUE) && requireNamespace("uwot", quietly = TRUE)) {
    path_report(path, page, labels = cells$type, data = normalize_counts(cells$counts), suggested = suggestion$t,
                title = "Simulated cells: six types in two lineages", overwrite = TRUE)
    written <- c(written, page)
} else {
    writeLines("left out: it needs the packages plotly and uwot")
}

say("Plots and page written:")
writeLines(paste(" ", normalizePath(written)))
