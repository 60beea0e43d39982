test_that("names that repeat anywhere in an assay lead to the rows that were fitted", {
    skip_if_not_installed("SingleCellExperiment")
    cells <- simulate_cells(120, 200, seed = 1)
    make <- function(names) {
        x <- normalize_counts(cells$counts)
        rownames(x) <- names
        SingleCellExperiment::SingleCellExperiment(list(logcounts = x))
    }
    names <- paste0("g", 1:200)
    plain <- suppressMessages(runPNMF(make(names), ncomponents = 4, ntop = 120))
    chosen <- match(PNMFPath(plain)@feature_names, names)
    outside <- setdiff(1:200, chosen)[1]
    markers <- factor_markers(plain, n = 5)
    for (copied in list(c(outside, chosen[1]), chosen[1:2])) {
        copied <- sort(copied)
        repeated <- replace(names, copied[2], names[copied[1]])
        expect_message(object <- runPNMF(make(repeated), ncomponents = 4, ntop = 120), "repeats an earlier one")
        expect_equal(factor_markers(object, n = 5)$score, markers$score)
        expect_equal(unname(predict(object, object)), unname(predict(plain, plain)))
    }
    raw <- SingleCellExperiment::SingleCellExperiment(list(counts = matrix(1, 2, 2)))
    expect_error(predict(plain, raw),
                 "no assay \"logcounts\" \\(it has counts\\): run .*logcounts\\(newdata\\) <- normalize_counts[^ ]*$",
                 class = "pnmf_error")
    expect_error(factor_markers(plain[1:10, ]), "the object lacks .* of the path's 120 features", class = "pnmf_error")
})

test_that("the tree of an object names its branches", {
    skip_if_not_installed("SingleCellExperiment")
    cells <- simulate_cells(120, 100, seed = 1)
    object <- SingleCellExperiment::SingleCellExperiment(list(logcounts = normalize_counts(cells$counts)))
    object <- FindPNMFClusters(suppressMessages(runPNMF(object, ncomponents = 4)))
    shown <- function(plot) with(plot$layers[[3]]$data, gsub("\n", " ", text[face == "italic"]))
    genes <- branch_names(object, persistent_clusters(object), 3)
    expect_gt(nrow(genes), 1)
    expect_true(all(shown(plot_cluster_tree(object)) %in% genes$label))
    expect_gt(length(shown(plot_cluster_tree(object))), 1)
    expect_length(shown(plot_cluster_tree(object, genes = 0)), 0)
    other <- FindPNMFClusters(object, k = 3)
    expect_length(shown(plot_cluster_tree(other)), 0)
})

test_that("arguments that a method does not have are errors", {
    x <- normalize_counts(simulate_cells(120, 100, seed = 1)$counts)
    path <- suppressMessages(pnmf(x, rank = 3, scales = 3))
    expect_error(predict(path, x, scale = 2), "unknown argument 'scale'", class = "pnmf_error")
    expect_error(write_programs(path, tempfile(fileext = ".gmt"), what = "usage", x = x), "must end in .csv or .tsv",
                 class = "pnmf_error")
})
