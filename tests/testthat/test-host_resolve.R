test_that("a path is returned as it is, and is not looked for by name", {
    path <- synthetic_path(list(grouped_embedding(), grouped_embedding(seed = 2)))
    expect_identical(as_path(path), path)
    expect_error(as_path(path, "pnmf"), "'reduction' must be NULL for a pNMFPath", class = "pnmf_error")
})

test_that("what holds no path is told how to get one", {
    expect_error(as_path(1:3), "'path' must be a pNMFPath object.*not an integer vector", class = "pnmf_error")
    expect_error(as_path(NULL, arg = "object"), "'object' must be a pNMFPath object", class = "pnmf_error")
    skip_if_not_installed("Seurat")
    expect_error(as_path(seurat_object()), "object has no pNMF path: run RunPNMF() first", fixed = TRUE,
                 class = "pnmf_error")
    skip_if_not_installed("SingleCellExperiment")
    expect_error(as_path(sce_object()), "object has no pNMF path: run runPNMF() first", fixed = TRUE,
                 class = "pnmf_error")
})

test_that("the only path of an object needs no name, one of several does", {
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    expect_identical(as_path(object), PNMFPath(object))
    expect_identical(as_path(object[["pnmf"]]), PNMFPath(object))
    suppressWarnings(object[["other"]] <- object[["pnmf"]]) # Seurat changes the key, and says so
    expect_error(as_path(object), "'reduction' must name one of the object's pNMF paths: pnmf, other",
                 class = "pnmf_error")
    expect_identical(as_path(object, "other"), PNMFPath(object))
    expect_error(as_path(object, "pca"), "holds no path", class = "pnmf_error")
    expect_error(as_path(object, "nonsense"), "'reduction' must be one of the object's reductions",
                 class = "pnmf_error")
})

test_that("a SingleCellExperiment gives its path by any name", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    expect_identical(as_path(sce), PNMFPath(sce))
    two <- runPNMF(sce, ncomponents = 2, n_scales = 3, name = "second", control = quick_control())
    expect_error(as_path(two), "'reduction' must name one of the object's pNMF paths: PNMF, second",
                 class = "pnmf_error")
    expect_identical(n_factors(as_path(two, "second")), 2L)
})

test_that("labels may be a column of the metadata", {
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    expect_identical(labels_of(object, "truth"), unname(object$truth))
    expect_identical(labels_of(object, "truth", cells = colnames(object)[c(3, 1)]), unname(object$truth)[c(3, 1)])
    expect_identical(labels_of(object, "ident"), unname(SeuratObject::Idents(object)))
    expect_identical(labels_of(object, NULL), NULL)
    expect_identical(labels_of(object, rep("a", 120)), rep("a", 120))
    expect_error(labels_of(object, "nonsense", "truth"),
                 "'truth' must be one label per cell or a column of the object's metadata", class = "pnmf_error")
    skip_if_not_installed("SingleCellExperiment")
    expect_identical(labels_of(sce_with_path(), "truth"), true_groups(90))
    path <- PNMFPath(object)
    expect_identical(labels_of(path, "truth"), "truth")
})

test_that("clusters of scales come from data frames, DFrames and the columns of an object, in the order of scales", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    expect_error(clusters_of(sce), "run FindPNMFClusters() first", fixed = TRUE, class = "pnmf_error")
    labels <- data.frame(scale.1 = rep(1:2, 45), scale.2 = 1L)
    expect_identical(clusters_of(labels), labels)
    expect_equal(clusters_of(S4Vectors::DataFrame(labels)), labels)
    sce$pnmf_scale.10 <- 3L
    sce$pnmf_scale.2 <- 2L
    sce$pnmf_scale.mean <- "not one of them"
    expect_identical(names(clusters_of(sce)), c("pnmf_scale.2", "pnmf_scale.10"))
    expect_error(clusters_of(PNMFPath(sce)), "path_clusters() on it first", fixed = TRUE, class = "pnmf_error")
})
