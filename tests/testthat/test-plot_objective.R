small_fit <- function(record) {
    pnmf(simulate_circles(2, 6, 5), rank = 2, scales = 4,
         control = pnmf_control(max_outer = 6, tol = 0, record = record))
}

test_that("the panels show the recorded objective, its decrease and every update", {
    path <- small_fit(TRUE)
    plot <- plot(path, "objective")
    shown <- ggplot2::layer_data(plot, 1)
    expect_identical(nlevels(plot$data$panel), 3L)
    expect_equal(shown$y[shown$PANEL == 1], objective(path)$objective)
    expect_equal(shown$y[shown$PANEL == 3], path@convergence$updates$objective)
    decrease <- na.omit(objective(path)$relative_decrease)
    expect_equal(max(abs(10^shown$y[shown$PANEL == 2] - decrease)), 0, tolerance = 1e-12)
})

test_that("without recorded updates there are two panels", {
    expect_identical(nlevels(plot(small_fit(FALSE), "objective")$data$panel), 2L)
})

test_that("sweeps without a decrease are counted, because a logarithm cannot show them", {
    path <- small_fit(FALSE)
    expect_null(plot(path, "objective")$labels$caption)
    path@objective$relative_decrease[4] <- 0
    expect_identical(plot(path, "objective")$labels$caption, "1 sweep without a decrease not shown")
})

test_that("one sweep has nothing to draw", {
    path <- small_fit(FALSE)
    path@objective <- path@objective[1, ]
    expect_error(plot(path, "objective"), "needs at least two sweeps, but the path has one", class = "pnmf_error")
})

test_that("anything but a path is refused", {
    expect_error(plot(small_fit(FALSE), "loss"), "'what' must be one of", class = "pnmf_error")
})
