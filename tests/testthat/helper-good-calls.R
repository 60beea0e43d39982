# One or more quick, valid calls of every exported function, evaluated in call_fixtures(): for sweeps over all of them.
good_calls <- function() {
    c(good_fit_calls(), good_result_calls(), good_plot_calls(), good_host_calls())
}

good_fit_calls <- function() {
    list(
        pnmf = quote(pnmf(x, rank = 2, scales = 4, control = pnmf_control(max_outer = 3, tol = 0))),
        pnmf = quote(pnmf(sparse, rank = 2, scales = 4, control = pnmf_control(max_outer = 3, tol = 0, start = "random",
                                                                               threads = 2))),
        pnmf = quote(pnmf(x, 2, 3, solver = "mu", control = pnmf_control(max_outer = 2, tol = 0, verbose = TRUE))),
        pnmf = quote(pnmf(x, 2, 3, solver = "authors", control = pnmf_control(max_outer = 2))),
        pnmf_control = quote(pnmf_control(seed = 5)),
        persistence_scales = quote(persistence_scales(x, select = "random", seed = 4)),
        persistence_scales = quote(persistence_scales(x, select = "minimal")),
        persistence_scales = quote(persistence_scales(x, graph = "knn", n_neighbors = 3)),
        persistence_scales = quote(persistence_scales(sparse, metric = "local", threads = 2)),
        scale_graph = quote(scale_graph(scales, 3)), laplacian = quote(laplacian(scale_graph(scales, 3))),
        laplacian_spectrum = quote(laplacian_spectrum(scales, 3, 4)),
        laplacian_spectrum = quote(laplacian_spectrum(scales, k = 4)),
        eigenvalue_paths = quote(eigenvalue_paths(scales, 4)), laplacian_lipschitz = quote(laplacian_lipschitz(scales)),
        nndsvda = quote(nndsvda(x, 3)), fit_nmf = quote(fit_nmf(x, 2)), fit_gnmf = quote(fit_gnmf(x, 2, 4)),
        fit_tnmf = quote(fit_tnmf(x, 2, 4)), fit_ktnmf = quote(fit_ktnmf(x, 2, c(1, 1), solver = "hals")),
        suggest_rank = quote(suggest_rank(x, 2:3, n_repeats = 1, seed = 3, control = pnmf_control(max_outer = 2))),
        parameter_analysis = quote(parameter_analysis(x, group, lambdas = 1, rank = 2, scales = 3, n_start = 2,
                                                      control = pnmf_control(max_outer = 2, tol = 0))),
        normalize_counts = quote(normalize_counts(x)), read_geo_counts = quote(read_geo_counts(table_file)),
        simulate_circles = quote(simulate_circles(seed = 3)), simulate_circles = quote(simulate_circles()),
        simulate_cells = quote(simulate_cells(n_cells = 12, n_genes = 30, seed = 2))
    )
}

good_result_calls <- function() {
    list(
        embedding = quote(embedding(path, 2)), loading = quote(loading(path, 2)), thresholds = quote(thresholds(path)),
        n_scales = quote(n_scales(path)), n_factors = quote(n_factors(path)), objective = quote(objective(path)),
        converged = quote(converged(path)), "[" = quote(path[2:3]), update_path = quote(update_path(path)),
        subset_cells = quote(subset_cells(path, 3:9)), reconstruction_error = quote(reconstruction_error(path, x)),
        predict = quote(predict(path, x)), predict = quote(predict(fit, x)), fitted = quote(fitted(path)),
        residuals = quote(residuals(path, x)), show = quote(utils::capture.output(methods::show(path))),
        increments = quote(increments(path)), increment_correlations = quote(increment_correlations(path)),
        increment_bounds = quote(increment_bounds(path, x)),
        increment_bounds = quote(increment_bounds(scales)), top_features = quote(top_features(path)),
        cluster_embedding = quote(cluster_embedding(embedding(path), 3, n_start = 3, seed = 2)),
        cluster_scores = quote(cluster_scores(group, rev(group))),
        path_clusters = quote(path_clusters(path, 3, n_start = 2)),
        path_clusters = quote(path_clusters(path, 3, n_start = 2, BPPARAM = BiocParallel::SerialParam())),
        cluster_stability = quote(cluster_stability(clusters)), cluster_tree = quote(cluster_tree(clusters)),
        score_path = quote(score_path(path, group, n_start = 2)), best_scale = quote(best_scale(scores)),
        suggest_scale = quote(suggest_scale(path)), persistent_clusters = quote(persistent_clusters(path)),
        write_reference = quote(write_reference(path, tempfile(fileext = ".json"))),
        read_reference = quote(read_reference(write_reference(path, tempfile(fileext = ".json.gz")))),
        effective_cells = quote(effective_cells(path)),
        "active_scale<-" = quote(`active_scale<-`(path, value = 2)), active_scale = quote(active_scale(path)),
        factor_markers = quote(factor_markers(path, x = x)),
        factor_markers = quote(factor_markers(path, by = "loading")),
        factor_tracks = quote(factor_tracks(path)), program_stability = quote(program_stability(path, x = x)),
        cluster_programs = quote(cluster_programs(path)),
        write_programs = quote(write_programs(path, tempfile(fileext = ".gmt"), x = x)),
        factor_enrichment = quote(factor_enrichment(path, list(some = path@feature_names[1:3]), x = x, size = c(1, 9))),
        transfer_labels = quote(transfer_labels(path, x, group, n_neighbors = 3)),
        plot_overview = quote(plot_overview(path))
    )
}

good_plot_calls <- function() {
    list(
        plot_path = quote(plot_path(path, labels = group, max_cells = 8)), plot_barcode = quote(plot_barcode(scales)),
        plot_objective = quote(plot_objective(path)), plot_increments = quote(plot_increments(path)),
        plot_spectrum = quote(plot_spectrum(scales)), plot_scores = quote(plot_scores(scores)),
        plot_cluster_tree = quote(plot_cluster_tree(clusters)), plot_loadings = quote(plot_loadings(path)),
        plot_factor_heatmap = quote(plot_factor_heatmap(path, max_cells = 8)),
        plot_parameter_radar = quote(plot_parameter_radar(radar)), plot = quote(plot(path)),
        path_report = if (all(vapply(c("plotly", "htmltools", "jsonlite"), requireNamespace, NA, quietly = TRUE))) {
            quote(path_report(path, page, labels = group, max_cells = 8, overwrite = TRUE))
        } else {
            quote(report_view(path, labels = group, max_cells = 8))
        },
        animate_path = if (requireNamespace("gifski", quietly = TRUE)) {
            quote(animate_path(path, gif, at = 1:2, width = 100, height = 100))
        } else {
            quote(path_frames(path, NULL, 1:2, FALSE))
        }
    )
}

# Empty if the hosts are not installed.
good_host_calls <- function() {
    c(
        if (requireNamespace("Seurat", quietly = TRUE)) {
            list(
                RunPNMF = quote(RunPNMF(seurat(), rank = 2, n.scales = 3, verbose = FALSE, reduction.name = "again",
                                        reduction.key = "AGAIN_", control = quick_control())),
                PNMFPath = quote(PNMFPath(seurat())),
                "PNMFPath<-" = quote(`PNMFPath<-`(seurat(), value = PNMFPath(seurat()))),
                SetPNMFScale = quote(SetPNMFScale(seurat(), 2)), PNMFReductions = quote(PNMFReductions(seurat(), 2)),
                FindPNMFClusters = quote(FindPNMFClusters(seurat(), at = 1, verbose = FALSE))
            )
        },
        if (requireNamespace("SingleCellExperiment", quietly = TRUE)) {
            list(
                runPNMF = quote(runPNMF(sce(), ncomponents = 2, n_scales = 3, control = quick_control())),
                PNMFPath = quote(PNMFPath(sce())), "PNMFPath<-" = quote(`PNMFPath<-`(sce(), value = PNMFPath(sce()))),
                SetPNMFScale = quote(SetPNMFScale(sce(), 2)), PNMFReductions = quote(PNMFReductions(sce(), 2)),
                FindPNMFClusters = quote(FindPNMFClusters(sce(), at = 1, k = 3, n_start = 2))
            )
        }
    )
}

# Value of a good call. Plots are drawn, because some of their work only happens then.
value_of <- function(call, fixtures) {
    value <- suppressWarnings(suppressMessages(eval(call, fixtures)))
    if (!inherits(value, "ggplot")) return(value)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    ggplot2::ggplot_gtable(ggplot2::ggplot_build(value))
}
