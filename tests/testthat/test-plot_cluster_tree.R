grown <- function(n_scales = 4) {
    with_random_state(2, {
        first <- sample(3, 60, TRUE)
        columns <- lapply(seq_len(n_scales), function(t) replace(first, sample(60, t), sample(3, t, TRUE)))
    })
    names(columns) <- paste0("scale.", seq_len(n_scales))
    as.data.frame(columns)
}

drawn_points <- function(plot) ggplot2::ggplot_build(plot)$data[[2]]

test_that("the plot draws every cluster once, at its scale", {
    clusters <- grown()
    plot <- plot_cluster_tree(clusters)
    expect_s3_class(plot, "ggplot")
    points <- drawn_points(plot)
    expect_identical(as.integer(table(points$x)), rep(3L, 4))
    expect_identical(anyDuplicated(points[c("x", "y")]), 0L)
    expect_identical(plot_cluster_tree(cluster_tree(clusters))$data, plot$data)
})

test_that("an unchanged clustering is drawn as straight lanes of one colour", {
    clusters <- data.frame(scale.1 = rep(1:3, 5), scale.2 = rep(c(3, 1, 2), 5), scale.3 = rep(c(2, 3, 1), 5))
    plot <- plot_cluster_tree(clusters)
    segments <- ggplot2::ggplot_build(plot)$data[[1]]
    expect_equal(segments$y, segments$yend)
    points <- drawn_points(plot)
    expect_identical(as.integer(tapply(points$fill, points$y, function(f) length(unique(f)))), rep(1L, 3))
})

test_that("labels colour each cluster by its majority", {
    clusters <- data.frame(scale.1 = c(1, 1, 1, 2, 2), scale.2 = c(1, 1, 1, 1, 2))
    plot <- plot_cluster_tree(clusters, labels = c("b", "b", "b", "a", "a"))
    expect_identical(as.character(plot$data$label), c("b", "a", "b", "a"))
    expect_identical(levels(plot$data$label), c("a", "b"))
    kept <- plot_cluster_tree(clusters, labels = factor(c("b", "b", "b", "a", "a"), levels = c("z", "b", "a")))
    expect_identical(levels(kept$data$label), c("b", "a"))
})

test_that("a cluster without a majority of known labels is white", {
    clusters <- data.frame(scale.1 = c(1, 1, 1, 2, 2), scale.2 = rep(1, 5))
    plot <- plot_cluster_tree(clusters, labels = c("a", "b", "c", "a", "a"))
    expect_identical(as.character(plot$data$label), c("mixed", "a", "a"))
    expect_identical(drawn_points(plot)$fill[1], "white")
    expect_false("mixed" %in% plot_cluster_tree(data.frame(scale.1 = 1:3, scale.2 = 1))$data$label)
})

test_that("number and cells are written where a cluster begins or changes", {
    clusters <- data.frame(scale.1 = rep(1:3, 4:2), scale.2 = rep(1:3, 4:2), scale.3 = rep(c(1, 4), 4:5))
    text <- ggplot2::layer_data(plot_cluster_tree(clusters), 3)
    expect_identical(text$label, c("1: 4", "2: 3", "3: 2", "4: 5"))
})

test_that("clusters inside those of the next scale keep their lanes and join in the middle", {
    first <- rep(1:4, 5:2)
    clusters <- data.frame(scale.1 = first, scale.2 = c(1, 5, 1, 4)[first], scale.3 = c(1, 5, 1, 1)[first])
    nodes <- plot_cluster_tree(clusters)$data
    height <- function(scale, cluster) nodes$y[nodes$scale == scale & nodes$cluster == cluster]
    expect_equal(height(3, 5), height(1, 2))
    expect_equal(height(2, 4), height(1, 4))
    expect_equal(height(2, 1), (height(1, 1) + height(1, 3)) / 2)
    expect_equal(abs(height(1, 1) - height(1, 3)), 1)
    expect_equal(height(3, 1), mean(range(height(1, 1), height(1, 3), height(1, 4))))
})

test_that("text ends before the edge of the figure", {
    texts <- data.frame(x = c(1, 12, 12), text = c("1: 20", "13: 336", strrep("x", 41)))
    end <- axis_end(texts, 12)
    expect_equal((12.1 - 0.5) / (end - 0.5) + 41 * 0.012, 1)
    expect_equal(axis_end(texts[1, ], 12), 12.5)
})

test_that("names of genes that would widen the figure stand one below the other", {
    genes <- "ENSG..0128040 ENSG..0177410 ENSG..0233016"
    marks <- data.frame(x = c(1, 11, 11), y = 1:3, text = "1: 20", half_height = 1, genes = c(genes, genes, NA))
    texts <- mark_texts(marks, 12)
    expect_identical(texts$text[4:5], c(genes, gsub(" ", "\n", genes)))
    expect_lt(axis_end(texts, 12), 13.5) # 21 in one line
    # the first line begins where one line would
    expect_equal(3 * (texts$vjust[5] - 1), texts$vjust[4] - 1)
})

test_that("texts of a cluster leave its edge free", {
    marks <- data.frame(x = 1, y = 1:3, text = "1: 20", half_height = 1, genes = "A B", leaves = c(0, 1, -1))
    texts <- mark_texts(marks, 12)
    expect_identical(texts$vjust > 0.5, c(FALSE, TRUE, FALSE, TRUE, TRUE, FALSE))
    expect_gt(texts$vjust[5], texts$vjust[2] + 1)  # genes below the number
    expect_lt(texts$vjust[6], texts$vjust[3] - 1)  # genes above the number
})

test_that("many scales are thinned evenly, first and last kept, unless scales are chosen", {
    clusters <- grown(30)
    expect_identical(range(plot_cluster_tree(clusters, max_scales = 5)$data$scale), c(1L, 30L))
    expect_length(unique(plot_cluster_tree(clusters, max_scales = 5)$data$scale), 5L)
    expect_identical(unique(plot_cluster_tree(clusters, at = c(9, 2, 4))$data$scale), c(2L, 4L, 9L))
})

test_that("weak edges are left out on request", {
    clusters <- data.frame(scale.1 = rep(1:2, c(50, 50)), scale.2 = rep(c(1, 2, 2), c(49, 1, 50)))
    segments <- function(share) nrow(ggplot2::ggplot_build(plot_cluster_tree(clusters, min_share = share))$data[[1]])
    expect_identical(segments(0), 3L)
    expect_identical(segments(0.05), 2L)
})

test_that("more labels than the small palette has, and clusters of one cell, can be drawn", {
    clusters <- data.frame(scale.1 = 1:12, scale.2 = rep(1:6, 2))
    expect_length(unique(drawn_points(plot_cluster_tree(clusters, labels = letters[1:12]))$fill), 12L)
    expect_length(group_colours(8), 8L)
    expect_identical(group_colours(30)[1:8], group_colours(8))
    lab <- grDevices::convertColor(t(grDevices::col2rgb(group_colours(30))) / 255, "sRGB", "Lab")
    expect_gt(min(stats::dist(lab)), 23)
    expect_identical(anyDuplicated(group_colours(40)), 0L)
})

# Height of a number of size 2.8, in mm.
number_height <- function() {
    text <- grid::textGrob("3774", gp = grid::gpar(fontsize = 2.8 * ggplot2::.pt))
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    grid::convertHeight(grid::grobHeight(text), "mm", valueOnly = TRUE)
}

test_that("the number of a cluster stands above its circle, or below if its edge rises, however large", {
    clusters <- data.frame(scale.1 = rep(1:3, c(90, 9, 1)), scale.2 = rep(1:2, c(99, 1)))
    built <- ggplot2::ggplot_build(plot_cluster_tree(clusters))$data
    # ggplot2 draws shape 21 with a diameter of three quarters of its size.
    below <- built[[3]]$vjust > 0
    expect_identical(built[[3]]$label[below], "2: 9") # joins cluster 1, which lies above it
    outside <- ifelse(below, built[[3]]$vjust - 1, -built[[3]]$vjust)
    expect_true(all(outside * number_height() > 0.375 * built[[2]]$size))
})

test_that("bad arguments are refused with the argument named", {
    clusters <- grown()
    expect_error(plot_cluster_tree(1), "'tree' must be a data frame", class = "pnmf_error")
    expect_error(plot_cluster_tree(clusters, labels = 1:3), "one entry for each of the 60 cells, not 3",
                 class = "pnmf_error")
    expect_error(plot_cluster_tree(clusters, labels = rep(NA, 60)), "'labels' must label some cells",
                 class = "pnmf_error")
    expect_error(plot_cluster_tree(clusters, at = 9), "'at' must be at least two of the scales",
                 class = "pnmf_error")
    expect_error(plot_cluster_tree(clusters, at = "all"), "'at' must be at least two", class = "pnmf_error")
    expect_error(plot_cluster_tree(clusters, max_scales = 1), "'max_scales'", class = "pnmf_error")
    expect_error(plot_cluster_tree(clusters, min_share = 2), "'min_share'", class = "pnmf_error")
})
