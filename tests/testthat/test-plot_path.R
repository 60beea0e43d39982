fit_circles <- function(rank = 2, scales = 5) {
    pnmf(simulate_circles(2, 8, 5), rank = rank, scales = scales, control = pnmf_control(max_outer = 3, tol = 0))
}

test_that("two factors are shown as they are, one panel per scale", {
    path <- fit_circles()
    plot <- plot_path(path, at = c(1, 3, 5))
    shown <- ggplot2::layer_data(plot, 1)
    expect_identical(length(unique(shown$PANEL)), 3L)
    expect_equal(shown$x[shown$PANEL == 2], unname(embedding(path, 3)[, 1]))
    expect_equal(shown$y[shown$PANEL == 3], unname(embedding(path, 5)[, 2]))
    expect_identical(nlevels(plot_path(path)$data$panel), 5L)
})

test_that("labels give colours, and chosen factors are honoured at any rank", {
    path <- fit_circles(rank = 4)
    plot <- plot_path(path, at = 1, labels = rep(c("a", "b"), each = 8), factors = c(4, 2))
    shown <- ggplot2::layer_data(plot, 1)
    expect_identical(length(unique(shown$colour)), 2L)
    expect_equal(shown$x, unname(embedding(path, 1)[, 4]))
    expect_equal(shown$y, unname(embedding(path, 1)[, 2]))
})

test_that("higher ranks have a map per panel, the same every time", {
    path <- fit_circles(rank = 4)
    set.seed(9)
    before <- .Random.seed
    a <- plot_path(path, at = c(1, 3, 5))$data
    expect_identical(.Random.seed, before)
    expect_equal(a, plot_path(path, at = c(1, 3, 5))$data)
    # The map of an equal embedding starts where the other ended.
    twice <- synthetic_path(rep(list(with_random_state(1, matrix(stats::rexp(800), 200))), 3))
    map <- plot_path(twice, at = c(1, 3))$data
    first <- as.matrix(map[map$t == 1, c("x", "y")])
    spread <- sqrt(sum(apply(first, 2, var)))
    moved <- sqrt(rowSums((first - as.matrix(map[map$t == 3, c("x", "y")]))^2))
    expect_lt(median(moved), spread / 4)
})

test_that("beyond max_cells a sample is shown, and the caption says so", {
    plot <- plot_path(fit_circles(), at = 1, max_cells = 10)
    expect_identical(nrow(plot$data), 10L)
    expect_match(plot$labels$caption, "10 of 16 cells")
})

test_that("of many scales nine are shown, the active one among them, and the caption says so", {
    path <- synthetic_path(rep(list(grouped_embedding()), 12))
    expect_length(typical_scales(path), 9L)
    for (t in c(2, 10, 11)) {
        at <- typical_scales(at_scale(path, t))
        expect_true(t %in% at && !is.unsorted(at, strictly = TRUE))
        expect_identical(range(at), c(1L, 12L))
    }
    expect_identical(plot_path(path)$labels$caption, "9 of 12 scales shown")
    expect_identical(plot_path(path, max_cells = 10)$labels$caption, "9 of 12 scales, 10 of 45 cells shown")
    expect_null(plot_path(path, at = 1)$labels$caption)
})

test_that("names of panels have two lines, and more than 30 labels have no legend", {
    path <- synthetic_path(rep(list(with_random_state(2, matrix(stats::runif(90), 45))), 3))
    path@scales$effective_cells <- c(45, 12, 3.04)
    title <- plot_path(path)$facet$params$labeller(data.frame(panel = scale_titles(path, 2)))
    expect_identical(unlist(title, use.names = FALSE), "scale 2\n(12 effective cells)")
    few <- plot_path(path, labels = rep_len(1:30, 45))
    expect_null(few$labels$caption)
    expect_false(identical(few$theme$legend.position, "none"))
    many <- plot_path(path, labels = rep_len(1:31, 45), max_cells = 40)
    expect_identical(many$labels$caption, "40 of 45 cells shown; 31 labels, without a legend")
    expect_identical(many$theme$legend.position, "none")
})

test_that("bad arguments are named", {
    path <- fit_circles()
    expect_error(plot_path(path, at = 9), "'at' must be whole numbers between 1 and 5", class = "pnmf_error")
    expect_error(plot_path(path, labels = 1:3), "'labels' must have one entry for each of the 16", class = "pnmf_error")
    expect_error(plot_path(path, labels = "type"), "only Seurat objects and .* have columns such as \"type\"",
                 class = "pnmf_error")
    expect_identical(levels(plot_path(path, labels = rep(c(NA, "a"), 8))$data$label), c("a", "no label"))
    expect_error(plot_path(path, factors = 1), "'factors' must be two", class = "pnmf_error")
    expect_error(plot_path(path, max_cells = 0), "'max_cells'", class = "pnmf_error")
})

test_that("the map of many cells keeps groups apart, in the same way each time", {
    groups <- do.call(rbind, lapply(1:3, function(g) {
        with_random_state(g, matrix(stats::rexp(400 * 4), 400) * 0.1) + rep(5 * (1:4 == g), each = 400)
    }))
    path <- synthetic_path(lapply(1:3, function(t) groups / t))
    points <- path_coordinates(path, 1:3, NULL, seq_len(1200), seed = 1)
    expect_identical(nrow(points), 3600L)
    expect_identical(path_coordinates(path, 1:3, NULL, seq_len(1200), seed = 1), points)
    label <- rep(rep(1:3, each = 400), 3)
    centres <- rowsum(as.matrix(points[c("x", "y")]), label) / 1200
    spread <- mean(sqrt(rowSums((as.matrix(points[c("x", "y")]) - centres[label, ])^2)))
    expect_gt(min(stats::dist(centres)), 2 * spread)
})

test_that("a label has the same colour in the path and in the tree, numbers in their order", {
    labels <- c("10", "2", "1", "2")
    expect_identical(levels(cell_labels(labels, 4L)), c("1", "2", "10"))
    clusters <- data.frame(scale.1 = 1:4, scale.2 = c(1, 1, 2, 2))
    expect_identical(levels(node_labels(labels, clusters)), levels(cell_labels(labels, 4L)))
})
