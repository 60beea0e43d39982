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
x <- normalize_counts(pbmc_sorted$counts)
writeLines(sprintf("%d genes x %d cells", nrow(x), ncol(x)))
print(table(pbmc_sorted$type))

say("2. One coupled factorisation over 12 scales, from all cells to 3 effective cells.")
seconds <- system.time(path <- pnmf(x, rank = 10))[["elapsed"]]
print(path)
writeLines(sprintf("effective cells: %s", paste(signif(effective_cells(path), 2), collapse = " ")))
writeLines(sprintf("fitted in %.1f seconds", seconds))
save_plot(plot(path), "path.png", width = 10)
save_plot(plot(path, "objective"), "objective.png")

say("3. Clusters that each scale still tells apart; nobody says how many, and every split is tested.")
seconds <- system.time(found <- persistent_clusters(path))[["elapsed"]]
print(found)
writeLines(sprintf("found in %.1f seconds; clusters at each scale: %s", seconds, paste(found$k, collapse = " ")))
print(transform(found$tree, support = round(support, 2), p_value = signif(p_value, 1)), row.names = FALSE)
save_plot(plot(found, path = path), "persistent-clusters.png", width = 9, height = 6)
writeLines("recommended clusters against the sorted types, which the fit never saw:")
print(table(cluster = found$flat, type = pbmc_sorted$type))
print(round(cluster_scores(pbmc_sorted$type, found$flat), 3))
writeLines("the finest clusters, against the populations as they were sorted:")
print(table(population = pbmc_sorted$population, cluster = found$clusters$scale.1))
writeLines("three clusters, a coarser level of the same tree:")
print(table(cluster = cut(found, k = 3), type = pbmc_sorted$type))

say("4. The cluster tree and the cells along the scales.")
save_plot(plot_cluster_tree(found$clusters, labels = pbmc_sorted$type), "cluster-tree.png", width = 8, height = 7)
shown <- c(1, 6, 9, 12)
save_plot(plot_path(path, at = shown, labels = pbmc_sorted$type), "embeddings.png", width = 8, height = 6.5)

markers <- factor_markers(path, n = 6, x = x)
t <- markers$t[1]
say("5. Gene programs: the genes that are specific to each factor, at scale %d (%.0f effective cells).", t,
    effective_cells(path)[t])
genes <- tapply(markers$feature, markers$factor, paste, collapse = " ")
supported <- tapply(markers$supported, markers$factor, all)
writeLines(sprintf("factor %2s: %s%s", names(genes), genes, ifelse(supported, "", "   (no genes of its own)")))
writeLines("what sets each cluster apart from its sibling in the tree:")
branches <- cluster_programs(path, found, n = 5)
genes <- tapply(branches$feature, branches$cluster, paste, collapse = " ")
writeLines(sprintf("cluster %2s: %s", names(genes), genes))
programs <- file.path(folder, "programs.gmt")
write_programs(path, programs, x = x, overwrite = TRUE)
written <- c(written, programs)
print(factor_tracks(path))

say("6. An interactive page: drag the scale, select clusters.")
page <- file.path(folder, "path.html")
if (requireNamespace("plotly", quietly = TRUE)) {
    path_report(path, page, labels = pbmc_sorted$type, x = x, clusters = found,
                suggested = found$flat_scale, title = "A thousand sorted blood cells", overwrite = TRUE)
    written <- c(written, page)
} else {
    writeLines("left out: it needs the package plotly")
}

say("Plots and page written:")
writeLines(paste(" ", normalizePath(written)))
