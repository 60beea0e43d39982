drawn_path <- function() {
    pnmf(simulate_circles(n_per_circle = 5, n_noise = 5, seed = 1), rank = 2,
         control = pnmf_control(max_outer = 5, tol = 0))
}

test_that("there are three panels with r and p, and one point per increment", {
    path <- drawn_path()
    plot <- plot(increments(path))
    expect_s3_class(plot, "ggplot")
    found <- increment_correlations(path)
    titles <- levels(plot$data$panel)
    expect_length(titles, 3)
    for (i in 1:3) {
        expect_match(titles[i], sprintf("r = %.4f, p = %s", found$r[i], format(found$p[i], digits = 3)), fixed = TRUE)
    }
    expect_identical(nrow(plot$data), 3L * (n_scales(path) - 1L))
    expect_no_warning(ggplot2::ggplot_build(plot))
})

test_that("panels show the pair their title names, up against across", {
    steps <- data.frame(t = 2:6, d_threshold = 1:5, d_laplacian = c(2, 1, 5, 3, 9), d_embedding = c(0, 7, 8, 3, 1))
    data <- plot.increments(steps)$data
    first <- data[grepl("^Laplacian \\(up\\), threshold", data$panel), ]
    expect_equal(first$x, steps$d_threshold)
    expect_equal(first$y, steps$d_laplacian)
    last <- data[grepl("^embedding \\(up\\), threshold", data$panel), ]
    expect_equal(last$y, steps$d_embedding)
})

test_that("logarithmic axes leave zeros out and keep the correlations", {
    steps <- data.frame(t = 2:6, d_threshold = 1:5, d_laplacian = c(2, 1, 5, 3, 9), d_embedding = c(0, 7, 8, 3, 1))
    logs <- plot.increments(steps, log = TRUE)
    expect_identical(nrow(logs$data), 13L)
    expect_identical(levels(logs$data$panel), levels(plot.increments(steps)$data$panel))
    expect_no_warning(ggplot2::ggplot_build(logs))
})

test_that("bad input is refused", {
    path <- drawn_path()
    expect_error(plot(increments(path[1:3])), "at least four scales", class = "pnmf_error")
    expect_error(plot(increments(path), log = 2), "'log' must be TRUE or FALSE", class = "pnmf_error")
})
