test_that("old names warn, name the new one, and return what it returns", {
    x <- simulate_circles(n_per_circle = 8, seed = 1)
    path <- pnmf(x, rank = 2, scales = 5, control = pnmf_control(max_outer = 3, tol = 0))
    scores <- score_path(path, attr(x, "circle"), n_start = 2)
    same <- function(old, new, advice) {
        expect_warning(value <- old, advice, fixed = TRUE, class = "deprecatedWarning")
        if (inherits(new, "ggplot")) {
            value <- ggplot2::ggplot_build(value)$data
            new <- ggplot2::ggplot_build(new)$data
        }
        expect_identical(value, new)
    }
    same(SetPNMFScale(path, 3), at_scale(path, 3), "use active_scale(object) <- t")
    same(update_path(path), path, "use BiocGenerics::updateObject(path)")
    same(plot_overview(path, suggested = NA), plot(path, suggested = NA), "use plot(path)")
    same(plot_objective(path), plot(path, "objective"), "use plot(path, \"objective\")")
    same(plot_barcode(path), plot(path, "barcode"), "use plot(scales)")
    same(plot_scores(scores), plot(scores), "use plot(scores)")
    same(plot_increments(path), plot(increments(path)), "use plot(increments(path))")
    same(plot_spectrum(path, k = 30), plot(laplacian_spectrum(path, k = 30)),
         "use plot(laplacian_spectrum(scales))")
    same(eigenvalue_paths(path, k = 3), laplacian_spectrum(path, k = 3), "use laplacian_spectrum(scales, k = k)")
    part <- laplacian_spectrum(path, k = 4)
    same(eigenvalue_paths(path, k = 4, t = 3:4)$eigenvalue, part$eigenvalue[part$t %in% 3:4], "laplacian_spectrum")
    same(laplacian_lipschitz(path@scales), increment_bounds(path@scales), "use increment_bounds(scales)")
    same(best_scale(scores), summary(scores), "use summary(scores)")
    clusters <- path_clusters(path, 3, n_start = 2)
    same(cluster_stability(clusters), summary(cluster_tree(clusters)), "use summary(cluster_tree(clusters))")
    same(top_features(path, n = 2), factor_markers(path, n = 2, by = "loading"),
         "use factor_markers(path, by = \"loading\")")
    same(reconstruction_error(path, x)$error, deviance(path, x), "use deviance(path, x)")
    expect_equal(suppressWarnings(reconstruction_error(path, x))$relative, deviance(path, x) / sum(x^2))
})

test_that("there are at most 60 functions besides the old names", {
    exported <- getNamespaceExports("pNMF")
    own <- exported[!grepl("^\\.__", exported) & vapply(exported, function(name) {
        exists(name, asNamespace("pNMF"), inherits = FALSE)
    }, logical(1))]
    old <- own[vapply(own, function(name) "deprecate" %in% all.names(body(get(name, asNamespace("pNMF")))), logical(1))]
    # Methods of functions of other packages are no functions of ours.
    ours <- setdiff(own, c(old, "fitted", "predict", "residuals", "show", "[", "dim", "dimnames", "length"))
    expect_lte(length(ours), 60L)
    expect_gt(length(ours), 50L)
})
