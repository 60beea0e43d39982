skip_if_not_installed("Seurat")

test_that("RunPNMF() of an object is that of its assay, which is that of its data", {
    object <- seurat_object()
    object[["pca"]] <- NULL
    run <- function(x, ...) RunPNMF(x, rank = 4, n.scales = 5, control = quick_control(), verbose = FALSE, ...)
    whole <- run(object)
    expect_s4_class(whole, "Seurat")
    reduction <- whole[["pnmf"]]
    expect_identical(run(object[["RNA"]])@misc, reduction@misc)
    data <- SeuratObject::GetAssayData(object)[SeuratObject::VariableFeatures(object), ]
    expect_identical(run(data)@misc, reduction@misc)
    expect_identical(SeuratObject::DefaultAssay(reduction), "RNA")
    expect_identical(SeuratObject::Cells(reduction), colnames(object))
})

test_that("the call is recorded, without anything large", {
    object <- seurat_with_path()
    command <- object@commands[["RunPNMF.RNA"]]
    expect_s4_class(command, "SeuratCommand")
    expect_identical(command@params$rank, 4)
    expect_identical(command@params$n.scales, 5)
    expect_lt(as.numeric(utils::object.size(command@params)), 1e4)
})

test_that("name, key, assay, features and layer are the caller's", {
    object <- seurat_object(40)
    object[["ADT"]] <- suppressWarnings(SeuratObject::CreateAssayObject(counts = grouped_counts(40, 12, seed = 3)))
    object <- Seurat::NormalizeData(object, assay = "ADT", verbose = FALSE)
    features <- paste0("gene", 3:12)
    object <- RunPNMF(object, assay = "ADT", features = features, rank = 2, n.scales = 3, reduction.name = "adt.pnmf",
                      reduction.key = "ADTNMF_", control = quick_control(), verbose = FALSE)
    reduction <- object[["adt.pnmf"]]
    expect_identical(SeuratObject::DefaultAssay(reduction), "ADT")
    expect_identical(colnames(SeuratObject::Embeddings(reduction)), c("ADTNMF_1", "ADTNMF_2"))
    expect_identical(rownames(SeuratObject::Loadings(reduction)), features)
    expect_identical(SeuratObject::DefaultAssay(object), "RNA")
    counted <- suppressWarnings(RunPNMF(object, layer = "counts", features = features, rank = 2, n.scales = 2,
                                        control = quick_control(), verbose = FALSE))
    expect_identical(PNMFPath(counted)@feature_names, features)
})

test_that("distances may be those of another reduction", {
    object <- seurat_object()
    run <- function(...) {
        PNMFPath(RunPNMF(object, rank = 3, n.scales = NULL, control = quick_control(), verbose = FALSE, ...))
    }
    pcs <- SeuratObject::Embeddings(object, "pca")
    data <- SeuratObject::GetAssayData(object)[SeuratObject::VariableFeatures(object), ]
    expected <- function(points) thresholds(pnmf(data, rank = 3, space = points, control = quick_control()))
    expect_equal(thresholds(run(space = "pca")), expected(pcs))
    expect_equal(thresholds(run(space = "pca", distance.dims = 1:2)), expected(pcs[, 1:2]))
    expect_equal(thresholds(run()), expected(pcs))
    expect_equal(thresholds(run(scales = "paper")), persistence_scales(data)$threshold)
    expect_message(RunPNMF(object, rank = 2, n.scales = 2, control = pnmf_control(max_outer = 4, tol = 0)),
                   "40 features; .* distances on the object's own 5 principal components", class = "pnmf_message")
    expect_error(expect_no_message(RunPNMF(object, rank = 0)), "'rank' must be", class = "pnmf_error")
    for (verbose in list("yes", NA)) {
        expect_error(RunPNMF(object, verbose = verbose), "'verbose' must be TRUE or FALSE", class = "pnmf_error")
    }
})

test_that("space is a reduction by name, or coordinates of the cells", {
    object <- seurat_object(40)
    run <- function(...) RunPNMF(object, rank = 3, n.scales = 5, control = quick_control(), verbose = FALSE, ...)
    pcs <- SeuratObject::Embeddings(object, "pca")
    path <- PNMFPath(run(space = "pca"))
    expect_identical(PNMFPath(run(space = pcs)), path)
    expect_identical(PNMFPath(run(space = pcs[40:1, ])), path)
    expect_identical(PNMFPath(run(space = pcs, distance.dims = 1:2)),
                     PNMFPath(run(space = "pca", distance.dims = 1:2)))
    expect_identical(run(space = "pca")@commands$RunPNMF.RNA@params$space, "pca")
    expect_lt(as.numeric(utils::object.size(run(space = pcs)@commands$RunPNMF.RNA@params)), 1e4)
    expect_warning(former <- PNMFPath(run(distance.reduction = "pca")), "'distance.reduction' is now called 'space'",
                   class = "pnmf_warning")
    expect_identical(former, path)
    expect_error(run(space = "pca", distance.reduction = "pca"),
                 "'distance.reduction' must be NULL when 'space' is given", class = "pnmf_error")
    expect_error(run(space = "umap"), "'space' must be one of the object's reductions \\(pca\\), not \"umap\"",
                 class = "pnmf_error")
    expect_error(run(space = 2), "'space' must be the name of a reduction or a matrix", class = "pnmf_error")
    expect_error(run(space = pcs[1:4, ]), "'space' lacks 36 of the 40 cells", class = "pnmf_error")
})

# Everything a user does next. `rank` is below Seurat's default of ten dimensions.
expect_at_home <- function(object, rank) {
    dims <- seq_len(rank)
    object <- Seurat::FindNeighbors(object, reduction = "pnmf", dims = dims, verbose = FALSE)
    object <- Seurat::FindClusters(object, resolution = 0.5, verbose = FALSE)
    expect_length(object$seurat_clusters, ncol(object))
    object <- suppressWarnings(Seurat::RunUMAP(object, reduction = "pnmf", dims = dims, verbose = FALSE))
    expect_equal(dim(SeuratObject::Embeddings(object, "umap")), c(ncol(object), 2))
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    features <- utils::head(SeuratObject::VariableFeatures(object), 5)
    plots <- suppressWarnings(list(
        Seurat::DimPlot(object, reduction = "pnmf"),
        Seurat::DimPlot(object, reduction = "umap"),
        Seurat::FeaturePlot(object, c("PNMF_1", features[1]), reduction = "pnmf"),
        Seurat::VizDimLoadings(object, dims = 1:2, reduction = "pnmf", nfeatures = 5),
        Seurat::DimHeatmap(object, dims = 1, reduction = "pnmf", nfeatures = 5, cells = 20, fast = FALSE),
        Seurat::ElbowPlot(object, ndims = rank, reduction = "pnmf")
    ))
    for (plot in plots) {
        expect_s3_class(plot, "ggplot")
        expect_no_error(suppressWarnings(print(plot)))
    }
    elbow <- ggplot2::layer_data(plots[[6]])
    expect_equal(elbow$y, SeuratObject::Stdev(object, "pnmf"))
    object
}

test_that("pbmc_small goes through Seurat's whole chain", {
    object <- suppressMessages(suppressWarnings(SeuratObject::UpdateSeuratObject(SeuratObject::pbmc_small)))
    object <- RunPNMF(object, rank = 4, n.scales = 6, verbose = FALSE)
    expect_identical(dim(PNMFPath(object)), c(20L, 80L, 6L))
    expect_at_home(object, 4)
})

test_that("2,000 cells go through Seurat's whole chain", {
    skip_unless_slow()
    object <- seurat_object(2000)
    object <- RunPNMF(object, rank = 5, n.scales = 4, control = quick_control(), verbose = FALSE)
    expect_identical(dim(PNMFPath(object)), c(40L, 2000L, 4L))
    object <- expect_at_home(object, 5)
    # three groups that hardly overlap
    object <- FindPNMFClusters(object)
    expect_gt(cluster_scores(object$truth, object$pnmf_clusters)[["ari"]], 0.9)
})

test_that("unknown assays and reductions are named", {
    object <- seurat_with_path()
    expect_error(RunPNMF(object, assay = "ADT"), "'assay' must be one of the object's assays \\(RNA\\), not \"ADT\"",
                 class = "pnmf_error")
    expect_error(RunPNMF(object, assay = 1), "'assay' must be a single string", class = "pnmf_error")
    expect_error(RunPNMF(object, space = "harmony"),
                 "'space' must be one of the object's reductions \\(pca, pnmf\\), not \"harmony\"",
                 class = "pnmf_error")
    expect_error(RunPNMF(object, space = "pca", distance.dims = 1:9), "'distance.dims' must be whole",
                 class = "pnmf_error")
    expect_error(RunPNMF(object, distance.dims = 1:2), "without a 'space'", class = "pnmf_error")
    expect_error(RunPNMF(object, features = "CD4"), "the first is 'CD4'", class = "pnmf_error")
    expect_error(RunPNMF(object, reduction.name = ""), "'reduction.name' must be a single string", class = "pnmf_error")
    expect_error(RunPNMF(object, reduction.key = "p n"), "'reduction.key'", class = "pnmf_error")
})

test_that("raw counts are warned of once, under whatever name they come", {
    object <- seurat_object(30)
    run <- function(...) RunPNMF(..., rank = 2, n.scales = 2, control = quick_control(), verbose = FALSE)
    warned <- "the 'counts' layer of assay 'RNA' holds whole numbers .*like raw counts: run NormalizeData\\(\\) first"
    said <- capture_warnings(run(object, layer = "counts"))
    expect_length(said, 1L)
    expect_match(said, warned)
    expect_match(capture_warnings(run(object[["RNA"]], layer = "counts")), warned)
    expect_match(capture_warnings(run(as.matrix(grouped_counts(30)))), "^'object' holds .* run normalize_counts\\(\\)")
    expect_no_warning(run(object))
})

test_that("predict() warns of the raw counts of an object once", {
    object <- seurat_with_path()
    new <- suppressWarnings(SeuratObject::CreateSeuratObject(grouped_counts(20)))
    skip_if(is_seurat5(), "an object of Seurat 5 has no data layer before NormalizeData()")
    said <- capture_warnings(predict(object, new))
    expect_length(said, 1L)
    expect_match(said, "^'newdata' holds whole numbers only and looks like raw counts")
    expect_no_warning(predict(object, Seurat::NormalizeData(new, verbose = FALSE)))
})

test_that("an object without reductions is fitted and clustered", {
    object <- suppressWarnings(SeuratObject::CreateSeuratObject(grouped_counts(60)))
    object <- Seurat::NormalizeData(object, verbose = FALSE)
    expect_null(names(object@reductions))
    object <- RunPNMF(object, features = rownames(object), rank = 3, n.scales = 3, control = quick_control(),
                      verbose = FALSE)
    expect_identical(names(object@reductions), "pnmf")
})

test_that("every path has a key of its own", {
    expect_identical(key_of("pnmf"), "PNMF_")
    expect_identical(key_of("pn.2"), "PN2_")
    expect_identical(key_of("_"), "PNMF_")
    object <- seurat_with_path()
    expect_no_warning(second <- RunPNMF(object, rank = 2, n.scales = 2, reduction.name = "pn2", verbose = FALSE,
                                        control = quick_control()))
    expect_identical(SeuratObject::Key(second[["pn2"]]), "PN2_", ignore_attr = TRUE)
    path <- PNMFPath(second, "pn2")
    expect_no_warning(PNMFPath(object, reduction = "third") <- path)
})

test_that("options(pNMF.progress = FALSE) silences a fit, and verbose = TRUE is stronger", {
    old <- options(pNMF.progress = FALSE)
    on.exit(options(old))
    object <- seurat_with_path()
    fit <- function(...) RunPNMF(object, rank = 2, n.scales = 2, ...)
    expect_silent(quiet <- fit())
    expect_message(loud <- fit(verbose = TRUE), "own 5 principal components")
    # what decides about the bar
    expect_false(PNMFPath(quiet)@parameters$control$verbose)
    expect_true(PNMFPath(loud)@parameters$control$verbose)
})

test_that("dims of Seurat's functions are pointed to distance.dims", {
    expect_error(RunPNMF(seurat_with_path(), dims = 1:3), "unknown argument 'dims': did you mean 'distance.dims'",
                 class = "pnmf_error")
})

test_that("a fit has at most twelve arguments", {
    for (fit in list(RunPNMF.Seurat, RunPNMF.default, RunPNMF.Assay, runPNMF.SingleCellExperiment)) {
        expect_lte(length(setdiff(names(formals(fit)), "...")), 12L)
    }
})

test_that("the argument by which Seurat's functions take a reduction is called 'space' here", {
    skip_if_not_installed("Seurat")
    object <- seurat_object()
    expect_error(RunPNMF(object, reduction = "pca"), "did you mean 'space'", class = "pnmf_error")
    object <- suppressMessages(RunPNMF(object, rank = 2, n.scales = 2, reduction.name = "p2"))
    expect_error(FindPNMFClusters(object, k = 4), "'k' is found from the data", class = "pnmf_error")
})
