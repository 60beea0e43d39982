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
    expect_identical(as_path(object), PNMFPath(object, "pnmf"))
    expect_identical(as_path(object, "other"), PNMFPath(object, "pnmf"))
    suppressWarnings(object[["third"]] <- object[["pnmf"]])
    object[["pnmf"]] <- NULL
    expect_error(as_path(object), "'reduction' must name one of the object's pNMF paths: other, third",
                 class = "pnmf_error")
    expect_error(as_path(object, "pca"), "has no path", class = "pnmf_error")
    expect_error(as_path(object, "nonsense"), "'reduction' must be one of the object's reductions",
                 class = "pnmf_error")
    expect_error(as_path(object, "Third"), "did you mean \"third\"?", fixed = TRUE, class = "pnmf_error")
})

test_that("a SingleCellExperiment gives its path by any name", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    expect_identical(as_path(sce), PNMFPath(sce))
    two <- runPNMF(sce, ncomponents = 2, n_scales = 3, name = "second", control = quick_control())
    expect_identical(as_path(two), PNMFPath(sce))
    expect_error(as_path(two, "secnd"), "'reduction' must .* \\(PNMF, second\\), .*did you mean \"second\"",
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
                 "'truth' must be one label per cell or a column of the metadata", class = "pnmf_error")
    skip_if_not_installed("SingleCellExperiment")
    expect_identical(labels_of(sce_with_path(), "truth"), true_groups(90))
    path <- PNMFPath(object)
    expect_identical(labels_of(path, "truth"), "truth")
})

test_that("clusters of scales come from data frames, DFrames and the columns of an object, in the order of scales", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    expect_identical(clusters_of(sce), persistent_clusters(sce)$clusters)
    labels <- data.frame(scale.1 = rep(1:2, 45), scale.2 = 1L)
    expect_identical(clusters_of(labels), labels)
    expect_equal(clusters_of(S4Vectors::DataFrame(labels)), labels)
    sce$pnmf_scale.10 <- 3L
    sce$pnmf_scale.2 <- 2L
    sce$pnmf_scale.mean <- "not one of them"
    expect_identical(names(clusters_of(sce)), c("pnmf_scale.2", "pnmf_scale.10"))
    found <- persistent_clusters(sce)
    expect_identical(clusters_of(PNMFPath(sce)), found$clusters)
    expect_identical(clusters_of(found), found$clusters)
})

# What every function makes of a path and of the object that holds it; plots are compared by what they draw.
object_calls <- list(
    embedding = function(p) embedding(p, 2), loading = function(p) loading(p, 2), active = function(p) embedding(p),
    thresholds = function(p) thresholds(p), n_scales = function(p) n_scales(p), n_factors = function(p) n_factors(p),
    objective = function(p) objective(p), converged = function(p) converged(p),
    active_scale = function(p) active_scale(p),
    subset = function(p) subset_cells(p, 1:20), fitted = function(p) fitted(p, t = 2),
    loadings = function(p) factor_markers(p, n = 3, by = "loading"), factor_tracks = function(p) factor_tracks(p),
    path_clusters = function(p) path_clusters(p, 3, n_start = 2),
    suggest_scale = function(p) suggest_scale(p), increments = function(p) increments(p),
    increment_correlations = function(p) increment_correlations(p),
    spectra = function(p) laplacian_spectrum(p, k = 3),
    plot_path = function(p) plot_path(p, factors = 1:2)$data,
    plot_loadings = function(p) plot_loadings(p)$data, plot_heatmap = function(p) plot_factor_heatmap(p)$data,
    increments = function(p) increments(p)
)

test_that("every function of a path gives the same for the object that holds it", {
    skip_if_not_installed("Seurat")
    skip_if_not_installed("SingleCellExperiment")
    for (object in list(at_scale(seurat_with_path(), 3), at_scale(sce_with_path(), 3))) {
        path <- PNMFPath(object)
        expect_identical(active_scale(path), 3L)
        for (call in names(object_calls)) {
            expect_equal(object_calls[[!!call]](object), object_calls[[!!call]](path))
        }
        bare <- if (is(object, "Seurat")) seurat_object() else sce_object()
        for (call in names(object_calls)) {
            expect_error(object_calls[[!!call]](bare), "object has no pNMF path: run .unPNMF\\(\\) first",
                         class = "pnmf_error")
        }
    }
})

test_that("functions that need data or labels find them in the object", {
    skip_if_not_installed("Seurat")
    skip_if_not_installed("SingleCellExperiment")
    for (object in list(seurat_with_path(), sce_with_path())) {
        path <- PNMFPath(object)
        truth <- true_groups(dim(path)[2])
        x <- host_data(object, path, path_name(object))
        expect_identical(dimnames(x), dimnames(path)[1:2])
        expect_identical(score_path(object, "truth", n_start = 2), score_path(path, truth, n_start = 2))
        expect_equal(deviance(object), deviance(path, x))
        expect_equal(residuals(object, t = 2), residuals(path, x, t = 2))
        expect_equal(increment_bounds(object)$constants, increment_bounds(path, x)$constants)
        expect_identical(plot_path(object, labels = "truth", factors = 1:2)$data,
                         plot_path(path, labels = truth, factors = 1:2)$data)
        expect_identical(plot_factor_heatmap(object, labels = "truth")$data,
                         plot_factor_heatmap(path, labels = truth)$data)
        expect_error(score_path(object, "nonsense"), "'truth' must be one label per cell or a column",
                     class = "pnmf_error")
        expect_error(score_path(object, "truht"), "did you mean \"truth\"?", fixed = TRUE, class = "pnmf_error")
    }
})

test_that("cluster trees are read from the columns of an object", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- FindPNMFClusters(sce_with_path(), k = 3, n_start = 2)
    clusters <- path_clusters(PNMFPath(sce), k = 3, n_start = 2)
    expect_equal(cluster_tree(sce)$edges, cluster_tree(clusters)$edges)
    expect_equal(summary(cluster_tree(sce)), summary(cluster_tree(clusters)))
    expect_equal(cluster_tree(SummarizedExperiment::colData(sce)[names(clusters_of(sce))])$edges,
                 cluster_tree(clusters)$edges)
    expect_s3_class(plot_cluster_tree(sce, labels = "truth"), "ggplot")
    expect_s3_class(cluster_tree(sce_with_path()), "cluster_tree")
})

test_that("ranks are compared on the data that a fit of the object would use", {
    skip_if_not_installed("Seurat")
    skip_if_not_installed("SingleCellExperiment")
    settings <- list(ranks = 2:3, scales = 1, n_repeats = 1, control = quick_control())
    suggested <- function(x) do.call(suggest_rank, c(list(x), settings))$evidence
    object <- seurat_with_path()
    x <- host_data(object, PNMFPath(object), "pnmf")
    expect_equal(suggested(object), suggested(x))
    expect_equal(suggested(seurat_object()), suggested(x))
    sce <- sce_with_path()
    expect_equal(suggested(sce), suggested(host_data(sce, PNMFPath(sce), "PNMF")))
})

test_that("effective cells and clusters do not depend on the threads they are given", {
    x <- normalize_counts(simulate_cells(n_cells = 240, seed = 1)$counts)
    path <- suppressMessages(pnmf(x, rank = 3, scales = 4, control = quick_control()))
    expect_identical(effective_cells(path, lambda_graph = 2, threads = 1),
                     effective_cells(path, lambda_graph = 2, threads = 2))
    asked <- integer(0)
    found <- group_mixing_cpp
    set_namespace_value("group_mixing_cpp", function(...) {
        asked <<- c(asked, ...elt(...length()))
        found(...)
    })
    one <- persistent_clusters(path, threads = 1)
    expect_identical(persistent_clusters(path, threads = 2), one)
    expect_identical(unique(asked), 1:2)
})

test_that("numbers of clusters are labels, measurements are not", {
    expect_identical(levels(cell_labels(c(3, 1, 3), 3L)), c("1", "3"))
    expect_error(shown_labels(c(NA, 0.25, 1), 3L), "'labels' must be groups of cells, not measurements such as 0.25",
                 class = "pnmf_error")
    expect_error(cell_labels(1:300 * 10, 300L), "'labels' must be groups of cells, not 300 different numbers",
                 class = "pnmf_error")
})

test_that("labels with the names of the cells are matched by them, others go by position", {
    cells <- c("a", "b", "c")
    expect_identical(labels_by_name(c(b = "2", a = "1", d = "4", c = "3"), cells), c("1", "2", "3"))
    expect_identical(labels_by_name(factor(c(c = "y", b = "x", a = "x")), cells), factor(c("x", "x", "y")))
    repeated <- stats::setNames(1:3, c("a", "b", "b"))
    expect_identical(labels_by_name(repeated, c("b.1", "a", "b")), c(3L, 1L, 2L))
    for (labels in list(1:3, c(x = 1, y = 2, z = 3), NULL, list(a = 1, b = 2, c = 3))) {
        expect_identical(labels_by_name(labels, cells), labels)
    }
    expect_error(labels_by_name(c(b = 1, a = 2, d = 3), cells, "truth"),
                 "'truth' must name every cell .* no label for 1 of 3; the first is 'c'", class = "pnmf_error")
    path <- PNMFPath(sce_with_path())
    truth <- stats::setNames(true_groups(90), path@cell_names)
    expect_identical(score_path(path, rev(truth), n_start = 2), score_path(path, unname(truth), n_start = 2))
    expect_identical(transfer_labels(path, fitted(path), labels = rev(truth)),
                     transfer_labels(path, fitted(path), labels = unname(truth)))
})

test_that("counts are not taken for the data of a path silently", {
    object <- sce_with_path()
    counts <- round(100 * as.matrix(SummarizedExperiment::assay(object, "logcounts")))
    expect_warning(factor_markers(PNMFPath(object), x = counts), "'x' holds whole numbers only",
                   class = "pnmf_raw_counts")
    expect_silent(factor_markers(PNMFPath(object), x = counts / 100))
})

test_that("without row data, features have their own names and a column of them is refused", {
    skip_if_not_installed("SeuratObject")
    object <- seurat_with_path()
    path <- PNMFPath(object)
    object@assays$RNA <- NULL
    expect_identical(displayed_names(object, path), path@feature_names)
    expect_error(displayed_names(object, path, "symbol"), "the object's row data \\(there are none\\)",
                 class = "pnmf_error")
})

test_that("a column of symbols is named if the features are Ensembl identifiers", {
    object <- sce_with_path()
    path <- PNMFPath(object)
    path@feature_names <- sprintf("ENSG%011d", seq_along(path@feature_names))
    table <- data.frame(ID = path@feature_names, Symbol = "CD4")
    expect_message(inform_of_symbols(path@feature_names, table), "swap_rownames = \"Symbol\" shows names",
                   class = "pnmf_message")
    expect_silent(inform_of_symbols(path@feature_names, table["ID"]))
    expect_silent(inform_of_symbols(rownames(object), table))
    S4Vectors::metadata(object)$PNMF <- path
    SummarizedExperiment::rowData(object)$gene_name <- "CD4"
    expect_message(displayed_names(object, PNMFPath(object)), "swap_rownames = \"gene_name\"", class = "pnmf_message")
    expect_silent(displayed_names(object, PNMFPath(object), "gene_name", plain = TRUE))
    expect_silent(displayed_names(path, path))
})
