small_path <- function(...) {
    pnmf(simulate_circles(n_per_circle = 5, n_noise = 4), rank = 2, scales = 4,
         control = pnmf_control(max_outer = 3, tol = 0, ...))
}

test_that("embedding is cells x rank and loading features x rank, with names", {
    path <- small_path()
    for (t in 1:4) {
        expect_identical(unname(embedding(path, t)), t(path@H[[t]]))
        expect_identical(unname(loading(path, t)), path@W[[t]])
    }
    expect_identical(embedding(path), embedding(path, 1))
    expect_identical(dimnames(embedding(path, 2)), list(paste0("point", 1:20), c("factor1", "factor2")))
    expect_identical(dimnames(loading(path, 2)), list(paste0("dim", 1:7), c("factor1", "factor2")))
})

test_that("a path says what it is made of", {
    path <- small_path()
    expect_identical(thresholds(path), path@scales$threshold)
    expect_identical(n_scales(path), 4L)
    expect_identical(length(path), 4L)
    expect_identical(n_factors(path), 2L)
    expect_identical(dim(path), c(7L, 20L, 4L))
    expect_identical(dimnames(path), list(paste0("dim", 1:7), paste0("point", 1:20), paste0("scale.", 1:4)))
    expect_identical(names(objective(path)), c("outer", "objective", "relative_decrease"))
    expect_identical(objective(path)$outer, 1:3)
    expect_type(converged(path), "logical")
    expect_length(converged(path), 4)
})

test_that("path[i] keeps the scales, their factors and their record", {
    path <- small_path()
    part <- path[c(1, 3)]
    expect_s4_class(part, "pNMFPath")
    expect_identical(thresholds(part), thresholds(path)[c(1, 3)])
    expect_identical(embedding(part, 2), embedding(path, 3))
    expect_identical(loading(part, 2), loading(path, 3))
    expect_identical(converged(part), converged(path)[c(1, 3)])
    expect_identical(part@scales$betti0, path@scales$betti0[c(1, 3)])
    expect_identical(scale_graph(part@scales, 2), scale_graph(path@scales, 3))
    expect_identical(dim(part), c(7L, 20L, 2L))
    # Deaths since the scale before: those of the scale left out count for the next.
    expect_equal(part@scales$multiplicity[2], sum(path@scales$multiplicity[2:3]))
    expect_gt(part@scales$multiplicity[2], 0)
})

test_that("scales can be chosen by number, logically or by exclusion, and path[] is the path", {
    path <- small_path()
    expect_identical(path[c(FALSE, TRUE, TRUE, FALSE)], path[2:3])
    expect_identical(path[-1], path[2:4])
    expect_identical(path[-c(1, 4)], path[2:3])
    expect_identical(path[], path)
    expect_identical(path[1:4], path)
    expect_identical(length(path[4]), 1L)
})

test_that("summary has one row per scale", {
    path <- pnmf(simulate_circles(2, 6, 5), rank = 2, scales = 4, control = pnmf_control(max_outer = 3, tol = 0))
    active_scale(path) <- 3
    table <- summary(path)
    expect_identical(table$threshold, thresholds(path))
    expect_identical(which(table$active), 3L)
    expect_identical(table$converged, converged(path))
    path@scales$effective_cells <- c(12, 6, 4, 3)
    expect_identical(summary(path[2:3])$effective_cells, c(6, 4))
})

test_that("show takes at most 12 lines and says the essentials", {
    for (path in list(small_path(), small_path()[2])) {
        out <- capture.output(show(path))
        expect_lte(length(out), 12)
        expect_true(all(nchar(out) <= 120))
        expect_match(out, "7 features x 20 cells, rank 2", all = FALSE)
        expect_match(out, "embedding\\(path, t\\)", all = FALSE)
        expect_match(out, "sweeps", all = FALSE)
    }
    long <- pnmf(simulate_circles(n_noise = 2), rank = 2, control = pnmf_control(max_outer = 1, tol = 0))
    expect_lte(length(capture.output(show(long))), 12)
    expect_true(all(nchar(capture.output(show(long))) <= 120))
})

test_that("bad input is refused by name", {
    path <- small_path()
    refused <- function(expr, pattern) expect_error(expr, pattern, class = "pnmf_error")
    refused(embedding(path, 0), "'t' must be a whole number between 1 and 4, not 0")
    refused(embedding(path, 5), "'t' must be a whole number between 1 and 4, not 5")
    refused(embedding(path, "a"), "'t'")
    refused(loading(path, 1:2), "'t'")
    refused(loading(path, NA), "'t'")
    refused(path[5], "'i' must be whole numbers between 1 and 4, not 5")
    refused(path[c(1, 9)], "'i' must be whole numbers between 1 and 4, not 9")
    refused(path[0], "'i'")
    refused(path["a"], "'i'")
    refused(path[1.5], "'i'")
    refused(path[-1.5], "'-i'")
    refused(path[-9], "'-i' must be whole numbers between 1 and 4, not 9")
    refused(path[-(1:4)], "'i'")
    refused(path[c(TRUE, FALSE)], "'i'")
    refused(path[NULL], "'i'")
    refused(path[2:1], "'i' must name each scale once, in ascending order")
    refused(path[c(1, 1)], "'i' must name each scale once")
    refused(path[1, 2], "'j' must be missing")
    refused(embedding(3), "'path' must be a pNMFPath")
})

test_that("scales of a path are chosen by number, negative number or logical", {
    expect_identical(assert_scale_indices(c(1, 3), 3L), c(1L, 3L))
    expect_identical(assert_scale_indices(-1, 3L), 2:3)
    expect_identical(assert_scale_indices(c(TRUE, FALSE, TRUE), 3L), c(1L, 3L))
    for (bad in list(0, 4, -4, c(-1, 2), c(TRUE, NA, TRUE), TRUE, NA, Inf, numeric())) {
        expect_refused(assert_scale_indices(bad, 3L), "'-?i' must be")
    }
    for (bad in list(c(2, 1), c(2, 2))) {
        expect_refused(assert_scale_indices(bad, 3L), "each scale once, in ascending order")
    }
    expect_null(assert_only_scale(1))
    for (bad in list(2, NA, c(1, 1), "1", NULL)) expect_refused(assert_only_scale(bad), "'t' must be 1, not")
})

test_that("several scales are 'at'; their former name warns and means the same", {
    path <- synthetic_path(lapply(1:4, function(s) grouped_embedding(seed = s)))
    same <- function(old, new) {
        expect_warning(value <- old, "'scales' is now called 'at'", class = "pnmf_warning")
        expect_identical(value, new)
    }
    same(path_clusters(path, 3, n_start = 2, scales = c(1, 3)), path_clusters(path, 3, n_start = 2, at = c(1, 3)))
    truth <- attr(grouped_embedding(), "group")
    same(score_path(path, truth, n_start = 2, scales = 2), score_path(path, truth, n_start = 2, at = 2))
    same(plot_path(path, scales = 2:3)$data, plot_path(path, at = 2:3)$data)
    same(plot_loadings(path, scales = 2:3)$data, plot_loadings(path, at = 2:3)$data)
    same(path_frames(path, NULL, NULL, FALSE, scales = 2)[[1]]$data, path_frames(path, NULL, 2, FALSE)[[1]]$data)
    same(factor_tracks(path, scales = 2:3), factor_tracks(path, at = 2:3))
    clusters <- path_clusters(path, 3, n_start = 2)
    same(plot_cluster_tree(clusters, scales = 2:3)$data, plot_cluster_tree(clusters, at = 2:3)$data)
    expect_error(suppressWarnings(path_clusters(path, 3, at = 1, scales = 2)), "'scales' must be NULL when 'at'",
                 class = "pnmf_error")
    expect_error(path_clusters(path, 3, scaled = 2), "unknown argument 'scaled'", class = "pnmf_error")
})

test_that("containers take the former name of 'at', too", {
    skip_if_not_installed("SingleCellExperiment")
    expect_warning(old <- PNMFReductions(sce_with_path(), scales = c(2, 5)), "'scales' is now called 'at'",
                   class = "pnmf_warning")
    expect_identical(old, PNMFReductions(sce_with_path(), at = c(2, 5)))
    expect_warning(old <- FindPNMFClusters(sce_with_path(), scales = 2, k = 3, n_start = 2), "now called 'at'",
                   class = "pnmf_warning")
    expect_identical(old, FindPNMFClusters(sce_with_path(), at = 2, k = 3, n_start = 2))
})

test_that("no function has more than twelve arguments, but for the settings of a fit", {
    functions <- Filter(is.function, as.list(asNamespace("pNMF"), all.names = TRUE))
    long <- names(functions)[vapply(functions, function(f) length(formals(f)) > 12L, logical(1))]
    expect_identical(long, "pnmf_control")
})
