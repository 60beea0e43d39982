refused <- function(call, message) expect_error(call, message, fixed = TRUE, class = "pnmf_error")

test_that("unknown arguments of pnmf() are answered by what was meant and where it belongs", {
    x <- simulate_circles(seed = 1)
    for (word in c("k", "npcs", "ncomponents")) {
        refused(do.call(pnmf, stats::setNames(list(x, 3), c("x", word))), paste0("'", word, "': did you mean 'rank'?"))
    }
    refused(pnmf(x, lambda_grahp = 1), "unknown argument 'lambda_grahp': did you mean 'lambda_graph'?")
    refused(pnmf(x, n_scales = 5), "did you mean 'scales'?")
    refused(pnmf(x, lambda = 1), "unknown argument 'lambda': did you mean 'lambda_graph'?")
    refused(pnmf(x, co = 3), "unknown argument 'co'")
    refused(pnmf(x, select = "uniform"),
            "'select': it belongs to persistence_scales(), pass scales = persistence_scales(x, select = )")
    refused(pnmf(x, metrik = "cosine"), "'metrik': did you mean 'metric'?")
    refused(pnmf(x, 2, NULL, 1, 1, 1, 1, "hals", pnmf_control(), NULL, NULL, 3), "unknown argument (unnamed)")
    refused(pnmf(x, max_outer = 3), "it belongs to pnmf_control(), pass control = pnmf_control(max_outer = )")
    refused(pnmf(x, maxit = 3), "'max_outer' belongs to pnmf_control(), pass control = pnmf_control(max_outer = )")
    refused(pnmf(x, dims = 1:10), "'dims': did you mean 'space'?")
    refused(pnmf(x, qwertyuiop = 3), "settings of the fit belong to 'control', see pnmf_control()")
})

test_that("the hosts answer in their own words", {
    skip_if_not_installed("Seurat")
    skip_if_not_installed("SingleCellExperiment")
    object <- seurat_object()
    refused(RunPNMF(object, npcs = 5), "'npcs': did you mean 'rank'?")
    refused(RunPNMF(object, slot = "data"), "'slot': did you mean 'layer'?")
    refused(RunPNMF(object, n_scales = 3), "'n_scales': did you mean 'n.scales'?")
    refused(RunPNMF(object, name = "pnmf2"), "'name': did you mean 'reduction.name'?")
    refused(RunPNMF(object, select = "uniform"), "it belongs to persistence_scales()")
    refused(RunPNMF(object[["RNA"]], features = rownames(object), k = 3), "'k': did you mean 'rank'?")
    sce <- sce_object()
    refused(runPNMF(sce, rank = 5), "'rank': did you mean 'ncomponents'?")
    refused(runPNMF(sce, k = 5), "'k': did you mean 'ncomponents'?")
    refused(runPNMF(sce, reduction.name = "PNMF2"), "'reduction.name': did you mean 'name'?")
    refused(runPNMF(sce, slot = "logcounts"), "'slot': did you mean 'assay.type'?")
    expect_no_error(runPNMF(sce, ncomponents = 2, n_scales = 2, lambda_graph = 2, control = quick_control()))
})

test_that("other functions name what they know", {
    path <- synthetic_path(list(grouped_embedding(), grouped_embedding(seed = 2)))
    refused(plot(path, labels = 1:3), "'labels' belongs to plot_path()")
    refused(path_report(path, "a.html", unknown = 1),
            "known arguments are path, labels, x, clusters, at, factors, suggested, max_cells, title, seed")
    refused(suggest_scale(path, q = 2), "unknown argument 'q': known arguments are")
    refused(embedding(path, scale = 2), "unknown argument 'scale': did you mean 't'?")
    refused(loading(path, scale = 2), "unknown argument 'scale': did you mean 't'?")
    refused(factor_tracks(path, scale = 2), "unknown argument 'scale': did you mean 'at'?")
    for (shown in list(fitted, residuals, factor_markers, transfer_labels, write_programs, plot_factor_heatmap)) {
        refused(shown(path, scale = 2), "unknown argument 'scale': did you mean 't'?")
    }
    refused(pnmf_control(maxit = 2), "unknown argument 'maxit': did you mean 'max_outer'?")
    refused(FindPNMFClusters(sce_with_path(), foo = 1),
            "'foo': known arguments are at, name, k, method, normalize, n_start, seed, n_neighbors, resolution")
    refused(FindPNMFClusters(sce_with_path(), dimred = "PNMF"), "did you mean 'reduction'?")
    for (word in c("name", "dimred", "reduction.name")) {
        refused(do.call(factor_markers, stats::setNames(list(path, "PNMF"), c("path", word))),
                "did you mean 'reduction'?")
    }
    refused(plot_path(path, group.by = "type"), "did you mean 'labels'?")
    refused(path_report(path, "a.html", X = 1), "did you mean 'x'?")
    refused(`active_scale<-`(path, scale = 2, value = 1), "unknown argument 'scale': known arguments are object, value")
})

test_that("numbers without a name are not guessed at", {
    expect_error(FindPNMFClusters(sce_with_path(), 5), "unknown argument \\(unnamed\\): name it; .* at, k",
                 class = "pnmf_error")
    skip_if_not_installed("SeuratObject")
    expect_error(FindPNMFClusters(seurat_with_path(), 5), "unknown argument \\(unnamed\\): name it; .* at, resolution",
                 class = "pnmf_error")
})
