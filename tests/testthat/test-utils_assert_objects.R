refused <- function(expr, message) expect_error(expr, message, class = "pnmf_error")

test_that("labels are a data frame or matrix of cells x scales without missing values", {
    labels <- data.frame(fine = c(1, 1, 2), coarse = "a")
    expect_identical(assert_clusters(labels, "clusters", 2L), labels)
    expect_identical(assert_clusters(as.matrix(labels), "clusters"), as.data.frame(as.matrix(labels)))
    refused(assert_clusters(1:3, "clusters"), "'clusters' must be a data frame of labels, .* not an integer vector")
    refused(assert_clusters(labels["fine"], "clusters", 2L), "at least 2 scales and one cell, not 1 and 3")
    refused(assert_clusters(labels[0, ], "clusters"), "at least 1 scale and one cell, not 2 and 0")
    labels$coarse[2] <- NA
    refused(assert_clusters(labels, "clusters"), "'clusters\\$coarse'")
})

test_that("a checkpoint of another run is refused with the difference", {
    expected <- c(x = "a", solver = "hals", rank = "2")
    expect_null(assert_same_labels(list(labels = expected), expected))
    expect_null(assert_same_labels(list(labels = rev(expected)), expected))
    refused(assert_same_labels(list(labels = replace(expected, "x", "b")), expected),
            "same 'x', but it was written for another one")
    refused(assert_same_labels(list(labels = replace(expected, "solver", "mu")), expected),
            "same 'solver', but it was written with .*mu.*, not .*hals")
    refused(assert_same_labels(list(labels = expected[-3]), expected), "same 'rank', but it was written for another")
    expect_null(assert_state_size(c(3L, 2L, 10L, 5L), c(3, 2, 10, 5)))
    refused(assert_state_size(c(3L, 2L, 10L, 6L), c(3, 2, 10, 5)),
            "checkpoint of 3 x 2 x 10 x 5 .* not of 3 x 2 x 10 x 6")
})

test_that("scales of a path are chosen by number, negative number or logical", {
    expect_identical(assert_scale_indices(c(1, 3), 3L), c(1L, 3L))
    expect_identical(assert_scale_indices(-1, 3L), 2:3)
    expect_identical(assert_scale_indices(c(TRUE, FALSE, TRUE), 3L), c(1L, 3L))
    for (bad in list(0, 4, -4, c(-1, 2), c(TRUE, NA, TRUE), TRUE, NA, Inf, numeric())) {
        refused(assert_scale_indices(bad, 3L), "'-?i' must be")
    }
    for (bad in list(c(2, 1), c(2, 2))) refused(assert_scale_indices(bad, 3L), "each scale once, in ascending order")
    expect_null(assert_only_scale(1))
    for (bad in list(2, NA, c(1, 1), "1", NULL)) refused(assert_only_scale(bad), "'t' must be 1, not")
})

test_that("results of a parameter analysis have all columns, as finite numbers", {
    results <- as.data.frame(as.list(stats::setNames(1:8 / 8, c(penalty_names, radar_scores))))
    expect_identical(assert_parameter_results(results), results)
    refused(assert_parameter_results(results[0, ]), "'results' must be a data frame")
    refused(assert_parameter_results(as.list(results)), "'results' must be a data frame")
    refused(assert_parameter_results(results[-(4:5)]), "it lacks ari, nmi")
    refused(assert_parameter_results(utils::modifyList(results, list(nmi = "high"))),
            "'results\\$nmi' must be finite numbers, not \"high\"")
    refused(assert_parameter_results(utils::modifyList(results, list(ari = NaN, nmi = Inf))),
            "'results\\$ari' must be finite numbers, not NaN")
})

test_that("scales have a number of edges per threshold, graphs, and positive weights or none", {
    scales <- persistence_scales(small_data(1))
    changed <- function(...) utils::modifyList(scales, list(...))
    expect_identical(assert_scales(scales, "scales"), scales)
    refused(assert_scales(unclass(scales), "scales"), "'scales' must be")
    refused(assert_scales(changed(threshold = numeric(), n_edges = numeric()), "scales"), "a number of edges")
    refused(assert_scales(changed(threshold = letters[1:10]), "scales"), "a number of edges")
    refused(assert_scales(changed(n_edges = 1:9), "scales"), "a number of edges")
    expect_null(assert_scales_to_compare(2L, "path"))
    refused(assert_scales_to_compare(1L, "path"), "at least two scales to compare, not 1")
    expect_null(assert_graphs(scales, "path"))
    expect_null(assert_graphs(list(space = 1), "path"))
    refused(assert_graphs(changed(edges = NULL), "path"), "must have the graphs of its scales")
    expect_null(assert_scale_weights(scales))
    expect_null(assert_scale_weights(changed(weight = NULL, gap = NULL)))
    expect_null(assert_scale_weights(changed(gap = c(NA, 2:10))))
    for (bad in list(c(1, 0, 1:8), 1:9, c(1:9, Inf), letters[1:10])) {
        refused(assert_scale_weights(changed(weight = bad)), "a positive 'weight' and 'gap' for each of its 10")
        refused(assert_scale_weights(changed(gap = bad)), "a positive 'weight' and 'gap'")
    }
})

test_that("a spanning tree names cells of the path, and a fit is finite", {
    expect_null(assert_spanning_tree(data.frame(i = 1:2, j = 2:3), 3L))
    for (bad in list(c(1, 4), c(0, 2), c(1, NA), c("1", "2"))) {
        refused(assert_spanning_tree(data.frame(i = bad, j = 2:3), 3L), "a spanning tree of its 3 cells")
    }
    expect_null(assert_finite_fit(list(objective = 1, H = list(matrix(0)))))
    refused(assert_finite_fit(list(objective = c(1, Inf), H = list(matrix(0)))), "the fit overflowed")
    refused(assert_finite_fit(list(objective = 1, H = list(matrix(0), matrix(NaN)))), "the fit overflowed")
})

test_that("cells, keys, assays, layers and reductions are refused with those there are", {
    path <- synthetic_path(list(matrix(1, 3, 2)))
    expect_identical(assert_cells_known(c("cell3", "cell1"), path), c("cell3", "cell1"))
    refused(assert_cells_known(c("cell1", "b", "c"), path), "it lacks 2 of 3; the first is 'b'")
    expect_identical(assert_reduction_key("PNMF2_"), "PNMF2_")
    for (bad in c("PNMF", "P_N_", "_")) refused(assert_reduction_key(bad), "'reduction.key' must be letters and digits")
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    expect_identical(assert_assay(object, NULL), "RNA")
    expect_identical(assert_assay(object, "RNA"), "RNA")
    refused(assert_assay(object, "ADT"), "'assay' must be one of the object's assays \\(RNA\\), not \"ADT\"")
    expect_identical(assert_reduction(object, "pnmf"), "pnmf")
    refused(assert_reduction(object, "umap", "space"), "'space' must be one of .* \\(pca, pnmf\\), not \"umap\"")
    object@reductions <- list()
    refused(assert_reduction(object, "pnmf"), "there are none")
    expect_identical(assert_layer(object[["RNA"]], "RNA", "data"), "data")
    refused(assert_layer(object[["RNA"]], "RNA", "scale.data"), "'layer' must not be \"scale.data\"")
    refused(assert_layer(object[["RNA"]], "RNA", "logs"), "assay 'RNA' has no 'logs' layer \\(it has .*data")
})
