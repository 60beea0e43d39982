overview_path <- function() {
    pnmf(simulate_circles(2, 8, 5), rank = 2, scales = 6, control = pnmf_control(max_outer = 4, tol = 0))
}

test_that("the default plot shows the barcode, the components and the objective", {
    path <- overview_path()
    plot <- plot(path, suggested = NA)
    bars <- ggplot2::layer_data(plot, 1)
    expect_equal(sort(bars$xend)[1:15], sort(path@scales$mst$length))
    expect_equal(ggplot2::layer_data(plot, 2)$y, path@scales$betti0)
    expect_equal(ggplot2::layer_data(plot, 3)$y, objective(path)$objective)
})

test_that("effective cells are the resolution where scales are spread by them", {
    path <- overview_path()
    path@scales$effective_cells <- c(21, 18, 14, 9, 6, 2)
    plot <- plot(path, suggested = NA)
    expect_equal(ggplot2::layer_data(plot, 2)$y, log10(effective_cells(path)))
    expect_identical(unname(overview_titles(path)[2]), "log10 effective cells, by scale")
    marks <- ggplot2::layer_data(plot, 4)
    expect_equal(marks$xintercept[marks$PANEL == 2], 3)
})

test_that("the active and the suggested scale are marked at their threshold and index", {
    path <- overview_path()
    marks <- ggplot2::layer_data(plot(path, active = 2, suggested = 4), 4)
    expect_equal(marks$xintercept[marks$PANEL == 1], thresholds(path)[c(2, 4)])
    expect_equal(marks$xintercept[marks$PANEL == 2], c(2, 4))
    expect_identical(nrow(ggplot2::layer_data(plot(path, suggested = NA), 4)), 2L)
})

test_that("a single sweep has no panel", {
    path <- overview_path()
    path@objective <- path@objective[1, ]
    plot <- plot(path, suggested = NA)
    expect_identical(nrow(ggplot2::layer_data(plot, 3)), 0L)
    expect_identical(nrow(ggplot2::ggplot_build(plot)$layout$layout), 2L)
})

test_that("scales out of range are refused", {
    path <- overview_path()
    expect_error(plot(path, active = 7), "'active' must be a whole number between 1 and 6", class = "pnmf_error")
    expect_error(plot(path, suggested = 0), "'suggested'", class = "pnmf_error")
})

test_that("the barcode of thousands of cells is thinned to 2,000 bars, the shortest and the longest among them", {
    path <- synthetic_path(list(grouped_embedding(), grouped_embedding()))
    path@scales$mst <- data.frame(i = 1L, j = 2L, length = seq(0.001, 5, by = 0.001))
    bars <- overview_barcode(path)
    expect_identical(nrow(bars), 2000L)
    expect_identical(range(bars$end), c(0.001, barcode_end(path)))
    expect_false(is.unsorted(bars$end))
})

test_that("the overview says when it draws a part of the bars, and numbers them as they are", {
    path <- synthetic_path(list(grouped_embedding(), grouped_embedding(seed = 2)))
    path@scales$mst <- data.frame(i = 1L, j = 2L, length = seq_len(2999) / 1000)
    expect_identical(plot(path, suggested = NA)$labels$caption, "2000 of 3000 bars are drawn")
    bars <- overview_barcode(path)
    expect_identical(range(bars$y), c(1L, 3000L))
    path@scales$mst <- path@scales$mst[1:50, ]
    expect_null(plot(path, suggested = NA)$labels$caption)
})
