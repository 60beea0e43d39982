test_that("labels are one column, or several with their names", {
    expect_identical(label_columns(NULL, 4), list())
    expect_identical(label_columns(c("b", "a", "b", "a"), 4), list(label = factor(c("b", "a", "b", "a"))))
    columns <- label_columns(data.frame(type = c("x", "y", "x", "y"), donor = c(10, 9, 10, 9)), 4)
    expect_identical(columns, list(type = factor(c("x", "y", "x", "y")), donor = factor(c(10, 9, 10, 9))))
    skip_if_not_installed("S4Vectors")
    table <- S4Vectors::DataFrame(type = c("x", "y", "x", "y"), donor = c(10, 9, 10, 9))
    expect_identical(label_columns(table, 4), columns)
})

test_that("cells without a label are a group of their own", {
    expect_identical(label_columns(c("b", NA, "a", NA), 4)$label,
                     factor(c("b", "no label", "a", "no label"), levels = c("a", "b", "no label")))
    expect_identical(levels(label_columns(list(n = c(10, 9, NA)), 3)$n), c("9", "10", "no label"))
    taken <- factor(c("no label", NA), levels = c("unused", "no label"))
    expect_identical(as.character(label_columns(taken, 2)$label), c("no label", "no label.1"))
})

test_that("clusters of the object are offered unless they repeat a labelling, are one group, or have gaps", {
    given <- label_columns(list(type = c("x", "x", "y", "y")), 4)
    own <- list(identity = c(1, 1, 2, 2), one = rep("a", 4), gaps = c("a", NA, "b", "b"), type = c("p", "q", "q", "q"))
    columns <- own_columns(own, given, 4)
    expect_identical(names(columns), c("type", "type 1"))
    expect_identical(as.character(columns[["type 1"]]), own$type)
    expect_identical(names(own_columns(own, list(), 4)), c("identity", "type"))
})

test_that("a Seurat object offers its identities and clusters, and takes several columns", {
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    expect_identical(host_clusterings(object)$identity, unname(SeuratObject::Idents(object)))
    object$seurat_clusters <- factor(rep(0:3, 30))
    object$donor <- rep(c("d1", "d2"), 60)
    own <- host_clusterings(object, rev(colnames(object)))
    expect_identical(own$seurat_clusters, factor(rep(3:0, 30)))
    labels <- host_labels(object, c("truth", "donor"))
    expect_identical(labels, list(truth = unname(object$truth), donor = unname(object$donor)))
    expect_error(host_labels(object, c("truth", "nobody")), "'labels' must be one label per cell or a column",
                 class = "pnmf_error")
    view <- report_view(PNMFPath(object), labels, suggested = NA, factors = 1:2, .host = list(own = own))
    expect_identical(names(view$labels), c("truth", "donor", "seurat_clusters"))
    expect_identical(view$reference, factor(unname(object$truth)))
    expect_null(report_view(PNMFPath(object), suggested = NA, factors = 1:2, .host = list(own = own))$reference)
})

test_that("a SingleCellExperiment offers its colLabels()", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    expect_identical(host_clusterings(sce), list())
    SingleCellExperiment::colLabels(sce) <- factor(rep(1:3, 30))
    expect_identical(host_clusterings(sce), list(colLabels = factor(rep(1:3, 30))))
    sce$donor <- rep(c("d1", "d2"), 45)
    expect_identical(host_labels(sce, c("donor", "truth")), list(donor = sce$donor, truth = sce$truth))
    expect_identical(host_labels(sce, sce$truth), sce$truth)
})

test_that("rows and labels with the names of the cells are matched by them", {
    type <- c(b = "y", c = "z", a = "x")
    expected <- list(label = factor(c("x", "y", "z")))
    expect_identical(label_columns(type, 3, c("a", "b", "c")), expected)
    expect_identical(label_columns(list(label = type), 3, c("a", "b", "c")), expected)
    expect_identical(label_columns(data.frame(label = unname(type), row.names = names(type)), 3, c("a", "b", "c")),
                     expected)
    expect_identical(label_columns(data.frame(label = unname(type)), 3, c("a", "b", "c")),
                     list(label = factor(c("y", "z", "x"))))
})
