# More of the table in helper-bad-calls.R: paths, clusters, plots, data and containers.

bad_path_calls <- function() {
    bad_calls(
        embedding = list(
            path = embedding(1), path = embedding(NULL), path = embedding(x), t = embedding(path, 0),
            t = embedding(path, 99), t = embedding(path, "1"), t = embedding(path, 1:2),
            t = embedding(path, NA), t = embedding(fit, 2)
        ),
        loading = list(path = loading("a"), t = loading(path, 99), t = loading(path, 1.5), t = loading(fit, 0)),
        thresholds = list(path = thresholds(1), path = thresholds(NULL)),
        n_scales = list(path = n_scales(1)), n_factors = list(path = n_factors(list())),
        objective = list(path = objective("a")), converged = list(path = converged(x)),
        "[" = list(
            i = path[99], i = path[0], i = path["a"], i = path[c(2, 1)], i = path[c(1, 1)], i = path[NA],
            "-i" = path[-99], i = path[-(1:5)], j = path[1, 2]
        ),
        update_path = list(path = update_path(1), path = update_path(fake("pNMFPath"))),
        subset_cells = list(
            path = subset_cells(1, 1), cells = subset_cells(path, "nobody"), cells = subset_cells(path, 0),
            cells = subset_cells(path, c(1, 1)), cells = subset_cells(path, 1e6), cells = subset_cells(path, NULL),
            cells = subset_cells(path, TRUE), "-cells" = subset_cells(path, -1e6),
            cells = subset_cells(path, character()), cells = subset_cells(path, rep(FALSE, 15)),
            cells = subset_cells(path)
        ),
        reconstruction_error = list(
            path = reconstruction_error(1, x), x = reconstruction_error(path, x[-1, ]),
            x = reconstruction_error(path, "a"), x = reconstruction_error(path, x[, -1]),
            x = deviance(path, x[-1, ]), x = deviance(path, "a"), x = deviance(path)
        ),
        predict = list(
            newdata = predict(path), newdata = predict(path, "a"), newdata = predict(path, x[1:2, ]),
            newdata = predict(path, -x), newdata = predict(path, with_entry(x, NA)), t = predict(path, x, t = 99),
            threads = predict(path, x, threads = 0), newdata = predict(fit, x[-1, ]), newdata = predict(fit, NULL)
        ),
        fitted = list(t = fitted(path, t = 99)),
        residuals = list(x = residuals(path), x = residuals(path, x[-1, ]), t = residuals(path, x, t = 0)),
        increments = list(path = increments(1), path = increments(path[1]), threads = increments(path, threads = NULL)),
        increment_correlations = list(
            path = increment_correlations(1), path = increment_correlations(path[1:2]),
            path = increment_correlations(data.frame(t = 1))
        ),
        increment_bounds = list(
            path = increment_bounds(1), x = increment_bounds(path), x = increment_bounds(path, x[-1, ]),
            threads = increment_bounds(scales, threads = 0), scales = increment_bounds(path[1]@scales)
        ),
        top_features = list(
            path = top_features(1), t = top_features(path, 99), n = top_features(path, n = 0),
            factors = top_features(path, factors = 3), swap_rownames = top_features(path, swap_rownames = "symbol"),
            reduction = top_features(path, reduction = "pnmf")
        ),
        transfer_labels = list(
            path = transfer_labels(1, x, 1:15), newdata = transfer_labels(path, "a", rep(1, 15)),
            labels = transfer_labels(path, x), labels = transfer_labels(path, x, 1:2),
            t = transfer_labels(path, x, rep(1:3, 5), t = 0),
            n_neighbors = transfer_labels(path, x, rep(1:3, 5), n_neighbors = 0)
        ),
        write_reference = list(
            path = write_reference(1, "a"), file = write_reference(path, 1),
            landmarks = write_reference(path, "a", landmarks = 1), labels = write_reference(path, "a", labels = 1),
            overwrite = write_reference(path, "a.json", overwrite = 2)
        ),
        read_reference = list(
            file = read_reference(1), file = read_reference("no/such/file"), file = read_reference(table_file)
        ),
        effective_cells = list(
            path = effective_cells(1), lambda_graph = effective_cells(scales),
            lambda_graph = effective_cells(path, lambda_graph = -1), threads = effective_cells(path, threads = 0)
        ),
        active_scale = list(path = active_scale(1), reduction = active_scale(path, "pnmf")),
        factor_markers = list(
            path = factor_markers(1), x = factor_markers(path), by = factor_markers(path, by = "a"),
            x = factor_markers(path, x = x[-1, ]),
            t = factor_markers(path, 99, x = x), n = factor_markers(path, n = -1, x = x),
            factors = factor_markers(path, factors = 3, x = x),
            swap_rownames = factor_markers(path, x = x, swap_rownames = 1),
            housekeeping = factor_markers(path, x = x, housekeeping = "no")
        ),
        cluster_programs = list(
            path = cluster_programs(1), clusters = cluster_programs(path, 1), n = cluster_programs(path, n = 0),
            swap_rownames = cluster_programs(path, swap_rownames = 1)
        ),
        write_programs = list(
            path = write_programs(1, "a.gmt"), file = write_programs(path),
            file = write_programs(path, "a.txt", x = x),
            file = write_programs(path, file.path(tempdir(), "none", "a.gmt"), x = x),
            x = write_programs(path, tempfile(fileext = ".gmt")),
            what = write_programs(path, tempfile(fileext = ".csv"), what = "H"),
            n = write_programs(path, tempfile(fileext = ".gmt"), n = 0, x = x),
            t = write_programs(path, tempfile(fileext = ".gmt"), t = 99, x = x),
            overwrite = write_programs(path, tempfile(fileext = ".gmt"), overwrite = 2)
        ),
        program_stability = list(
            path = program_stability(1), x = program_stability(path),
            at = program_stability(path, x = x, at = 99),
            replicates = program_stability(path, x = x, replicates = 1),
            seed = program_stability(path, x = x, seed = "a"),
            BPPARAM = program_stability(path, x = x, BPPARAM = "two")
        ),
        factor_tracks = list(
            path = factor_tracks(1), at = factor_tracks(path, 1), alike = factor_tracks(path, alike = 2),
            min_similarity = factor_tracks(path, min_similarity = NA),
            stability = factor_tracks(path, stability = 1)
        ),
        factor_enrichment = list(
            path = factor_enrichment(1, list(a = "a")), sets = factor_enrichment(path, 1),
            sets = factor_enrichment(path, list(a = "nobody"), x = x),
            x = factor_enrichment(path, list(a = rownames(path))),
            t = factor_enrichment(path, list(a = "a"), t = 0),
            method = factor_enrichment(path, list(a = "a"), method = "b"),
            by = factor_enrichment(path, list(a = "a"), by = "c"), n = factor_enrichment(path, list(a = "a"), n = 0),
            background = factor_enrichment(path, list(a = "a"), background = 1),
            size = factor_enrichment(path, list(a = "a"), size = 0)
        )
    )
}

bad_cluster_calls <- function() {
    bad_calls(
        cluster_embedding = list(
            x = cluster_embedding("a", 2), x = cluster_embedding(with_entry(x, NA), 2), x = cluster_embedding(1:3, 2),
            k = cluster_embedding(x), k = cluster_embedding(x, 0), k = cluster_embedding(x, 1e3),
            method = cluster_embedding(x, 2, method = "ward"), normalize = cluster_embedding(x, 2, normalize = 1),
            n_start = cluster_embedding(x, 2, n_start = 0), seed = cluster_embedding(x, 2, seed = NA),
            n_neighbors = cluster_embedding(x, 2, n_neighbors = -1),
            resolution = cluster_embedding(x, 2, resolution = 0)
        ),
        cluster_scores = list(
            truth = cluster_scores(NULL, 1), truth = cluster_scores(c(1, NA), 1:2), truth = cluster_scores(0.5, 1),
            predicted = cluster_scores(1:2, 1), predicted = cluster_scores(1:2, list(1, 2)),
            predicted = cluster_scores(1:4, matrix(1, 2, 2)), truth = cluster_scores(character(), 1)
        ),
        path_clusters = list(
            path = path_clusters(1, 2), k = path_clusters(path), k = path_clusters(path, 1e3),
            at = path_clusters(path, 2, at = 99), at = path_clusters(path, 2, at = 2:1),
            BPPARAM = path_clusters(path, 2, BPPARAM = "a")
        ),
        cluster_stability = list(
            clusters = cluster_stability(1), clusters = cluster_stability(clusters[1]),
            "clusters$b" = cluster_stability(data.frame(a = 1:2, b = c(1, NA)))
        ),
        cluster_tree = list(
            clusters = cluster_tree("a"),
            clusters = cluster_tree(stats::setNames(clusters[1:2], c("scale.1", "scale.1"))),
            clusters = cluster_tree(clusters[0, ])
        ),
        score_path = list(
            path = score_path(1, group), truth = score_path(path, group[-1]), truth = score_path(path, NULL),
            truth = score_path(path),
            truth = score_path(path, rep("a", 15)), k = score_path(path, group, k = 0)
        ),
        best_scale = list(scores = best_scale(1), scores = best_scale(scores[0, ]), scores = best_scale(scores[1:2]),
                          object = summary(scores[0, ])),
        suggest_scale = list(
            path = suggest_scale(1), k = suggest_scale(path, k = 1), k = suggest_scale(path, k = 1e3)
        ),
        persistent_clusters = list(
            x = persistent_clusters(1), min_size = persistent_clusters(path, min_size = 1),
            min_size = persistent_clusters(path, min_size = "a"), support = persistent_clusters(path, support = 2),
            all_splits = persistent_clusters(path, all_splits = NA), seed = persistent_clusters(path, seed = "a"),
            threads = persistent_clusters(path, threads = 0), verbose = persistent_clusters(path, verbose = NA)
        )
    )
}

bad_plot_calls <- function() {
    bad_calls(
        plot_path = list(
            path = plot_path(1), at = plot_path(path, at = 99), labels = plot_path(path, labels = 1:2),
            labels = plot_path(path, labels = rep(NA, length(group))), factors = plot_path(path, factors = 1),
            factors = plot_path(path, factors = c(1, 9)), max_cells = plot_path(path, max_cells = 0),
            seed = plot_path(path, max_cells = 5, seed = "a")
        ),
        plot_barcode = list(scales = plot_barcode(1), scales = plot_barcode(NULL)),
        plot_overview = list(path = plot_overview(1), active = plot_overview(path, 99),
                             suggested = plot_overview(path, suggested = 0)),
        plot_objective = list(path = plot_objective(scales)),
        plot_increments = list(path = plot_increments(1), log = plot_increments(path, log = NA)),
        plot_spectrum = list(
            scales = plot_spectrum("a"), k = plot_spectrum(scales, k = 0), k = plot_spectrum(scales, k = 1, t = 1)
        ),
        plot_scores = list(
            scores = plot_scores(1), metrics = plot_scores(scores, metrics = "f1"),
            metrics = plot_scores(scores, metrics = character()), baselines = plot_scores(scores, baselines = 0.5),
            baselines = plot_scores(scores, baselines = data.frame(method = "a"))
        ),
        plot_cluster_tree = list(
            tree = plot_cluster_tree(1), labels = plot_cluster_tree(clusters, labels = 1),
            at = plot_cluster_tree(clusters, at = 99), max_scales = plot_cluster_tree(clusters, max_scales = 1),
            min_share = plot_cluster_tree(clusters, min_share = 2), genes = plot_cluster_tree(clusters, genes = -1),
            path = plot_cluster_tree(clusters, path = path)
        ),
        plot_loadings = list(
            path = plot_loadings(1), t = plot_loadings(path, t = 99), n = plot_loadings(path, n = 0),
            factors = plot_loadings(path, factors = 0), at = plot_loadings(path, at = 99)
        ),
        plot_factor_heatmap = list(
            path = plot_factor_heatmap(NULL), t = plot_factor_heatmap(path, 0),
            labels = plot_factor_heatmap(path, labels = 1), max_cells = plot_factor_heatmap(path, max_cells = "a"),
            stability = plot_factor_heatmap(path, stability = "a")
        ),
        plot_parameter_radar = list(
            results = plot_parameter_radar(1), results = plot_parameter_radar(data.frame(a = 1)),
            "results$ari" = plot_parameter_radar(transform(radar, ari = NA))
        ),
        path_report = list(
            path = path_report(1, page), path = path_report(NULL), file = path_report(path, 1),
            file = path_report(path),
            file = path_report(path, "a.pdf"), file = path_report(path, "no/such/folder/a.html"),
            file = path_report(path, tempdir()), overwrite = path_report(path, page, overwrite = NA),
            labels = path_report(path, page, labels = 1), x = path_report(path, page, x = "a"),
            at = path_report(path, page, at = 99), factors = path_report(path, page, factors = 9),
            clusters = path_report(path, page, clusters = 1), suggested = path_report(path, page, suggested = 99),
            max_cells = path_report(path, page, max_cells = 0), title = path_report(path, page, title = NULL),
            seed = path_report(path, page, max_cells = 5, seed = "a"), colour = path_report(path, page, colour = 1)
        ),
        explore_path = list(path = explore_path(1), path = explore_path(NULL), path = explore_path(x)),
        animate_path = list(
            path = animate_path(1, "a.gif"), file = animate_path(path, "a.png"), file = animate_path(path, 1),
            file = animate_path(path, "no/such/folder/a.gif"), fps = animate_path(path, gif, fps = 0),
            width = animate_path(path, gif, width = 1), height = animate_path(path, gif, height = NULL),
            reverse = animate_path(path, gif, reverse = 1), at = animate_path(path, gif, at = 99),
            labels = animate_path(path, gif, labels = 1)
        )
    )
}

bad_data_calls <- function() {
    bad_calls(
        normalize_counts = list(
            x = normalize_counts("a"), x = normalize_counts(-x), x = normalize_counts(with_entry(x, NA)),
            x = normalize_counts(x[0, ]), x = normalize_counts(NULL)
        ),
        read_geo_counts = list(
            path = read_geo_counts(1), path = read_geo_counts("no/such/file.csv"), path = read_geo_counts(tempdir()),
            path = read_geo_counts(empty_file), format = read_geo_counts(table_file, format = "xlsx"),
            cells = read_geo_counts(table_file, cells = "both"),
            duplicates = read_geo_counts(table_file, duplicates = "last"),
            max_entries = read_geo_counts(table_file, max_entries = 0),
            max_entries = read_geo_counts(table_file, max_entries = 2),
            labels = read_geo_counts(table_file, labels = 1:100),
            labels = read_geo_counts(table_file, labels = "no/such/file.txt")
        ),
        simulate_circles = list(
            n_circles = simulate_circles(n_circles = 0), n_per_circle = simulate_circles(n_per_circle = "a"),
            n_noise = simulate_circles(n_noise = -1), seed = simulate_circles(seed = 1.5)
        ),
        simulate_cells = list(
            n_cells = simulate_cells(n_cells = 0), n_genes = simulate_cells(n_genes = NULL),
            n_cells = simulate_cells(n_lineages = 1e5, types_per_lineage = 1e5), depth = simulate_cells(depth = 0),
            seed = simulate_cells(seed = "a"), lineage_fold = simulate_cells(lineage_fold = 0.5),
            type_fold = simulate_cells(type_fold = Inf)
        )
    )
}

bad_container_calls <- function() {
    bad_calls(
        PNMFPath = list(object = PNMFPath(1), object = PNMFPath(NULL), object = PNMFPath(path)),
        "PNMFPath<-" = list(object = `PNMFPath<-`(x, value = path)),
        SetPNMFScale = list(object = SetPNMFScale(x, 1), value = SetPNMFScale(path, 99)),
        "active_scale<-" = list(object = `active_scale<-`(x, value = 1), value = `active_scale<-`(path, value = 99)),
        PNMFReductions = list(object = PNMFReductions("a")),
        FindPNMFClusters = list(object = FindPNMFClusters(list())),
        runPNMF = list(x = runPNMF(x), x = runPNMF(NULL), x = runPNMF("a")),
        RunPNMF = list(
            object = RunPNMF("a"), object = RunPNMF(-x), object = RunPNMF(NULL), n.scales = RunPNMF(x, n.scales = 0),
            reduction.key = RunPNMF(x, reduction.key = "a b"), verbose = RunPNMF(x, verbose = NULL),
            seed.use = RunPNMF(x, seed.use = "a"), rank = RunPNMF(x, rank = 0), control = RunPNMF(x, control = 1)
        )
    )
}

# Calls on a Seurat object that contains a path; none if Seurat is not installed.
bad_seurat_calls <- function() {
    if (!requireNamespace("Seurat", quietly = TRUE)) return(list())
    bad_calls(
        RunPNMF = list(
            assay = RunPNMF(seurat(), assay = "ATAC"), features = RunPNMF(seurat(), features = "nobody"),
            layer = RunPNMF(seurat(), layer = "scale.data"), layer = RunPNMF(seurat(), layer = 1),
            distance.dims = RunPNMF(seurat(), distance.dims = 1:2), space = RunPNMF(seurat(), space = "umap"),
            space = RunPNMF(seurat(), space = 1),
            distance.dims = RunPNMF(seurat(), space = "pca", distance.dims = 99),
            reduction.name = RunPNMF(seurat(), reduction.name = 1), rank = RunPNMF(seurat(), rank = 1e3)
        ),
        PNMFPath = list(reduction = PNMFPath(seurat(), reduction = "umap"), reduction = PNMFPath(seurat(), 1)),
        "PNMFPath<-" = list(value = `PNMFPath<-`(seurat(), value = 1), value = `PNMFPath<-`(seurat(), value = path)),
        SetPNMFScale = list(value = SetPNMFScale(seurat(), 99), value = SetPNMFScale(seurat(), "1")),
        PNMFReductions = list(at = PNMFReductions(seurat(), 99), at = PNMFReductions(seurat(), 2:1)),
        FindPNMFClusters = list(
            at = FindPNMFClusters(seurat(), at = 0), resolution = FindPNMFClusters(seurat(), resolution = -1),
            k.param = FindPNMFClusters(seurat(), k.param = 1), verbose = FindPNMFClusters(seurat(), verbose = NA)
        )
    )
}

bad_sce_calls <- function() {
    if (!requireNamespace("SingleCellExperiment", quietly = TRUE)) return(list())
    bad_calls(
        runPNMF = list(
            assay.type = runPNMF(sce(), assay.type = "tpm"), assay.type = runPNMF(sce(), assay.type = 99),
            subset_row = runPNMF(sce(), subset_row = "nobody"), subset_row = runPNMF(sce(), subset_row = 0),
            ntop = runPNMF(sce(), ntop = 0),
            space = runPNMF(sce(), space = "UMAP"), space = runPNMF(sce(), space = TRUE),
            altexp = runPNMF(sce(), altexp = "ADT"), name = runPNMF(sce(), name = NULL),
            BPPARAM = runPNMF(sce(), BPPARAM = 2),
            ncomponents = runPNMF(sce(), ncomponents = 0), n_scales = runPNMF(sce(), n_scales = "a")
        ),
        PNMFPath = list(name = PNMFPath(sce(), name = "UMAP"), name = PNMFPath(sce(), name = 1)),
        "PNMFPath<-" = list(value = `PNMFPath<-`(sce(), value = 1)),
        SetPNMFScale = list(value = SetPNMFScale(sce(), 99)),
        PNMFReductions = list(at = PNMFReductions(sce(), c(1, 1))),
        FindPNMFClusters = list(k = FindPNMFClusters(sce(), k = 0), at = FindPNMFClusters(sce(), at = "a", k = 2))
    )
}
