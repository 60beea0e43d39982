# Settings for fits whose quality does not matter.
quick_control <- function(...) pnmf_control(max_outer = 4, tol = 0, threads = 1, verbose = FALSE, ...)

# Counts of cells in three groups, each with its own markers.
grouped_counts <- function(n_cells, n_features = 60, seed = 1) {
    group <- as.integer(factor(true_groups(n_cells)))
    counts <- with_random_state(seed, {
        mean <- matrix(1, n_features, 3)
        mean[cbind(seq_len(n_features), rep_len(1:3, n_features))] <- 6
        matrix(stats::rpois(n_features * n_cells, mean[, group]), n_features, n_cells)
    })
    dimnames(counts) <- list(paste0("gene", seq_len(n_features)), paste0("cell", seq_len(n_cells)))
    as_compressed_columns(Matrix::Matrix(counts, sparse = TRUE))
}

true_groups <- function(n_cells) rep_len(paste0("group", 1:3), n_cells)

is_seurat5 <- function() utils::packageVersion("SeuratObject") >= "5.0.0"

# A Seurat object, normalised, with variable features and a PCA.
seurat_object <- function(n_cells = 120, ...) {
    counts <- grouped_counts(n_cells, ...)
    object <- suppressWarnings(SeuratObject::CreateSeuratObject(counts))
    object$truth <- true_groups(n_cells)
    object <- Seurat::NormalizeData(object, verbose = FALSE)
    object <- Seurat::FindVariableFeatures(object, nfeatures = 40, verbose = FALSE)
    object <- Seurat::ScaleData(object, verbose = FALSE)
    suppressWarnings(Seurat::RunPCA(object, npcs = 5, verbose = FALSE))
}

# A small object that contains a path, fitted once for all tests.
seurat_with_path <- local({
    object <- NULL
    function() {
        if (is.null(object)) {
            object <<- RunPNMF(seurat_object(), rank = 4, n.scales = 5, control = quick_control(), verbose = FALSE)
        }
        object
    }
})

sce_object <- function(n_cells = 90, ...) {
    counts <- grouped_counts(n_cells, ...)
    sce <- SingleCellExperiment::SingleCellExperiment(list(counts = counts))
    sce$truth <- true_groups(n_cells)
    size <- Matrix::colSums(counts) / mean(Matrix::colSums(counts))
    logcounts <- as_compressed_columns(counts %*% Matrix::Diagonal(x = 1 / size))
    logcounts@x <- log2(logcounts@x + 1)
    dimnames(logcounts) <- dimnames(counts)
    SummarizedExperiment::assay(sce, "logcounts") <- logcounts
    sce
}

sce_with_path <- local({
    sce <- NULL
    function() {
        if (is.null(sce)) sce <<- runPNMF(sce_object(), ncomponents = 4, n_scales = 5, control = quick_control())
        sce
    }
})
