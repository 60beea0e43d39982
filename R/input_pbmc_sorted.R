#' A thousand sorted blood cells
#'
#' Real counts to try the package on: 2,000 genes of 1,000 cells from the blood
#' and the bone marrow of one donor. The types are known, because the cells were
#' sorted before sequencing.
#'
#' The cells are from Zheng et al. (2017), as selected by the CRAN package
#' fastTopics, of whose 3,774 cells they are a subset in which each type keeps its
#' share. The genes are the 2,000 with the largest standardised variance among
#' those that at least ten cells express. Nothing is random, and the choice does
#' not use the types. Use `total`, the count over all 16,791 genes, for
#' normalisation. `system.file("scripts", "make-pbmc_sorted.R", package = "pNMF")`
#' shows how the data were made.
#'
#' @format A list:
#'   \describe{
#'   \item{`counts`}{Whole numbers, 2,000 genes x 1,000 cells, a `dgCMatrix`.
#'     Row names are gene symbols, column names barcodes with their population.}
#'   \item{`type`}{Factor with the sorted type of each cell: `"B cell"`,
#'     `"CD14+"` (monocytes), `"CD34+"` (progenitors), `"NK cell"`, `"T cell"`.}
#'   \item{`population`}{Factor with the ten populations as they were sorted,
#'     six of them T cells.}
#'   \item{`total`}{Count of each cell over all genes.}
#'   \item{`genes`}{Data frame `symbol`, `ensembl`, one row per gene.}
#'   }
#' @source 10x Genomics, \url{https://www.10xgenomics.com/datasets}, licence CC
#'   BY 4.0.
#' @references Zheng et al. (2017) Massively parallel digital transcriptional
#'   profiling of single cells. Nature Communications 8, 14049.
#'   \doi{10.1038/ncomms14049}
#' @examples
#' data(pbmc_sorted)
#' dim(pbmc_sorted$counts)
#' table(pbmc_sorted$type)
#' x <- normalize_counts(pbmc_sorted$counts)
#' path <- pnmf(x[1:500, 1:200], rank = 5, scales = 4,
#'              control = pnmf_control(max_outer = 5, tol = 0))
#' path
#' @usage data(pbmc_sorted)
#' @docType data
#' @keywords datasets
#' @name pbmc_sorted
NULL
