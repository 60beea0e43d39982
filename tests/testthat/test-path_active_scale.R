test_that("without effective cells the active scale is the finest until another is chosen, and functions use it", {
    path <- synthetic_path(lapply(1:4, function(s) grouped_embedding(seed = s)))
    expect_identical(active_scale(path), 1L)
    expect_identical(embedding(path), embedding(path, 1))
    path <- at_scale(path, 3)
    expect_identical(active_scale(path), 3L)
    expect_identical(embedding(path), embedding(path, 3))
    expect_identical(embedding(path, 1), embedding(at_scale(path, 1)))
    expect_identical(factor_markers(path, by = "loading")$t[1], 3L)
    expect_output(print(path), "active scale: 3 \\(threshold 3, 2 components\\)")
    expect_error(at_scale(path, 5), "'value' must be a whole number between 1 and 4", class = "pnmf_error")
})

test_that("a subset of scales keeps the active one where it has it", {
    path <- at_scale(synthetic_path(lapply(1:4, function(s) grouped_embedding(seed = s))), 3)
    expect_identical(active_scale(path[2:4]), 2L)
    expect_identical(embedding(path[2:4]), embedding(path))
    expect_identical(active_scale(path[1:2]), 1L)
})

# Effective cells 100, 45, 14, 6: the third is nearest to 12.
spread_path <- function() {
    path <- synthetic_path(lapply(1:4, function(s) grouped_embedding(seed = s)))
    path@scales$effective_cells <- c(100, 45, 14, 6)
    path
}

test_that("until one is set, the active scale is the recommended one, and all functions of one scale use it", {
    path <- spread_path()
    expect_identical(active_scale(path), 3L)
    expect_identical(embedding(path), embedding(path, 3))
    expect_identical(loading(path), loading(path, 3))
    expect_identical(fitted(path), fitted(path, t = 3))
    expect_identical(factor_markers(path, by = "loading"), factor_markers(path, t = 3, by = "loading"))
    expect_identical(plot_loadings(path)$data, plot_loadings(path, t = 3)$data)
    expect_identical(plot_factor_heatmap(path)$data, plot_factor_heatmap(path, t = 3)$data)
    expect_identical(suppressMessages(embedding(path[2:4])), embedding(path, 3))
    expect_output(print(path), "active scale: 3 (threshold 3, 14 effective cells)", fixed = TRUE)
})

test_that("the finest scale counts as set, and NULL is the recommended one again", {
    path <- at_scale(spread_path(), 1)
    expect_identical(active_scale(path), 1L)
    expect_identical(factor_markers(path, by = "loading")$t[1], 1L)
    expect_identical(active_scale(path[1:3]), 1L)
    expect_identical(active_scale(path[2:4]), 2L)
    expect_identical(at_scale(path, NULL), spread_path())
    expect_identical(embedding(path), embedding(path, t = 1))
})

test_that("programs, projections and labels of new cells use the active scale, too", {
    cells <- simulate_cells(n_cells = 90, seed = 1)
    x <- normalize_counts(cells$counts)
    path <- pnmf(x, rank = 3, scales = 4, control = quick_control())
    for (path in list(path, at_scale(path, 1))) {
        t <- active_scale(path)
        expect_identical(factor_markers(path, n = 2, x = x)$t[1], t)
        expect_identical(predict(path, x[, 1:9]), predict(path, x[, 1:9], t = t))
        labels <- as.character(cells$type)
        expect_identical(transfer_labels(path, x[, 1:9], labels), transfer_labels(path, x[, 1:9], labels, t = t))
    }
    expect_identical(active_scale(path), 1L)
})

test_that("containers hold the recommended scale until another is set, the finest included", {
    skip_if_not_installed("SingleCellExperiment")
    skip_if_not_installed("Seurat")
    sce <- runPNMF(sce_object(n_features = 120), ncomponents = 3, n_scales = 4, control = quick_control())
    seurat <- RunPNMF(seurat_object(n_features = 120), rank = 3, n.scales = 4, verbose = FALSE, space = "pca",
                      control = quick_control())
    for (object in list(sce, seurat)) {
        path <- PNMFPath(object)
        recommended <- which.min(abs(log(effective_cells(path) / 12)))
        expect_gt(recommended, 1)
        expect_identical(active_scale(object), recommended)
        expect_null(path@parameters$active_scale)
        held <- if (is(object, "Seurat")) {
            SeuratObject::Embeddings(object, "pnmf")
        } else {
            SingleCellExperiment::reducedDim(object, "PNMF")
        }
        expect_equal(unname(as.matrix(held)), unname(embedding(path, recommended)), ignore_attr = TRUE)
        finest <- at_scale(object, 1)
        expect_identical(active_scale(finest), 1L)
        expect_identical(active_scale(PNMFPath(finest[, 1:40])), 1L)
        expect_identical(PNMFPath(at_scale(finest, NULL)), path)
    }
})
