skip_without_report_packages()

test_that("a Seurat object gives its path, a column of labels and the data of its genes", {
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    parts <- seurat_report_parts(object, "truth", "pnmf", "data")
    expect_identical(parts$path, PNMFPath(object))
    expect_identical(parts$labels, list(truth = true_groups(120)))
    expect_true(all(parts$path@feature_names %in% rownames(parts$x)))
    some <- seurat_report_parts(object[, 40:1], "truth", "pnmf", "data")
    expect_identical(colnames(some$x), some$path@cell_names)
    expect_identical(some$labels$truth, unname(object$truth[some$path@cell_names]))
    page <- page_of(object, labels = "truth", factors = 1:2, suggested = NA)
    expect_match(page_data(page), "\"names\":[\"group1\",\"group2\",\"group3\"]", fixed = TRUE)
})

test_that("a SingleCellExperiment gives its path, a column of labels and the data of its genes", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    parts <- sce_report_parts(sce, "truth", "PNMF", "logcounts")
    expect_identical(parts$path, PNMFPath(sce))
    expect_identical(parts$labels, list(truth = sce$truth))
    expect_identical(parts$x, SummarizedExperiment::assay(sce, "logcounts"))
    page <- page_of(sce, labels = "truth", factors = 1:2, suggested = NA)
    expect_match(page_data(page), "\"names\":[\"group1\",\"group2\",\"group3\"]", fixed = TRUE)
})

test_that("genes have the names of a column of the row data", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    SummarizedExperiment::rowData(sce)$symbol <- paste0("SYM", seq_len(nrow(sce)))
    parts <- sce_report_parts(sce, NULL, NULL, "logcounts", "symbol")
    view <- do.call(report_view, c(parts, list(factors = 1:2, suggested = NA)))
    expect_true(all(paste0("SYM", match(parts$path@feature_names, rownames(sce))) %in% view$genes$names))
    expect_match(unlist(view$programs[[1]]$top), "^SYM")
    expect_error(path_report(sce, tempfile(fileext = ".html"), swap_rownames = "none"), "'swap_rownames' must be",
                 class = "pnmf_error")
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    names <- paste0("SYM", PNMFPath(object)@feature_names)
    page <- page_of(object, swap_rownames = names, factors = 1:2, suggested = NA)
    expect_match(page_data(page), "SYMgene", fixed = TRUE)
})

test_that("without their data genes have fitted values", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    SummarizedExperiment::assay(sce, "logcounts") <- NULL
    expect_message(parts <- sce_report_parts(sce, NULL, "PNMF", "logcounts"),
                   "genes show fitted values: .* has no assay \"logcounts\"", class = "pnmf_message")
    expect_null(parts$x)
})

test_that("unknown columns, arguments and reductions are refused with the argument named", {
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    refused <- function(message, ...) {
        expect_error(path_report(object, tempfile(fileext = ".html"), ...), message, class = "pnmf_error")
        expect_error(explore_path(object, ..., viewer = identity), message, class = "pnmf_error")
    }
    refused("'labels' must be one label per cell or a column of the metadata", labels = "nothing")
    refused("unknown argument 'genes'", genes = "nobody")
    refused("'reduction' must be one of the object's reductions", reduction = "tsne")
    refused("has no 'nonsense' layer", layer = "nonsense")
})

test_that("explore_path() of a container reads it as path_report() does before it asks for a session", {
    skip_if_not_installed("shiny")
    skip_if(interactive(), "in an interactive session the gadget would open")
    skip_if_not_installed("Seurat")
    expect_error(explore_path(seurat_with_path(), "truth"), "needs an interactive session", class = "pnmf_error")
    expect_error(explore_path(seurat_with_path(), "none"), "'labels'", class = "pnmf_error")
    skip_if_not_installed("SingleCellExperiment")
    expect_error(explore_path(sce_with_path(), "truth"), "needs an interactive session", class = "pnmf_error")
    expect_error(explore_path(sce_with_path(), "none"), "'labels'", class = "pnmf_error")
})
