skip_if_not_installed("Seurat")

expect_path_of <- function(object, original, cells) {
    path <- PNMFPath(object)
    expect_identical(path@cell_names, colnames(object))
    for (t in seq_len(n_scales(path))) {
        expect_identical(unname(embedding(path, t)), unname(embedding(original, t)[cells, , drop = FALSE]))
    }
    expect_identical(loading(path, 2), loading(original, 2))
}

test_that("the path follows subset(), in the object's order", {
    object <- seurat_with_path()
    original <- PNMFPath(object)
    expect_identical(dim(original), c(40L, 120L, 5L))
    part <- subset(object, cells = colnames(object)[c(50, 3, 77, 21)])
    expect_path_of(part, original, colnames(part))
    expect_path_of(subset(part, cells = colnames(part)[2:3]), original, colnames(part)[2:3])
    fewer <- suppressWarnings(subset(object, features = SeuratObject::VariableFeatures(object)[1:10]))
    expect_path_of(fewer, original, colnames(object))
})

test_that("the path follows RenameCells(), also after subset() and at another scale", {
    object <- seurat_with_path()
    original <- PNMFPath(object)
    renamed <- SeuratObject::RenameCells(object, add.cell.id = "batch")
    expect_path_of(renamed, original, colnames(object))
    part <- subset(at_scale(object, 4), cells = colnames(object)[c(4, 90, 17)])
    both <- SeuratObject::RenameCells(part, new.names = c("x", "y", "z"))
    expect_path_of(both, original, colnames(part))
    again <- SeuratObject::RenameCells(at_scale(renamed, 2), add.cell.id = "again")
    expect_path_of(again, original, colnames(object))
})

test_that("the path survives DietSeurat() and saveRDS()", {
    object <- seurat_with_path()
    diet <- Seurat::DietSeurat(object, dimreducs = "pnmf")
    expect_identical(PNMFPath(diet), PNMFPath(object))
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    saveRDS(object, file)
    expect_identical(PNMFPath(readRDS(file)), PNMFPath(object))
})

merged <- function(x, y, ...) {
    # Seurat 4 takes names of reductions, Seurat 5 only whether to merge them
    merge.dr <- if (is_seurat5()) TRUE else "pnmf"
    suppressWarnings(suppressMessages(merge(x, y, merge.dr = merge.dr, ...)))
}

test_that("merge() keeps the embeddings but no path, the error says so, and a path can be put back", {
    object <- seurat_with_path()
    path <- PNMFPath(object)
    halves <- list(subset(object, cells = colnames(object)[1:50]), subset(object, cells = colnames(object)[51:120]))
    whole <- merged(halves[[1]], halves[[2]])
    expect_identical(SeuratObject::Embeddings(whole, "pnmf"), SeuratObject::Embeddings(object, "pnmf"))
    expect_error(PNMFPath(whole), "lost its path.*merge\\(\\).*PNMFPath\\(object\\) <- path", class = "pnmf_error")
    PNMFPath(whole) <- path
    expect_path_of(whole, path, colnames(whole))
    expect_identical(SeuratObject::Key(whole[["pnmf"]]), SeuratObject::Key(object[["pnmf"]]), ignore_attr = TRUE)
    other <- merged(object, object, add.cell.ids = c("a", "b"))
    expect_error(PNMFPath(other) <- path, "lacks 240 of 240; the first is 'a_cell1'", class = "pnmf_error")
})

test_that("an object merged with cells that have no path keeps the path of those that have", {
    skip_if_not(is_seurat5(), "Seurat 4 drops reductions that are not in all objects")
    object <- seurat_with_path()
    other <- suppressWarnings(SeuratObject::CreateSeuratObject(grouped_counts(20, seed = 9)))
    both <- suppressMessages(merge(object, other, add.cell.ids = c("a", "b"), merge.dr = TRUE))
    path <- PNMFPath(both)
    expect_identical(path@cell_names, paste0("a_", colnames(object)))
    both <- suppressWarnings(FindPNMFClusters(both, at = 1, verbose = FALSE))
    expect_identical(is.na(both$pnmf_scale.1), stats::setNames(rep(c(FALSE, TRUE), c(120, 20)), colnames(both)))
})

test_that("a path fitted outside can be put into an object", {
    object <- seurat_object(40)
    data <- SeuratObject::GetAssayData(object)
    path <- pnmf(data[, 40:1], rank = 2, scales = 3, control = quick_control())
    PNMFPath(object, reduction = "outside") <- path
    expect_identical(PNMFPath(object, "outside"), subset_cells(path, colnames(object)))
    expect_identical(SeuratObject::Embeddings(object, "outside")[, 1], embedding(path, 1)[colnames(object), 1])
})

test_that("active_scale() <- changes the active scale and nothing else", {
    object <- seurat_with_path()
    path <- PNMFPath(object)
    changed <- at_scale(object, 3)
    reduction <- changed[["pnmf"]]
    expect_identical(unname(SeuratObject::Embeddings(reduction)), unname(embedding(path, 3)))
    expect_identical(unname(SeuratObject::Loadings(reduction)), unname(loading(path, 3)))
    expect_equal(SeuratObject::Stdev(reduction), unname(factor_weights(path, 3)))
    expect_identical(dimnames(SeuratObject::Embeddings(reduction)),
                     dimnames(SeuratObject::Embeddings(object[["pnmf"]])))
    expect_identical(at_scale(PNMFPath(changed), NULL), path)
    expect_identical(at_scale(changed, NULL)[["pnmf"]], object[["pnmf"]])
})

test_that("PNMFReductions() adds one reduction per chosen scale, without copies of the path", {
    object <- PNMFReductions(seurat_with_path(), at = c(2, 5))
    path <- PNMFPath(object)
    for (t in c(2, 5)) {
        reduction <- object[[paste0("pnmf.", t)]]
        expect_identical(unname(SeuratObject::Embeddings(reduction)), unname(embedding(path, t)))
        expect_identical(colnames(SeuratObject::Embeddings(reduction)), paste0("PNMFt", t, "_", 1:4))
        expect_null(reduction@misc$path)
    }
    expect_setequal(names(object@reductions), c("pca", "pnmf", "pnmf.2", "pnmf.5"))
    values <- SeuratObject::FetchData(object, "PNMFt5_2")
    expect_equal(values[[1]], unname(embedding(path, 5)[, 2]))
    all_scales <- PNMFReductions(seurat_with_path())
    expect_length(grep("^pnmf\\.", names(all_scales@reductions)), 5)
})

test_that("FindPNMFClusters() writes Seurat's clusters of every scale and leaves the rest alone", {
    object <- seurat_with_path()
    set.seed(1)
    before <- .Random.seed
    clustered <- FindPNMFClusters(object, at = c(1, 4), resolution = 0.5, verbose = FALSE)
    expect_identical(.Random.seed, before)
    columns <- setdiff(names(clustered[[]]), names(object[[]]))
    expect_identical(columns, c("pnmf_scale.1", "pnmf_scale.4"))
    expect_identical(SeuratObject::Idents(clustered), SeuratObject::Idents(object))
    by_hand <- Seurat::FindNeighbors(at_scale(object, 4), reduction = "pnmf", dims = 1:4, verbose = FALSE)
    by_hand <- Seurat::FindClusters(by_hand, resolution = 0.5, verbose = FALSE)
    expect_equal(as.character(clustered$pnmf_scale.4), as.character(by_hand$seurat_clusters))
    expect_gt(cluster_scores(object$truth, clustered$pnmf_scale.1)[["ari"]], 0.9)
    fine <- FindPNMFClusters(object, at = 1, resolution = 3, verbose = FALSE)
    expect_gt(nlevels(fine$pnmf_scale.1), nlevels(clustered$pnmf_scale.1))
})

test_that("all scales are clustered by default, and the columns make a cluster tree", {
    object <- FindPNMFClusters(seurat_with_path(), verbose = FALSE)
    columns <- paste0("pnmf_scale.", 1:5)
    expect_true(all(c(columns, "pnmf_clusters") %in% names(object[[]])))
    found <- persistent_clusters(object)
    expect_equal(as.integer(as.character(object$pnmf_clusters)), unname(found$flat))
    for (t in 1:5) expect_equal(as.integer(as.character(object[[]][[columns[t]]])), found$clusters[[t]])
    refitted <- suppressMessages(RunPNMF(object, rank = 3, n.scales = 3, control = quick_control(), verbose = FALSE))
    expect_false("pnmf_clusters" %in% names(refitted[[]]))
    expect_message(RunPNMF(object, rank = 3, n.scales = 3, control = quick_control()),
                   "Idents\\(\\) still holds those of pnmf_clusters")
    expect_s3_class(cluster_tree(object[[]][columns]), "cluster_tree")
})

test_that("a handful of cells, fewer than neighbours asked for, are clustered", {
    object <- subset(seurat_with_path(), cells = paste0("cell", 1:10))
    object <- FindPNMFClusters(object, at = 1, verbose = FALSE)
    expect_false(anyNA(object$pnmf_scale.1))
})

test_that("bad arguments are named", {
    object <- seurat_with_path()
    expect_error(PNMFPath(object, "tsne"), "'reduction' must be one of the object's reductions \\(pca, pnmf\\)",
                 class = "pnmf_error")
    expect_error(PNMFPath(object, "pca"), "has no path", class = "pnmf_error")
    expect_error(PNMFPath(object, layer = "data"), "unknown argument 'layer'", class = "pnmf_error")
    expect_error(PNMFPath(1), "'object' must be a Seurat object or a SingleCellExperiment", class = "pnmf_error")
    expect_error(PNMFPath(object) <- 3, "'value' must be a pNMFPath object", class = "pnmf_error")
    for (t in list(0, 6, 1.5, NA, "1")) {
        expect_error(at_scale(object, t), "'value' must be a whole number between 1 and 5", class = "pnmf_error")
    }
    expect_error(at_scale(1, 1), "must be a Seurat object", class = "pnmf_error")
    expect_error(PNMFReductions(object, 6), "'at' must be whole numbers between 1 and 5, not 6",
                 class = "pnmf_error")
    expect_error(PNMFReductions(object, c(2, 1)), "ascending", class = "pnmf_error")
    expect_error(PNMFReductions(1), "must be a Seurat object", class = "pnmf_error")
    expect_error(FindPNMFClusters(object, at = 0), "'at' must be", class = "pnmf_error")
    expect_error(FindPNMFClusters(object, resolution = -1), "'resolution' must be", class = "pnmf_error")
    expect_error(FindPNMFClusters(object, k.param = 1), "'k.param' must be", class = "pnmf_error")
    expect_error(FindPNMFClusters(object, verbose = 2), "'verbose' must be", class = "pnmf_error")
    expect_error(FindPNMFClusters(1), "must be a Seurat object", class = "pnmf_error")
})

test_that("a new fit removes what the earlier one left, and says so", {
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    object$pnmf_scale.1 <- 1L
    object$pnmf_scale.5 <- 2L
    object$pnmf_scale.mean <- 0
    object <- PNMFReductions(object, at = 2)
    fit <- function(...) RunPNMF(object, rank = 2, n.scales = 3, control = quick_control(), ...)
    expect_message(again <- fit(),
                   "removed the results of the earlier path \"pnmf\": pnmf_scale.1 pnmf_scale.5 pnmf.2",
                   class = "pnmf_message")
    expect_false(any(c("pnmf_scale.1", "pnmf_scale.5") %in% colnames(again@meta.data)))
    expect_true(all(c("pnmf_scale.mean", "truth") %in% colnames(again@meta.data)))
    expect_setequal(names(again@reductions), c("pca", "pnmf"))
    expect_silent(other <- fit(reduction.name = "second", reduction.key = "S_", verbose = FALSE))
    expect_true("pnmf_scale.5" %in% colnames(other@meta.data))
})

test_that("the active scale travels with the object, and a subset says that it is one", {
    skip_if_not_installed("Seurat")
    object <- at_scale(seurat_with_path(), 4)
    file <- tempfile(fileext = ".rds")
    saveRDS(object, file)
    for (held in list(object, readRDS(file), subset(object, cells = colnames(object)[5:40]),
                      SeuratObject::RenameCells(object, add.cell.id = "a"))) {
        expect_identical(active_scale(held), 4L)
        expect_output(print(PNMFPath(held)), "active scale: 4 ")
        expect_identical(unname(embedding(held)), unname(SeuratObject::Embeddings(held, "pnmf")))
    }
    expect_output(print(PNMFPath(subset(object, cells = colnames(object)[5:40]))),
                  "36 cells \\(a subset of the 120 fitted\\).*objective of the whole fit")
    marks <- ggplot2::ggplot_build(plot(PNMFPath(object), suggested = NA))$data[[4]]
    expect_identical(marks$xintercept[2], 4)
    other <- SeuratObject::RenameCells(object, add.cell.id = "b")
    expect_error(as_path(merge(object, other, add.cell.ids = c("x", "y"))), "object has no pNMF path",
                 class = "pnmf_error")
})

test_that("cells, keys, assays, layers and reductions are refused with those there are", {
    path <- synthetic_path(list(matrix(1, 3, 2)))
    expect_identical(assert_cells_known(c("cell3", "cell1"), path), c("cell3", "cell1"))
    expect_refused(assert_cells_known(c("cell1", "b", "c"), path), "it lacks 2 of 3; the first is 'b'")
    expect_identical(assert_reduction_key("PNMF2_"), "PNMF2_")
    for (bad in c("PNMF", "P_N_", "_")) {
        expect_refused(assert_reduction_key(bad), "'reduction.key' must be letters and digits")
    }
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    expect_identical(assert_assay(object, NULL), "RNA")
    expect_identical(assert_assay(object, "RNA"), "RNA")
    expect_refused(assert_assay(object, "ADT"), "'assay' must be one of the object's assays \\(RNA\\), not \"ADT\"")
    expect_identical(assert_reduction(object, "pnmf"), "pnmf")
    expect_refused(assert_reduction(object, "umap", "space"), "'space' must be one of .* \\(pca, pnmf\\), not \"umap\"")
    object@reductions <- list()
    expect_refused(assert_reduction(object, "pnmf"), "there are none")
    expect_identical(assert_layer(object[["RNA"]], "RNA", "data"), "data")
    expect_refused(assert_layer(object[["RNA"]], "RNA", "scale.data"), "'layer' must not be \"scale.data\"")
    expect_refused(assert_layer(object[["RNA"]], "RNA", "logs"), "assay 'RNA' has no 'logs' layer \\(it has .*data")
})

test_that("clusters of another call replace the columns, and the lost ones are named", {
    skip_if_not_installed("Seurat")
    object <- FindPNMFClusters(seurat_with_path())
    expect_message(again <- FindPNMFClusters(object, resolution = 0.2, at = c(1, 5), verbose = FALSE),
                   paste("removed the clusters of an earlier call: pnmf_scale.2 pnmf_scale.3 pnmf_scale.4",
                         "pnmf_clusters; Idents"),
                   class = "pnmf_message")
    columns <- grep("^pnmf_", colnames(again@meta.data), value = TRUE)
    expect_setequal(columns, c("pnmf_scale.1", "pnmf_scale.5"))
    expect_identical(unique(cluster_tree(again)$nodes$scale), c(1L, 5L))
})

test_that("the recommended clusters are the identities, and Seurat's functions use them", {
    skip_if_not_installed("Seurat")
    before <- seurat_with_path()
    object <- FindPNMFClusters(before)
    expect_identical(as.character(SeuratObject::Idents(object)), as.character(object$pnmf_clusters))
    expect_identical(levels(SeuratObject::Idents(object)), levels(object$pnmf_clusters))
    expect_gt(nlevels(SeuratObject::Idents(object)), 1L)
    markers <- suppressWarnings(Seurat::FindAllMarkers(object, verbose = FALSE))
    expect_true(all(levels(object$pnmf_clusters) %in% markers$cluster))
    expect_silent(other <- FindPNMFClusters(before, resolution = 0.5, at = 1, verbose = FALSE))
    expect_identical(SeuratObject::Idents(other), SeuratObject::Idents(before))
})

test_that("the only path is found under any name", {
    skip_if_not_installed("Seurat")
    object <- RunPNMF(seurat_object(60), rank = 3, n.scales = 3, reduction.name = "mine", control = quick_control(),
                      verbose = FALSE)
    object <- FindPNMFClusters(object)
    expect_true(all(c("mine_scale.3", "mine_clusters") %in% colnames(object@meta.data)))
})

test_that("cells without a value have no cluster, of whatever kind, and Seurat copes", {
    skip_if_not_installed("Seurat")
    object <- seurat_object(90)
    empty <- c(5L, 17L)
    data <- SeuratObject::GetAssayData(object)
    data[, empty] <- 0
    object <- SeuratObject::SetAssayData(object, "data", data)
    object[["pca"]] <- NULL
    expect_message(object <- RunPNMF(object, rank = 3, n.scales = 3, control = quick_control()),
                   "2 cells have no positive value \\(cell5 cell17\\)", class = "pnmf_message")
    object <- FindPNMFClusters(object)
    expect_identical(which(is.na(object$pnmf_clusters)), empty, ignore_attr = TRUE)
    expect_identical(which(is.na(object$pnmf_scale.2)), empty, ignore_attr = TRUE)
    expect_identical(sum(cluster_tree(object)$nodes$size[cluster_tree(object)$nodes$scale == 1]), 88L)
    expect_gt(nrow(suppressWarnings(Seurat::FindAllMarkers(object, verbose = FALSE))), 0L)
    other <- suppressMessages(FindPNMFClusters(object, resolution = 0.5, at = 1:2, verbose = FALSE))
    expect_identical(which(is.na(other$pnmf_scale.1)), empty, ignore_attr = TRUE)
})
