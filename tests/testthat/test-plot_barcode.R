drawn_panels <- function(plot) {
    file <- tempfile(fileext = ".pdf")
    on.exit(unlink(file))
    grDevices::pdf(file)
    built <- ggplot2::ggplot_build(plot)
    print(plot)
    grDevices::dev.off()
    built
}

test_that("bars run from zero to the deaths, longest first, and the last component never dies", {
    scales <- persistence_scales(random_cells(20))
    deaths <- component_deaths(scales)
    expect_identical(deaths, c(Inf, rev(scales$mst$length)))
    bars <- barcode_bars(deaths, end = 100)
    expect_identical(bars$rank, 1:20)
    expect_identical(bars$end, c(100, rev(scales$mst$length)))
    expect_identical(bars$dies, rep(c(FALSE, TRUE), c(1, 19)))
})

test_that("the curve is the number of components at every threshold", {
    for (x in list(random_cells(20), tied_cells())) {
        scales <- persistence_scales(x)
        curve <- betti_curve(component_deaths(scales), end = max(scales$threshold))
        at <- function(eps) curve$components[which(curve$distance >= eps)[1]]
        expect_equal(vapply(scales$threshold, at, numeric(1)), scales$betti0)
    }
})

test_that("the plot is one ggplot with both panels, of scales or of a path", {
    scales <- persistence_scales(simulate_circles(), n_scales = 10)
    plot <- plot(scales)
    expect_s3_class(plot, "ggplot")
    expect_identical(nrow(drawn_panels(plot)$layout$layout), 2L)
    expect_match(plot$labels$caption, "the last scale, at 102")
    expect_identical(plot$labels$subtitle, "points: 10 scales (canonical)")
    scales$effective_cells <- 10:1
    expect_identical(plot(scales)$labels$subtitle, "points: 10 scales (even in log effective cells)")
    expect_s3_class(plot(scales), "ggplot")
    path <- pnmf(simulate_circles(n_noise = 2), rank = 2, scales = 3, control = pnmf_control(max_outer = 1, tol = 0))
    expect_s3_class(plot(path, "barcode"), "ggplot")
})

test_that("thousands of cells need a few hundred bars, the long ones all among them", {
    deaths <- c(Inf, 5000:2)
    bars <- barcode_bars(deaths, end = 6000)
    expect_lte(nrow(bars), 300)
    expect_identical(bars$rank[1:10], as.numeric(1:10))
    expect_identical(bars$rank[nrow(bars)], 5000)
})

test_that("extreme data can be drawn: equal cells, two cells, one scale, ties, other selections", {
    for (scales in list(
        persistence_scales(matrix(1, 2, 5)), persistence_scales(matrix(c(1, 3), 1)),
        persistence_scales(random_cells(10), n_scales = 1), persistence_scales(tied_cells()),
        persistence_scales(random_cells(10), "uniform", metric = "cosine")
    )) {
        expect_silent(drawn_panels(plot(scales)))
    }
})

test_that("the axis of components has 1, 2, 5, 10, ... for few cells and powers of ten for many", {
    expect_identical(count_breaks(30), c(1, 2, 5, 10, 20, 50))
    expect_identical(count_breaks(20000), c(1, 10, 100, 1000, 10000))
})
