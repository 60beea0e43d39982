test_that("the drawing has one bar per cluster, from its birth to its death, and marks the recommended ones", {
    cells <- simulate_cells(seed = 1)
    found <- persistent_clusters(suppressMessages(pnmf(normalize_counts(cells$counts, "paper"), rank = 6, scales = 12)))
    bars <- cluster_bars(found)
    expect_identical(bars$cluster, found$tree$cluster)
    expect_identical(bars$start, found$tree$birth - 0.5)
    expect_identical(sum(bars$recommended == "TRUE"), found$flat_k)
    leaves <- !(bars$cluster %in% bars$parent)
    expect_setequal(bars$y[leaves], seq_len(sum(leaves)))
    drawing <- plot(found)
    expect_s3_class(drawing, "ggplot")
    expect_match(drawing$labels$title, "6 clusters recommended")
    expect_identical(nrow(ggplot2::ggplot_build(drawing)$data[[2]]), nrow(bars))
    expect_error(plot(found, genes = -1), "'genes' must be a whole number of at least 0", class = "pnmf_error")
})

test_that("data without structure have one bar", {
    cloud <- with_random_state(1, matrix(stats::rnorm(5 * 150), 5))
    path <- pnmf(cloud - min(cloud), rank = 2, scales = 6, control = pnmf_control(max_outer = 2, tol = 0))
    drawing <- plot(persistent_clusters(path))
    expect_match(drawing$labels$title, "No structure found")
    expect_identical(nrow(ggplot2::ggplot_build(drawing)$data[[2]]), 1L)
})

test_that("the number of a cluster stands above its bar, however thick", {
    cells <- simulate_cells(seed = 1)
    found <- persistent_clusters(suppressMessages(pnmf(normalize_counts(cells$counts, "paper"), rank = 6, scales = 12)))
    built <- ggplot2::ggplot_build(plot(found))$data
    expect_identical(built[[3]]$label, cluster_bars(found)$label)
    height <- 2.8 * 0.7 # digits are about 0.7 of the size of the text
    expect_true(all(-built[[3]]$vjust * height > built[[2]]$linewidth * ggplot2::.pt * 25.4 / 96 / 2))
})
