# The whole story on real data: a thousand sorted blood cells, from counts to clusters, gene programs and a page.
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

say("1. The data: counts of sorted blood cells (Zheng et al. 2017), log-normalised.")
data(pbmc_sorted)
counts <- pbmc_sorted$counts
x <- counts
x@x <- log1p(1e4 * counts@x / rep(pbmc_sorted$total, diff(counts@p)))
writeLines(sprintf("%d genes x %d cells", nrow(x), ncol(x)))
print(table(pbmc_sorted$type))

say("2. One coupled factorisation over 20 scales.")
seconds <- system.time(path <- pnmf(x, rank = 10))[["elapsed"]]
print(path)
writeLines(sprintf("fitted in %.1f seconds", seconds))
save_plot(plot(path), "path.png", width = 10)
save_plot(plot(path, "objective"), "objective.png")

say("3. Clusters that persist along the scales; nobody says how many.")
seconds <- system.time(found <- persistent_clusters(path))[["elapsed"]]
print(found)
writeLines(sprintf("found in %.1f seconds; clusters at each scale: %s", seconds, paste(found$k, collapse = " ")))
save_plot(plot(found), "persistent-clusters.png", width = 9, height = 6)
writeLines("recommended clusters against the sorted types, which the fit never saw:")
print(table(cluster = found$flat, type = pbmc_sorted$type))
print(round(cluster_scores(pbmc_sorted$type, found$flat), 3))
writeLines("the finest clusters, against the populations as they were sorted:")
print(table(population = pbmc_sorted$population, cluster = found$clusters$scale.1))
writeLines("four clusters, a coarser level of the same tree:")
print(table(cluster = cut(found, k = 4), type = pbmc_sorted$type))

say("4. The cluster tree and the cells along the scales.")
save_plot(plot_cluster_tree(found$clusters, labels = pbmc_sorted$type), "cluster-tree.png", width = 8, height = 7)
shown <- c(1, found$flat_scale, 12, 20)
save_plot(plot_path(path, scales = shown, labels = pbmc_sorted$type), "embeddings.png", width = 8, height = 6.5)

say("5. Gene programs: the genes that are specific to each factor, at scale %d.", found$flat_scale)
markers <- factor_markers(path, t = found$flat_scale, n = 6, x = x)
writeLines(sprintf("factor %2d: %s", unique(markers$factor),
                   tapply(markers$feature, markers$factor, paste, collapse = " ")))
print(factor_tracks(path))

say("6. An interactive page: drag the scale, select clusters.")
page <- file.path(folder, "path.html")
if (requireNamespace("plotly", quietly = TRUE)) {
    path_report(path, page, labels = pbmc_sorted$type, data = x, clusters = found,
                suggested = found$flat_scale, title = "A thousand sorted blood cells", overwrite = TRUE)
    written <- c(written, page)
} else {
    writeLines("left out: it needs the package plotly")
}

say("Plots and page written:")
writeLines(paste(" ", normalizePath(written)))
