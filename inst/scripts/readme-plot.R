# Makes man/figures/README-clusters.png:  Rscript inst/scripts/readme-plot.R   (from the top of the repository)
library(pNMF)
library(ggplot2)
data(pbmc_sorted)
x <- pbmc_sorted$counts
x@x <- log1p(1e4 * x@x / rep(pbmc_sorted$total, diff(x@p)))
path <- pnmf(x, rank = 10)
ggsave("man/figures/README-clusters.png", plot(persistent_clusters(path)), width = 8, height = 5, dpi = 90)
