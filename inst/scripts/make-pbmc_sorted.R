# Makes data/pbmc_sorted.rda, the real data that the package ships:
#   Rscript inst/scripts/make-pbmc_sorted.R pbmc_facs.rds pbmc_facs.RData
#
# The cells are from Zheng et al. (2017), Massively parallel digital transcriptional profiling of single cells, Nature
# Communications 8, 14049, doi:10.1038/ncomms14049: ten populations of blood cells of one donor, enriched with beads.
# 10x Genomics publishes the counts (https://www.10xgenomics.com/datasets) under the licence CC BY 4.0.
#
# pbmc_facs.rds     X, log(1 + count) of 16,791 genes x 3,774 cells, and y, the five sorted populations
# pbmc_facs.RData   the same cells in the CRAN package fastTopics 0.7-38 (its folder data/), which has gene symbols
#
# Nothing is random: the same files give the same bytes.
suppressPackageStartupMessages(library(Matrix))

n_cells <- 1000L
n_genes <- 2000L

read_counts <- function(file) {
    logged <- readRDS(file)
    counts <- logged$X
    counts@x <- expm1(counts@x)
    stopifnot(max(abs(counts@x - round(counts@x))) < 1e-9)
    counts@x <- round(counts@x)
    list(counts = counts, type = logged$y)
}

read_annotation <- function(file) {
    held <- new.env()
    load(file, held)
    held$pbmc_facs[c("genes", "samples", "counts")]
}

# Each type keeps its share of the cells, spread evenly over the barcodes in alphabetical order. A barcode says nothing
# about the cell.
chosen_cells <- function(names, type, n) {
    share <- n * tabulate(type) / length(type)
    size <- floor(share)
    size <- size + (rank(floor(share) - share, ties.method = "first") <= n - sum(size))
    chosen <- Map(function(cells, k) {
        cells <- cells[order(names[cells], method = "radix")]
        cells[round(seq(1, length(cells), length.out = k))]
    }, split(seq_along(type), type), size)
    sort(unlist(chosen, use.names = FALSE))
}

# The genes with the largest variance of counts after each is divided by the standard deviation usual at its mean
# (a smooth curve of log variance against log mean), among those that at least ten cells express. Standardised values
# are capped at sqrt(cells), so that single cells do not decide.
chosen_genes <- function(counts, n) {
    seen <- which(rowSums(counts > 0) >= 10)
    counts <- counts[seen, ]
    mean <- rowMeans(counts)
    variance <- rowMeans(counts^2) - mean^2
    usual <- sqrt(10^stats::loess(log10(variance) ~ log10(mean), span = 0.3)$fitted)
    cap <- sqrt(ncol(counts))
    standardised <- counts
    row <- counts@i + 1L
    standardised@x <- pmin((counts@x - mean[row]) / usual[row], cap)^2
    zeros <- ncol(counts) - tabulate(row, nrow(counts))
    spread <- rowSums(standardised) + zeros * (mean / usual)^2
    sort(seen[order(-spread, method = "radix")[seq_len(n)]])
}

files <- commandArgs(trailingOnly = TRUE)
if (length(files) != 2L) stop("usage: Rscript inst/scripts/make-pbmc_sorted.R pbmc_facs.rds pbmc_facs.RData")
all <- read_counts(files[1])
annotation <- read_annotation(files[2])
stopifnot(
    identical(annotation$genes$ensembl, rownames(all$counts)),
    identical(rownames(annotation$counts), colnames(all$counts)),
    max(abs(t(annotation$counts) - all$counts)) == 0
)
cells <- chosen_cells(colnames(all$counts), all$type, n_cells)
genes <- chosen_genes(all$counts[, cells], n_genes)
symbols <- make.unique(annotation$genes$symbol[genes])
counts <- as(all$counts[genes, cells], "CsparseMatrix")
rownames(counts) <- symbols
pbmc_sorted <- list(
    counts = counts,
    type = droplevels(all$type[cells]),
    population = droplevels(annotation$samples$celltype[cells]),
    total = unname(colSums(all$counts)[cells]),
    genes = data.frame(symbol = symbols, ensembl = annotation$genes$ensembl[genes])
)
dir.create("data", showWarnings = FALSE)
save(pbmc_sorted, file = "data/pbmc_sorted.rda", compress = "xz", version = 2)
