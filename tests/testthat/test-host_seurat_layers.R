skip_if_not_installed("Seurat")

assay_of <- function(object, name = "RNA") object[[name]]

# The same data as an assay of the old kind (Seurat 4 knows no other) and of the new one.
assays_of_both_kinds <- function(object) {
    assay <- assay_of(object)
    if (!is_seurat5()) return(list(Assay = assay))
    list(StdAssay = assay, Assay = suppressWarnings(as(assay, "Assay")))
}

test_that("the layer of the chosen features is read, in the order asked for, from assays of either kind", {
    object <- seurat_object(30)
    data <- as.matrix(SeuratObject::GetAssayData(object))
    for (assay in assays_of_both_kinds(object)) {
        features <- c("gene7", "gene3", "gene3", "gene40")
        x <- seurat_layer(assay, "RNA", features, "data")
        expect_s4_class(x, "dgCMatrix")
        expect_identical(as.matrix(x), data[unique(features), ])
        single <- seurat_layer(assay, "RNA", "gene5", "data")
        expect_identical(as.matrix(single), data["gene5", , drop = FALSE])
    }
})

test_that("features default to the variable ones", {
    object <- seurat_object(30)
    for (assay in assays_of_both_kinds(object)) {
        expect_identical(rownames(seurat_layer(assay, "RNA", NULL, "data")), SeuratObject::VariableFeatures(object))
    }
})

test_that("without variable features the error names FindVariableFeatures()", {
    counts <- grouped_counts(30)
    assays <- list(SeuratObject::CreateAssayObject(counts = counts))
    if (is_seurat5()) assays <- c(assays, SeuratObject::CreateAssay5Object(counts))
    for (assay in assays) {
        assay <- Seurat::NormalizeData(assay, verbose = FALSE)
        expect_error(seurat_layer(assay, "RNA", NULL, "data"), "run FindVariableFeatures\\(\\) first",
                     class = "pnmf_error")
    }
})

test_that("an object of Seurat 5 that was never normalised is told about NormalizeData()", {
    skip_if_not(is_seurat5(), "Seurat 4 starts with the counts as its data")
    object <- suppressWarnings(SeuratObject::CreateSeuratObject(grouped_counts(30)))
    expect_error(seurat_layer(assay_of(object), "RNA", "gene1", "data"),
                 "no 'data' layer \\(it has counts\\): run NormalizeData\\(\\)", class = "pnmf_error")
})

test_that("a layer that is nearly a known one is guessed", {
    expect_error(assert_layer(assay_of(seurat_object(30)), "RNA", "dat"), "no 'dat' layer .*: did you mean \"data\"",
                 class = "pnmf_error")
})

test_that("scaled data are refused, also when there is nothing else", {
    object <- seurat_object(30)
    for (assay in assays_of_both_kinds(object)) {
        expect_error(seurat_layer(assay, "RNA", NULL, "scale.data"), "'layer' must not be \"scale.data\"",
                     class = "pnmf_error")
        if (is(assay, "StdAssay")) {
            SeuratObject::DefaultLayer(assay) <- "scale.data"
            assay@layers <- assay@layers["scale.data"]
        } else {
            assay@counts <- assay@data <- new("dgCMatrix")
        }
        expect_error(seurat_layer(assay, "RNA", NULL, "data"),
                     "no 'data' layer \\(it has scale.data\\).*scaled values cannot be factorised",
                     class = "pnmf_error")
    }
})

test_that("negative data are refused", {
    object <- seurat_object(30)
    for (assay in assays_of_both_kinds(object)) {
        negative <- SeuratObject::GetAssayData(object)
        negative@x <- -negative@x
        if (is(assay, "StdAssay")) {
            SeuratObject::LayerData(assay, "data") <- negative
        } else {
            assay@data <- negative
        }
        expect_error(seurat_layer(assay, "integrated", NULL, "data"),
                     "'data' layer of assay 'integrated' must be nonnegative", class = "pnmf_error")
    }
})

test_that("unknown features and layers are named", {
    object <- seurat_object(30)
    for (assay in assays_of_both_kinds(object)) {
        expect_error(seurat_layer(assay, "RNA", c("gene1", "CD4", "CD8"), "data"),
                     "'features' must be features of assay 'RNA', but 2 of 3 are not; the first is 'CD4'",
                     class = "pnmf_error")
        expect_error(seurat_layer(assay, "RNA", 1:3, "data"), "'features' must be names", class = "pnmf_error")
        expect_error(seurat_layer(assay, "RNA", character(0), "data"), "'features' must be names", class = "pnmf_error")
        expect_error(seurat_layer(assay, "RNA", NULL, "logs"), "no 'logs' layer \\(it has counts, data, scale.data\\)",
                     class = "pnmf_error")
        expect_error(seurat_layer(assay, "RNA", NULL, NA), "'layer' must be a single string", class = "pnmf_error")
    }
})

test_that("variable features that are not in the data are left out with a warning", {
    assay <- assays_of_both_kinds(seurat_object(30))$Assay
    assay@var.features <- c("CD4", "gene1", "gene2")
    expect_warning(x <- seurat_layer(assay, "RNA", NULL, "data"), "1 of 3 variable features", class = "pnmf_warning")
    expect_identical(rownames(x), c("gene1", "gene2"))
    assay@var.features <- "CD4"
    expect_error(seurat_layer(assay, "RNA", NULL, "data"), "none of the variable features", class = "pnmf_error")
})

test_that("the data of an SCT assay are read", {
    object <- suppressWarnings(suppressMessages(Seurat::SCTransform(seurat_object(100), verbose = FALSE)))
    x <- seurat_layer(assay_of(object, "SCT"), "SCT", NULL, "data")
    expect_identical(rownames(x), SeuratObject::VariableFeatures(object, assay = "SCT"))
    expect_identical(as.matrix(x), as.matrix(object[["SCT"]]@data[rownames(x), ]))
    expect_error(seurat_layer(assay_of(object, "SCT"), "SCT", NULL, "scale.data"), "scale.data", class = "pnmf_error")
})

test_that("split layers are refused and JoinLayers() is named", {
    skip_if_not(is_seurat5(), "only v5 assays have layers to split")
    object <- seurat_object(30)
    split <- suppressMessages(split(assay_of(object), f = object$truth))
    expect_error(seurat_layer(split, "RNA", paste0("gene", 1:5), "data"),
                 "split \\(data.group1, data.group2, data.group3\\): join it first, object <- JoinLayers\\(object\\)",
                 class = "pnmf_error")
    joined <- SeuratObject::JoinLayers(split)
    x <- seurat_layer(joined, "RNA", paste0("gene", 1:5), "data")
    expect_identical(as.matrix(x), as.matrix(SeuratObject::LayerData(object, "data"))[1:5, ])
})

test_that("a layer of some of the cells is refused", {
    skip_if_not(is_seurat5(), "only v5 assays have layers of some of the cells")
    assay <- assay_of(seurat_object(30))
    SeuratObject::LayerData(assay, "part") <- SeuratObject::LayerData(assay, "data")[, 1:10]
    expect_error(seurat_layer(assay, "RNA", NULL, "part"), "it holds 10 of 30 cells", class = "pnmf_error")
})

test_that("a layer on disk is read after the features were chosen", {
    skip_if_not(is_seurat5(), "only v5 assays have layers on disk")
    assay <- assay_of(seurat_object(30))
    data <- SeuratObject::LayerData(assay, "data")
    assay@layers$data <- local_disk_matrix(data, 2 * 30)
    x <- seurat_layer(assay, "RNA", c("gene9", "gene2"), "data")
    expect_s4_class(x, "dgCMatrix")
    expect_identical(as.matrix(x), as.matrix(data)[c("gene9", "gene2"), ])
})

test_that("a layer on disk beyond 'memory' is fitted without being read into memory", {
    skip_if_not(is_seurat5(), "only v5 assays have layers on disk")
    object <- seurat_object(30)
    fit <- function(object) {
        control <- pnmf_control(max_outer = 2, tol = 0, memory = 9000, verbose = FALSE)
        suppressMessages(RunPNMF(object, rank = 2, n.scales = 2, control = control, features = paste0("gene", 1:40)))
    }
    whole <- PNMFPath(fit(object))
    data <- SeuratObject::LayerData(object[["RNA"]], "data")
    layers <- list(local_disk_matrix(data, 40 * 30))
    if (nzchar(system.file(package = "HDF5Array"))) {
        layers <- c(layers, list(HDF5Array::writeHDF5Array(as.matrix(data), tempfile(fileext = ".h5"), name = "data")))
    }
    for (layer in layers) {
        object[["RNA"]]@layers$data <- layer
        path <- PNMFPath(fit(object))
        expect_gt(path@convergence$disk$readings, 4)
        expect_equal(embedding(path), embedding(whole), tolerance = 1e-9)
    }
})
