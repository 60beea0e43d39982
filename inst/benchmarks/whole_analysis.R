# From counts to clusters and named programs, beside the steps of Seurat for the same questions, in one run:
#   Rscript inst/benchmarks/whole_analysis.R [--large]
# Data: pbmc_facs of $PNMF_SHARED/data, otherwise pbmc_sorted. Both begin with the normalised counts of 2,000 variable
# genes.
suppressPackageStartupMessages({
    library(pNMF)
    library(Seurat)
})
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "common.R"))
options(pNMF.progress = FALSE)

counts <- if (file.exists(shared_file("pbmc_facs"))) {
    round(expm1(load_set("pbmc_facs")))
} else {
    get(utils::data("pbmc_sorted", package = "pNMF"))$counts
}
object <- CreateSeuratObject(methods::as(counts, "CsparseMatrix"))
object <- FindVariableFeatures(NormalizeData(object, verbose = FALSE), verbose = FALSE)

seconds <- c(
    RunPNMF = elapsed(object <- suppressMessages(RunPNMF(object))),
    FindPNMFClusters = elapsed(object <- suppressMessages(FindPNMFClusters(object))),
    factor_markers = elapsed(markers <- factor_markers(object, n = 10)),
    ScaleData = elapsed(object <- ScaleData(object, verbose = FALSE)),
    RunPCA = elapsed(object <- RunPCA(object, verbose = FALSE)),
    FindNeighbors = elapsed(object <- FindNeighbors(object, dims = 1:20, verbose = FALSE)),
    FindClusters = elapsed(object <- FindClusters(object, verbose = FALSE)),
    RunUMAP = elapsed(object <- suppressWarnings(RunUMAP(object, dims = 1:20, verbose = FALSE)))
)
ours <- c("RunPNMF", "FindPNMFClusters", "factor_markers")
print(data.frame(step = names(seconds), seconds = round(seconds, 1), row.names = NULL))
writeLines(sprintf("%d cells: pNMF %.1f s, Seurat %.1f s, ratio %.2f", ncol(object), sum(seconds[ours]),
                   sum(seconds[setdiff(names(seconds), ours)]),
                   sum(seconds[ours]) / sum(seconds[setdiff(names(seconds), ours)])))

# Clusters without a fit, beside Louvain on the neighbours of Seurat.
scales <- PNMFPath(object)@scales
plain <- elapsed(persistent_clusters(scales, support = FALSE, verbose = FALSE))
writeLines(sprintf("persistent_clusters(scales): %.1f s, with support %.1f s; FindClusters(): %.1f s", plain,
                   elapsed(persistent_clusters(scales, verbose = FALSE)), seconds[["FindClusters"]]))
writeLines(sprintf("path_report(): %.1f s", elapsed(path_report(object, tempfile(fileext = ".html")))))

# --large: the page of 100,000 simulated cells, with the tests of its clusters.
if ("--large" %in% commandArgs(trailingOnly = TRUE)) {
    path <- suppressMessages(pnmf(simulate_sparse_cells(1e5, 2000)))
    writeLines(sprintf("%d cells: persistent_clusters() %.1f s, path_report() %.1f s", dim(path)[2],
                       elapsed(persistent_clusters(path, verbose = FALSE)),
                       elapsed(path_report(path, tempfile(fileext = ".html")))))
}
