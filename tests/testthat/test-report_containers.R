skip_without_report_packages()

test_that("a Seurat object gives its path, a column of labels and the data of its genes", {
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    parts <- seurat_report_parts(object, "truth", NULL, "pnmf", "data")
    expect_identical(parts$path, PNMFPath(object))
    expect_identical(parts$labels, list(truth = true_groups(120)))
    expect_identical(rownames(parts$data), parts$path@feature_names)
    some <- seurat_report_parts(object[, 40:1], "truth", "gene3", "pnmf", "data")
    expect_identical(colnames(some$data), some$path@cell_names)
    expect_identical(some$labels$truth, unname(object$truth[some$path@cell_names]))
    page <- page_of(object, labels = "truth", factors = 1:2, suggested = NA)
    expect_match(paste(readLines(page), collapse = "\n"), "\"names\":[\"group1\",\"group2\",\"group3\"]", fixed = TRUE)
})

test_that("a SingleCellExperiment gives its path, a column of labels and the data of its genes", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    parts <- sce_report_parts(sce, "truth", c("gene9", "gene2"), "PNMF", "logcounts")
    expect_identical(parts$path, PNMFPath(sce))
    expect_identical(parts$labels, list(truth = sce$truth))
    expect_equal(as.matrix(parts$data), as.matrix(SummarizedExperiment::assay(sce, "logcounts")[c("gene9", "gene2"), ]))
    page <- page_of(sce, labels = "truth", factors = 1:2, suggested = NA)
    expect_match(paste(readLines(page), collapse = "\n"), "\"names\":[\"group1\",\"group2\",\"group3\"]", fixed = TRUE)
})

test_that("genes have the names of a column of the row data, and can be asked for by them", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    SummarizedExperiment::rowData(sce)$symbol <- paste0("SYM", seq_len(nrow(sce)))
    parts <- sce_report_parts(sce, NULL, "SYM9", NULL, "logcounts", "symbol")
    expect_identical(parts$genes, "gene9")
    view <- do.call(report_view, c(unname(parts["path"]), parts[-1], factors = list(1:2), suggested = NA))
    expect_identical(view$genes$names, "SYM9")
    expect_match(view$top[[1]]$feature, "^SYM")
    expect_equal(view$genes$measured[1, ], unname(as.matrix(SummarizedExperiment::assay(sce, "logcounts"))["gene9", ]))
    expect_error(path_report(sce, tempfile(fileext = ".html"), swap_rownames = "none"), "'swap_rownames' must be",
                 class = "pnmf_error")
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    names <- paste0("SYM", PNMFPath(object)@feature_names)
    page <- page_of(object, swap_rownames = names, factors = 1:2, suggested = NA, k = 2)
    expect_match(paste(readLines(page), collapse = ""), "SYMgene", fixed = TRUE)
})

test_that("without their data there are no genes, unless somebody asked for them", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    SummarizedExperiment::assay(sce, "logcounts") <- NULL
    expect_null(sce_report_parts(sce, NULL, NULL, "PNMF", "logcounts")$data)
    expect_error(sce_report_parts(sce, NULL, "gene2", "PNMF", "logcounts"), "no assay \"logcounts\"",
                 class = "pnmf_error")
})

test_that("unknown columns, genes and reductions are refused with the argument named", {
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    refused <- function(message, ...) {
        expect_error(path_report(object, tempfile(fileext = ".html"), ...), message, class = "pnmf_error")
        expect_error(explore_path(object, ..., viewer = identity), message, class = "pnmf_error")
    }
    refused("'labels' must be one label per cell or a column of the metadata", labels = "nothing")
    refused("'genes' must be names of features of the path or the data, not 'nobody'", genes = "nobody")
    refused("'reduction' must be one of the object's reductions", reduction = "tsne")
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
