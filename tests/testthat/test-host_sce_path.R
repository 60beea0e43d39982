skip_if_not_installed("SingleCellExperiment")

expect_path_of <- function(object, original, cells) {
    path <- PNMFPath(object)
    for (t in seq_len(n_scales(path))) {
        expect_identical(unname(embedding(path, t)), unname(embedding(original, t)[cells, , drop = FALSE]))
    }
    if (!is.null(colnames(object))) expect_identical(path@cell_names, colnames(object))
    expect_identical(loading(path, 2), loading(original, 2))
}

test_that("the path follows subsetting, of cells in any order and of features", {
    sce <- sce_with_path()
    original <- PNMFPath(sce)
    expect_identical(dim(original), c(60L, 90L, 5L))
    cells <- c(50, 3, 77, 21)
    expect_path_of(sce[, cells], original, cells)
    expect_path_of(sce[1:5, cells][, 2:3], original, cells[2:3])
    expect_path_of(at_scale(sce, 4)[, cells], original, cells)
})

test_that("the path follows cbind() of parts of one object, and is kept once", {
    sce <- sce_with_path()
    original <- PNMFPath(sce)
    joined <- BiocGenerics::cbind(sce[, 60:31], sce[, 1:10])
    expect_path_of(joined, original, c(60:31, 1:10))
    expect_s3_class(SingleCellExperiment::reducedDim(joined, "PNMF"), "reduced.dim.matrix")
    expect_identical(names(S4Vectors::metadata(at_scale(joined, 2))), "PNMF")
})

test_that("cells of two different fits have no common path", {
    sce <- sce_with_path()
    other <- runPNMF(sce_object(30, seed = 8), ncomponents = 4, n_scales = 5, control = quick_control())
    colnames(other) <- paste0("other", 1:30)
    both <- suppressWarnings(BiocGenerics::cbind(sce, other))
    expect_error(PNMFPath(both), "are not in the stored path", class = "pnmf_error")
})

test_that("the path follows new names of cells, and objects without any", {
    sce <- sce_with_path()
    original <- PNMFPath(sce)
    renamed <- sce[, 5:60]
    colnames(renamed) <- paste0("new", 5:60)
    expect_path_of(renamed, original, 5:60)
    nameless <- sce_object()
    colnames(nameless) <- NULL
    nameless <- runPNMF(nameless, ncomponents = 4, n_scales = 5, control = quick_control())
    expect_path_of(nameless[, c(70, 1, 2)], PNMFPath(nameless), c(70, 1, 2))
    expect_identical(PNMFPath(nameless)@H, original@H)
})

test_that("the path survives saveRDS()", {
    sce <- sce_with_path()
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    saveRDS(sce, file)
    expect_identical(PNMFPath(readRDS(file)), PNMFPath(sce))
})

test_that("active_scale() <- changes the active scale and nothing else", {
    sce <- sce_with_path()
    path <- PNMFPath(sce)
    changed <- at_scale(sce, 3)
    embedding <- SingleCellExperiment::reducedDim(changed, "PNMF")
    expect_identical(unname(unclass(embedding)[, ]), unname(embedding(path, 3)))
    expect_identical(attr(embedding, "basis"), loading(path, 3))
    expect_identical(attr(embedding, "scale"), 3L)
    expect_identical(at_scale(PNMFPath(changed), NULL), path)
    expect_equal(at_scale(changed, NULL), sce)
})

test_that("PNMFReductions() adds one reduced dimension per chosen scale", {
    sce <- PNMFReductions(sce_with_path(), at = c(2, 5))
    path <- PNMFPath(sce)
    expect_identical(SingleCellExperiment::reducedDimNames(sce), c("PNMF", "PNMF.2", "PNMF.5"))
    last <- SingleCellExperiment::reducedDim(sce, "PNMF.5")
    expect_identical(unname(unclass(last)[, ]), unname(embedding(path, 5)))
    expect_identical(attr(last, "scale"), 5L)
    expect_length(S4Vectors::metadata(sce), 1)
})

test_that("clusters of every scale go into colData, as path_clusters() finds them", {
    sce <- sce_with_path()
    path <- PNMFPath(sce)
    clustered <- FindPNMFClusters(sce, k = 3, n_start = 5)
    columns <- paste0("pnmf_scale.", 1:5)
    expect_identical(names(SummarizedExperiment::colData(clustered)), c("truth", columns))
    expected <- path_clusters(path, 3, n_start = 5)
    for (t in 1:5) expect_identical(as.integer(clustered[[columns[t]]]), expected[[t]])
    expect_s3_class(clustered$pnmf_scale.2, "factor")
    expect_gt(cluster_scores(sce$truth, clustered$pnmf_scale.1)[["ari"]], 0.9)
    few <- FindPNMFClusters(sce[, 1:30], at = c(2, 4), k = 2, n_start = 5)
    expect_identical(names(SummarizedExperiment::colData(few)), c("truth", columns[c(2, 4)]))
    skip_if_not_installed("bluster")
    by_graph <- FindPNMFClusters(sce, at = 1, resolution = 0.5)
    expect_identical(as.integer(by_graph$pnmf_scale.1),
                     path_clusters(path, method = "graph", at = 1, resolution = 0.5)$scale.1)
})

test_that("a path fitted outside can be put into an object", {
    sce <- sce_object(30)
    x <- SummarizedExperiment::assay(sce, "logcounts")
    path <- pnmf(x[, 30:1], rank = 2, scales = 3, control = quick_control())
    PNMFPath(sce, name = "MINE") <- path
    expect_identical(PNMFPath(sce, "MINE"), subset_cells(path, colnames(sce)))
    nameless <- sce
    colnames(nameless) <- NULL
    PNMFPath(nameless) <- path
    expect_identical(PNMFPath(nameless)@H, path@H)
    expect_error(PNMFPath(nameless[, 1:4]) <- path, "'value' must have the object's 4 cells, not 30",
                 class = "pnmf_error")
    strangers <- sce
    colnames(strangers)[7] <- "nobody"
    expect_error(PNMFPath(strangers) <- path, "lacks 1 of 30; the first is 'nobody'", class = "pnmf_error")
})

test_that("bad arguments are named", {
    sce <- sce_with_path()
    expect_error(PNMFPath(sce, "PCA"), "'name' must be one of the object's reduced dimensions \\(PNMF\\), not \"PCA\"",
                 class = "pnmf_error")
    for (call in expression(PNMFPath(sce, reduction = "PCA"), active_scale(sce, reduction = "PCA") <- 1,
                            PNMFReductions(sce, reduction = "PCA"), FindPNMFClusters(sce, reduction = "PCA"),
                            PNMFPath(sce, reduction = 1:2) <- PNMFPath(sce))) {
        expect_error(eval(call), "'reduction' must be", class = "pnmf_error")
    }
    lost <- sce
    S4Vectors::metadata(lost) <- list()
    expect_error(PNMFPath(lost), "lost the path named \"PNMF\"", class = "pnmf_error")
    expect_error(PNMFPath(sce) <- 1, "'value' must be a pNMFPath", class = "pnmf_error")
    for (t in list(0, 6, "a")) {
        expect_error(at_scale(sce, t), "'value' must be a whole number between 1 and 5", class = "pnmf_error")
    }
    expect_error(PNMFReductions(sce, 9), "'at' must be", class = "pnmf_error")
    expect_error(FindPNMFClusters(sce, at = 9, k = 2), "'at' must be", class = "pnmf_error")
    expect_error(FindPNMFClusters(sce, k = 0), "'k' must be", class = "pnmf_error")
})

test_that("a new fit removes what the earlier one left, and says so", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    sce$pnmf_scale.1 <- 1L
    sce$pnmf_scale.5 <- 2L
    sce <- PNMFReductions(sce, at = 2)
    expect_message(again <- runPNMF(sce, ncomponents = 2, n_scales = 3, control = quick_control()),
                   "removed the results of the earlier path \"PNMF\": pnmf_scale.1 pnmf_scale.5 PNMF.2",
                   class = "pnmf_message")
    expect_identical(names(SummarizedExperiment::colData(again)), "truth")
    expect_identical(SingleCellExperiment::reducedDimNames(again), "PNMF")
})

test_that("the active scale travels with the object, and a subset says that it is one", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- at_scale(sce_with_path(), 4)
    file <- tempfile(fileext = ".rds")
    saveRDS(sce, file)
    renamed <- sce
    colnames(renamed) <- paste0("new", seq_len(ncol(sce)))
    for (held in list(sce, readRDS(file), sce[, 5:40], renamed, BiocGenerics::cbind(sce[, 1:9], sce[, 20:30]))) {
        expect_identical(active_scale(held), 4L)
        expect_output(print(PNMFPath(held)), "active scale: 4 ")
        expect_equal(unname(embedding(held)), unname(as.matrix(SingleCellExperiment::reducedDim(held, "PNMF"))),
                     ignore_attr = TRUE)
    }
    expect_output(print(PNMFPath(sce[, 5:40])), "36 cells \\(a subset of the 90 fitted\\)")
})

test_that("clusters of another call replace the columns", {
    sce <- FindPNMFClusters(sce_with_path())
    expect_message(again <- FindPNMFClusters(sce, at = c(2, 4), k = 3, n_start = 2),
                   paste0("removed the clusters of an earlier call: pnmf_scale.1 pnmf_scale.3 pnmf_scale.5 ",
                          "pnmf_clusters, and colLabels\\(\\), which held them"))
    expect_null(SingleCellExperiment::colLabels(again, onAbsence = "none"))
    expect_setequal(grep("^pnmf_", names(SummarizedExperiment::colData(again)), value = TRUE),
                    c("pnmf_scale.2", "pnmf_scale.4"))
    SingleCellExperiment::colLabels(sce) <- rep("mine", ncol(sce))
    said <- capture_messages(FindPNMFClusters(sce, at = 2, k = 3, n_start = 2))
    expect_match(said, "removed the clusters", all = FALSE)
    expect_no_match(said, "colLabels")
})

test_that("the recommended clusters are colLabels(), unless it has other labels", {
    sce <- FindPNMFClusters(sce_with_path())
    expect_identical(SingleCellExperiment::colLabels(sce), sce$pnmf_clusters)
    # Labels of an earlier call are not those of somebody else, even after another fit.
    expect_message(again <- runPNMF(sce, ncomponents = 2, n_scales = 3),
                   "pnmf_clusters.*, and colLabels\\(\\), which held them")
    expect_null(SingleCellExperiment::colLabels(again, onAbsence = "none"))
    again <- FindPNMFClusters(again)
    expect_identical(SingleCellExperiment::colLabels(again), again$pnmf_clusters)
    earlier <- sce
    SingleCellExperiment::colLabels(earlier) <- earlier$pnmf_clusters <- factor(rep(1:2, 45))
    expect_identical(SingleCellExperiment::colLabels(FindPNMFClusters(earlier)), sce$pnmf_clusters)
    own <- sce_with_path()
    SingleCellExperiment::colLabels(own) <- own$truth
    expect_message(kept <- FindPNMFClusters(own), "colLabels\\(\\) has other labels and was not changed")
    expect_identical(SingleCellExperiment::colLabels(kept), own$truth)
    skip_if_not_installed("scran")
    expect_length(scran::findMarkers(sce), nlevels(sce$pnmf_clusters))
})

test_that("the only path is found under any name", {
    sce <- runPNMF(sce_object(60), ncomponents = 3, n_scales = 3, name = "MINE", control = quick_control())
    expect_true("mine_clusters" %in% names(SummarizedExperiment::colData(FindPNMFClusters(sce))))
})

test_that("cells of the same name and cells without a value are kept apart", {
    sce <- sce_object(60)
    colnames(sce)[2:3] <- "cell1"
    SummarizedExperiment::assay(sce, "logcounts")[, 9] <- 0
    said <- capture_messages(fitted <- runPNMF(sce, ncomponents = 3, n_scales = 3, control = quick_control()))
    expect_match(said, "2 cell names repeat an earlier one", all = FALSE)
    expect_match(said, "1 cell has no positive value \\(cell9\\)", all = FALSE)
    found <- FindPNMFClusters(fitted)
    expect_identical(which(is.na(found$pnmf_clusters)), 9L)
    expect_identical(which(is.na(SingleCellExperiment::colLabels(found))), 9L)
    expect_identical(sum(cluster_tree(found)$nodes$size[cluster_tree(found)$nodes$scale == 2]), 59L)
    expect_identical(PNMFPath(fitted[, 3:1])@H[[1]], PNMFPath(fitted)@H[[1]][, 3:1])
})

test_that("'reduction' names the path in every function, as for Seurat objects", {
    sce <- sce_with_path()
    PNMFPath(sce, reduction = "second") <- PNMFPath(sce)[1:2]
    expect_identical(n_scales(PNMFPath(sce, reduction = "second")), 2L)
    active_scale(sce, reduction = "second") <- 1
    expect_identical(active_scale(sce, reduction = "second"), 1L)
    added <- PNMFReductions(sce, at = 2, reduction = "second")
    expect_true("second.2" %in% SingleCellExperiment::reducedDimNames(added))
    found <- FindPNMFClusters(sce, reduction = "second", k = 2, n_start = 2)
    expect_identical(grep("^second_scale", names(SummarizedExperiment::colData(found)), value = TRUE),
                     paste0("second_scale.", 1:2))
})
