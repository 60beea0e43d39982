skip_if_not_installed("SingleCellExperiment")

run <- function(sce, ...) runPNMF(sce, ncomponents = 3, n_scales = 4, control = quick_control(), ...)

logcounts_of <- function(sce) as.matrix(SummarizedExperiment::assay(sce, "logcounts"))

test_that("the path is the one pnmf() fits to the features of largest variance", {
    sce <- sce_object()
    x <- logcounts_of(sce)
    variable <- order(apply(x, 1, stats::var), decreasing = TRUE)[1:25]
    path <- pnmf(x[variable, ], rank = 3, scales = 4, control = quick_control())
    result <- run(sce, ntop = 25)
    expect_identical(PNMFPath(result)@feature_names, path@feature_names)
    # 1e-8: sparse here and dense there, so sums run in another order
    expect_equal(PNMFPath(result)@H, path@H, tolerance = 1e-8)
})

test_that("the active scale is a reduced dimension with its basis, and nothing else changes", {
    sce <- sce_object()
    result <- run(sce)
    path <- PNMFPath(result)
    embedding <- SingleCellExperiment::reducedDim(result, "PNMF")
    expect_s3_class(embedding, "reduced.dim.matrix")
    expect_identical(dimnames(embedding), list(colnames(sce), paste0("PNMF", 1:3)))
    expect_identical(unname(as.matrix(unclass(embedding))[, ]), unname(embedding(path, 1)))
    expect_identical(attr(embedding, "basis"), loading(path, 1))
    expect_identical(attr(embedding, "scale"), 1L)
    expect_identical(attr(embedding, "threshold"), thresholds(path)[1])
    sizes <- vapply(1:3, function(j) norm(outer(loading(path, 1)[, j], embedding(path, 1)[, j]), "F"), numeric(1))
    expect_identical(attr(embedding, "weights"), factor_weights(path, 1))
    expect_equal(unname(factor_weights(path, 1)), sizes, tolerance = 1e-12)
    expect_identical(names(S4Vectors::metadata(result)), "PNMF")
    SingleCellExperiment::reducedDims(result) <- NULL
    S4Vectors::metadata(result) <- list()
    expect_equal(result, sce)
})

test_that("rows are chosen by name, position or logical, and keep their order", {
    sce <- sce_object()
    names <- paste0("gene", c(9, 2, 30, 31))
    by_name <- PNMFPath(run(sce, subset_row = names))
    expect_identical(by_name@feature_names, names)
    expect_identical(PNMFPath(run(sce, subset_row = c(9, 2, 30, 31))), by_name)
    logical <- seq_len(60) %in% c(2, 9, 30, 31)
    expect_identical(PNMFPath(run(sce, subset_row = logical))@feature_names, paste0("gene", c(2, 9, 30, 31)))
})

test_that("a single row is enough", {
    path <- PNMFPath(runPNMF(sce_object(), 1, 4, subset_row = "gene3", control = quick_control()))
    expect_identical(path@feature_names, "gene3")
    expect_identical(dim(path), c(1L, 90L, 4L))
})

test_that("assay.type is the name or number of an assay, exprs_values its former name", {
    sce <- sce_object()
    SummarizedExperiment::assay(sce, "other") <- 2 * logcounts_of(sce)
    other <- PNMFPath(run(sce, assay.type = "other"))
    expect_warning(former <- run(sce, exprs_values = "other"), "'exprs_values' is now called 'assay.type'")
    expect_identical(PNMFPath(former), other)
    expect_identical(PNMFPath(run(sce, assay.type = 3)), other)
    expect_equal(thresholds(other), 2 * thresholds(PNMFPath(run(sce))), tolerance = 1e-10)
})

test_that("a reduced dimension is the space of the distances only", {
    sce <- sce_object()
    position <- cbind(seq_len(90)^2, 0, 0)
    SingleCellExperiment::reducedDim(sce, "LINE") <- position
    far <- run(sce, space = "LINE")
    path <- PNMFPath(far)
    expect_identical(path@feature_names, PNMFPath(run(sce))@feature_names)
    expected <- pnmf(logcounts_of(sce)[path@feature_names, ], rank = 3, scales = 4, space = position,
                     control = quick_control())
    expect_equal(thresholds(path), thresholds(expected), tolerance = 1e-10)
    SingleCellExperiment::reducedDim(sce, "LINE")[, 3] <- 1000 * stats::rnorm(90)
    expect_equal(thresholds(PNMFPath(run(sce, space = "LINE", n_dimred = 2))), thresholds(path))
    expect_equal(thresholds(PNMFPath(run(sce, space = "LINE", n_dimred = c(1, 2)))), thresholds(path))
})

test_that("space is a reduced dimension by name, or coordinates of the cells", {
    sce <- sce_object()
    position <- cbind(seq_len(90)^2, stats::rnorm(90), 0)
    rownames(position) <- colnames(sce)
    SingleCellExperiment::reducedDim(sce, "LINE") <- position
    path <- PNMFPath(run(sce, space = "LINE"))
    expect_warning(former <- run(sce, dimred = "LINE"), "'dimred' is now called 'space'")
    expect_identical(PNMFPath(former), path)
    expect_identical(PNMFPath(run(sce, space = position)), path)
    expect_identical(PNMFPath(run(sce, space = position[90:1, ])), path)
    expect_identical(PNMFPath(run(sce, space = position, n_dimred = 1)), PNMFPath(run(sce, space = 1, n_dimred = 1)))
    expect_error(run(sce, space = "LINE", dimred = "LINE"), "'dimred' must be NULL when 'space' is given",
                 class = "pnmf_error")
    expect_error(run(sce, space = "UMAP"), "'space' must be one of the object's reduced dimensions \\(LINE\\)",
                 class = "pnmf_error")
    expect_error(run(sce, space = 2), "'space' must be a whole number between 1 and 1", class = "pnmf_error")
    expect_error(run(sce, space = position[1:5, ]), "'space' lacks 85 of the 90 cells", class = "pnmf_error")
    expect_error(run(sce, space = position, n_dimred = 4), "'n_dimred' must be a whole number between 1 and 3",
                 class = "pnmf_error")
})

test_that("alternative experiments are used, and the result goes into the main one", {
    sce <- sce_object()
    other <- sce_object(seed = 7)[1:20, ]
    SingleCellExperiment::altExp(sce, "ADT") <- other
    result <- run(sce, altexp = "ADT", name = "ADT_PNMF")
    expect_identical(SingleCellExperiment::reducedDimNames(result), "ADT_PNMF")
    expect_identical(PNMFPath(result, "ADT_PNMF")@H, PNMFPath(run(other))@H)
    expect_identical(SingleCellExperiment::altExp(result, "ADT"), SingleCellExperiment::altExp(sce, "ADT"))
})

test_that("DelayedMatrix and HDF5 assays give the path of the matrix in memory", {
    skip_if_not_installed("DelayedArray")
    sce <- sce_object()
    x <- logcounts_of(sce)
    expected <- PNMFPath(run(sce, ntop = 30))
    delayed <- sce
    SummarizedExperiment::assay(delayed, "logcounts") <- DelayedArray::DelayedArray(x) * 2 / 2
    # 1e-8: sparse and dense sums run in another order
    expect_equal(PNMFPath(run(delayed, ntop = 30))@H, expected@H, tolerance = 1e-8)
    sparse <- sce
    SummarizedExperiment::assay(sparse, "logcounts") <-
        DelayedArray::DelayedArray(SummarizedExperiment::assay(sce, "logcounts"))
    expect_equal(PNMFPath(run(sparse, ntop = 30))@H, expected@H, tolerance = 1e-8)
    skip_if_not_installed("HDF5Array")
    file <- tempfile(fileext = ".h5")
    on.exit(unlink(file))
    disk <- sce
    SummarizedExperiment::assay(disk, "logcounts") <- HDF5Array::writeHDF5Array(x, file, "x", with.dimnames = TRUE)
    set.seed(1)
    before <- .Random.seed
    result <- run(disk, ntop = 30)
    expect_identical(.Random.seed, before)
    expect_equal(PNMFPath(result)@H, expected@H, tolerance = 1e-8)
    expect_s4_class(SummarizedExperiment::assay(result, "logcounts"), "HDF5Matrix")
    expect_identical(PNMFPath(run(disk, ntop = 30, BPPARAM = NULL))@H, PNMFPath(result)@H)
    expect_error(run(disk, BPPARAM = 2), "'BPPARAM' must be NULL or a BiocParallelParam", class = "pnmf_error")
})

test_that("a SummarizedExperiment becomes a SingleCellExperiment", {
    sce <- sce_object()
    plain <- SummarizedExperiment::SummarizedExperiment(SummarizedExperiment::assays(sce))
    result <- run(plain)
    expect_s4_class(result, "SingleCellExperiment")
    expect_identical(PNMFPath(result)@H, PNMFPath(run(sce))@H)
})

test_that("scater, scran and bluster work with the result", {
    skip_if_not_installed("scater")
    skip_if_not_installed("scran")
    skip_if_not_installed("bluster")
    sce <- sce_with_path()
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    plot <- scater::plotReducedDim(sce, "PNMF", colour_by = "truth")
    expect_s3_class(plot, "ggplot")
    expect_no_error(print(plot))
    # scater itself uses what newer ggplot2 deprecates
    expect_no_error(suppressWarnings(print(scater::plotReducedDim(sce, "PNMF", ncomponents = 3))))
    expect_identical(dim(SingleCellExperiment::reducedDim(scater::runUMAP(sce, dimred = "PNMF"), "UMAP")), c(90L, 2L))
    graph <- scran::buildSNNGraph(sce, use.dimred = "PNMF")
    expect_equal(igraph::vcount(graph), 90)
    labels <- scran::clusterCells(sce, use.dimred = "PNMF", BLUSPARAM = bluster::KmeansParam(3, nstart = 10))
    expect_gt(cluster_scores(sce$truth, labels)[["ari"]], 0.9)
    rows <- bluster::clusterRows(SingleCellExperiment::reducedDim(sce, "PNMF"), bluster::NNGraphParam())
    expect_length(rows, 90)
})

test_that("unusable input is named", {
    sce <- sce_object(20)
    expect_error(run(1), "'x' must be a SingleCellExperiment, not 1", class = "pnmf_error")
    expect_warning(run(sce, assay.type = "counts"), "looks like raw counts: run normalize_counts\\(\\) or scuttle",
                   class = "pnmf_warning")
    expect_error(run(sce, assay.type = "tpm"), "must be one of the object's assays \\(counts, logcounts\\)",
                 class = "pnmf_error")
    expect_error(run(sce, assay.type = 3), "'assay.type' must be a whole number between 1 and 2", class = "pnmf_error")
    raw <- sce
    SummarizedExperiment::assay(raw, "logcounts") <- NULL
    expect_error(run(raw), "no assay \"logcounts\" \\(it has counts\\): run .* or logcounts\\(x\\) <- normalize_counts",
                 class = "pnmf_error")
    negative <- sce
    SummarizedExperiment::assay(negative, "logcounts") <- -logcounts_of(sce)
    expect_error(run(negative), "'logcounts' assay of 'x' must be nonnegative", class = "pnmf_error")
    expect_error(run(sce, subset_row = c("gene1", "CD4")), "1 of 2 are unknown; the first is 'CD4'",
                 class = "pnmf_error")
    expect_error(run(sce, subset_row = 61), "'subset_row' must be whole numbers between 1 and 60", class = "pnmf_error")
    expect_error(run(sce, subset_row = character(0)), "'subset_row' must name", class = "pnmf_error")
    expect_error(run(sce, ntop = 0), "'ntop' must be", class = "pnmf_error")
    expect_error(runPNMF(sce[, 1]), "must have at least two cells \\(columns\\), not 1", class = "pnmf_error")
    expect_error(run(sce, space = "PCA"), "'space' must be .*reduced dimensions \\(there are none\\)",
                 class = "pnmf_error")
    expect_error(run(sce, n_dimred = 2), "without a 'space'", class = "pnmf_error")
    expect_error(run(sce, altexp = "ADT"), "'altexp' must be one of the object's alternative experiments",
                 class = "pnmf_error")
    expect_error(run(sce, name = NA), "'name' must be a single string", class = "pnmf_error")
    expect_error(runPNMF(sce, ncomponents = 21), "'ncomponents' must be a whole number between 1 and 20",
                 class = "pnmf_error")
    expect_error(runPNMF(sce, n_scales = 0), "'n_scales' must be", class = "pnmf_error")
    expect_error(run(sce, max_outer = 2), "unknown argument 'max_outer'", class = "pnmf_error")
})

test_that("an assay without a name is chosen by its position", {
    sce <- sce_object()
    unnamed <- SingleCellExperiment::SingleCellExperiment(list(logcounts_of(sce)))
    expect_error(run(unnamed), "none with a name", class = "pnmf_error")
    expect_error(run(unnamed, assay.type = 2), "'assay.type'", class = "pnmf_error")
    expect_equal(PNMFPath(run(unnamed, assay.type = 1))@H, PNMFPath(run(sce))@H, tolerance = 1e-8) # sparse and dense
})

test_that("rows without a name are refused, whichever features are chosen", {
    sce <- sce_object()
    rownames(sce)[c(1, 5)] <- ""
    expect_error(runPNMF(sce, ncomponents = 2, subset_row = 5:30),
                 "'x' must have a name for every row or for none, but lacks 2 of 60", class = "pnmf_error")
})
