path_of_cells <- function() {
    cells <- simulate_cells(n_cells = 36, n_genes = 60)
    pnmf(normalize_counts(cells$counts, "paper"), rank = 3, scales = 4, control = pnmf_control(max_outer = 5, tol = 0))
}

test_that("the top features are those with the largest loadings, in order", {
    path <- path_of_cells()
    top <- factor_markers(path, t = 2, n = 4, by = "loading")
    W <- loading(path, 2)
    for (j in 1:3) {
        expect_identical(top$feature[top$factor == j], names(sort(W[, j], decreasing = TRUE))[1:4])
    }
    expect_equal(top$loading, W[cbind(top$feature, colnames(W)[top$factor])])
    expect_identical(nrow(factor_markers(path, n = 1000, factors = 2, by = "loading")), 60L)
})

test_that("the loadings are drawn at one scale and followed along several", {
    path <- path_of_cells()
    bars <- ggplot2::layer_data(plot_loadings(path, n = 5), 1)
    expect_identical(nrow(bars), 15L)
    expect_equal(sort(bars$x), sort(factor_markers(path, n = 5, by = "loading")$loading))
    expect_equal(zero_and_round(c(0, 0.368)), c(0, 0.3))
    expect_equal(zero_and_round(c(0, 0.3)), c(0, 0.3))
    expect_equal(zero_and_round(c(0, 0)), c(0, 0))
    # At scale 4, all factors are alike, so that any may follow.
    lines <- plot_loadings(path, n = 2, factors = 1, at = c(1, 2))$data
    axis <- ggplot2::ggplot_build(plot_loadings(path, factors = 1, at = c(1, 4)))$layout$panel_params[[1]]$x
    expect_equal(axis$breaks, c(1, 4)) # none beyond the last scale
    feature <- factor_markers(path, n = 2, factors = 1, by = "loading")$feature[2]
    expect_equal(lines$loading[lines$feature == feature],
                 c(loading(path, 1)[feature, 1], loading(path, 2)[feature, 1]), ignore_attr = TRUE)
})

test_that("the heatmap holds every cell and factor, at most one, ordered by label", {
    path <- path_of_cells()
    group <- rep(c("b", "a"), 18)
    plot <- plot_factor_heatmap(path, labels = group)
    expect_identical(nrow(plot$data), 36L * 3L)
    expect_equal(max(plot$data$value), 1)
    first <- plot$data[plot$data$factor == 1, ]
    expect_identical(as.character(first$group[order(first$cell)]), rep(c("a", "b"), each = 18))
    expect_identical(plot$theme$strip.text.x$angle, NULL)
    long <- plot_factor_heatmap(path, labels = rep(c("CD8+/CD45RA+ Naive Cytotoxic", "b"), c(3, 33)))
    expect_identical(long$theme$strip.text.x$angle, 90)
    H <- embedding(path, 1)
    expect_equal(plot$data$value[plot$data$factor == 2], unname(H[, 2] / max(H[, 2])))
})

test_that("bad arguments are named", {
    path <- path_of_cells()
    expect_error(factor_markers(path, n = 0, by = "loading"), "'n' must be a whole number", class = "pnmf_error")
    expect_error(factor_markers(path, t = 9, by = "loading"), "'t' must be", class = "pnmf_error")
    expect_error(factor_markers(path, factors = 4, by = "loading"), "'factors' must be whole numbers between 1 and 3",
                 class = "pnmf_error")
    expect_error(plot_factor_heatmap(path, labels = 1), "'labels' must have one entry", class = "pnmf_error")
    expect_error(plot_loadings(path, at = 0), "'at' must be", class = "pnmf_error")
})

test_that("lines leave room for long names of features", {
    expect_equal(name_room("CD3"), 0.105 / 0.895)
    expect_equal(name_room(strrep("x", 40)), 0.6 / 0.4)
    H <- matrix(1:6, 3)
    path <- synthetic_path(list(H, H, H))
    path@feature_names <- sprintf("ENSG%011d", 1:3)
    range <- ggplot2::ggplot_build(plot_loadings(path, at = 1:3))$layout$panel_params[[1]]$x.range
    # Fifteen characters of about 1.5 mm, in a panel of 45 mm.
    expect_gt((range[2] - 3) / diff(range), 15 * 1.5 / 45)
})
