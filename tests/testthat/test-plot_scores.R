scores <- data.frame(t = 1:3, ari = c(.1, .2, .3), nmi = c(.4, .5, .6), purity = .7, accuracy = .8, average = .5)

test_that("every metric has its panel and baselines are horizontal lines", {
    plot <- plot.path_scores(scores, baselines = c(NMF = 0.25, GNMF = 0.35))
    shown <- ggplot2::layer_data(plot, 1)
    expect_identical(length(unique(shown$PANEL)), 4L)
    expect_equal(shown$y[shown$PANEL == 1], scores$ari)
    breaks <- ggplot2::ggplot_build(plot)$layout$panel_params[[1]]$x$breaks
    expect_equal(as.numeric(breaks[!is.na(breaks)]), 1:3)
    lines <- ggplot2::layer_data(plot, 3)
    expect_setequal(lines$yintercept, c(0.25, 0.35))
    table <- data.frame(method = "NMF", ari = .9, nmi = .8)
    expect_equal(ggplot2::layer_data(plot.path_scores(scores, c("ari", "nmi"), table), 3)$yintercept, c(.9, .8))
})

test_that("unknown metrics and shapes are refused", {
    expect_error(plot.path_scores(scores, "f1"), "'metrics' must be columns of 'x'", class = "pnmf_error")
    expect_error(plot.path_scores(scores, baselines = 1), "'baselines' must be", class = "pnmf_error")
})
