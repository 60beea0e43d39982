few_scales <- function() persistence_scales(simulate_circles(n_per_circle = 6, n_noise = 4, seed = 1))

test_that("the positive eigenvalues are drawn, one line each", {
    scales <- few_scales()
    plot <- plot(laplacian_spectrum(scales, k = 5))
    expect_s3_class(plot, "ggplot")
    paths <- laplacian_spectrum(scales, k = 5)
    expect_equal(plot$data, paths[paths$eigenvalue > 0, ])
    built <- ggplot2::ggplot_build(plot)
    expect_length(unique(built$data[[1]]$group), 4)
    expect_identical(nrow(built$data[[1]]), nrow(plot$data))
})

test_that("spectra without a positive eigenvalue and bad input are refused", {
    scales <- few_scales()
    expect_error(plot(laplacian_spectrum(scales, k = 1)), "'k' must exceed the number of components",
                 class = "pnmf_error")
})
