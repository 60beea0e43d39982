# The whole story on simulated data: scales, graphs, fit, suggestion, clusters, plots.
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

say("5. Clusters along the path against the simulated circles.")
scores <- score_path(path, circle)
print(scores[unique(c(1, suggestion$t, 20, 40, 60, 80)), ], row.names = FALSE, digits = 3)
save_plot(plot_scores(scores), "scores.png", width = 7, height = 5)
clusters <- path_clusters(path[c(1, 20, 40, 60, 80)], k = 4)
save_plot(plot_cluster_tree(clusters, labels = paste("circle", circle)), "cluster-tree.png", width = 7, height = 6)

say("Plots written:")
writeLines(paste(" ", normalizePath(written)))
