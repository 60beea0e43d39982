labelled <- function() {
    data.frame(scale.2 = c(1, 1, 1, 2, 2, 3), scale.5 = c("b", "b", "a", "a", "a", "a"), scale.9 = rep(1, 6),
               row.names = letters[1:6])
}

test_that("nodes are the clusters of each scale with their sizes", {
    nodes <- cluster_tree(labelled())$nodes
    expect_identical(nodes$node, c("2.1", "2.2", "2.3", "5.a", "5.b", "9.1"))
    expect_identical(nodes$scale, c(2L, 2L, 2L, 5L, 5L, 9L))
    expect_identical(nodes$size, c(3L, 2L, 1L, 4L, 2L, 6L))
})

test_that("edges count the shared cells of neighbouring scales, worked by hand", {
    edges <- as.data.frame(cluster_tree(labelled()))
    expect_identical(edges$from, c("2.1", "2.1", "2.2", "2.3", "5.a", "5.b"))
    expect_identical(edges$to, c("5.a", "5.b", "5.a", "5.a", "9.1", "9.1"))
    expect_identical(edges$cells, c(1L, 2L, 2L, 1L, 4L, 2L))
    expect_equal(edges$from_share, c(1 / 3, 2 / 3, 1, 1, 1, 1))
    expect_equal(edges$to_share, c(1 / 4, 1, 2 / 4, 1 / 4, 4 / 6, 2 / 6))
})

test_that("cells are conserved: edges out of and into every node add up to its size", {
    clusters <- with_random_state(5, data.frame(
        scale.1 = sample(7, 200, TRUE), scale.2 = sample(4, 200, TRUE), scale.3 = sample(12, 200, TRUE)
    ))
    tree <- cluster_tree(clusters)
    out <- tapply(tree$edges$cells, tree$edges$from, sum)
    into <- tapply(tree$edges$cells, tree$edges$to, sum)
    size <- stats::setNames(tree$nodes$size, tree$nodes$node)
    expect_equal(c(out), c(size[names(out)]), ignore_attr = TRUE)
    expect_equal(c(into), c(size[names(into)]), ignore_attr = TRUE)
    expect_equal(c(tapply(tree$edges$from_share, tree$edges$from, sum)), rep(1, 11), ignore_attr = TRUE)
    expect_equal(c(tapply(tree$edges$to_share, tree$edges$to, sum)), rep(1, 16), ignore_attr = TRUE)
    expect_identical(tree$nodes$cluster[tree$nodes$scale == 3], as.character(1:12))
    for (row in sample(nrow(tree$edges), 10)) {
        edge <- tree$edges[row, ]
        shared <- clusters[[edge$from_scale]] == edge$from_cluster & clusters[[edge$to_scale]] == edge$to_cluster
        expect_identical(sum(shared), edge$cells)
    }
})

test_that("as.data.frame gives edges or nodes, print says what the tree is", {
    tree <- cluster_tree(labelled())
    expect_identical(as.data.frame(tree, what = "nodes"), tree$nodes)
    expect_identical(as.data.frame(tree), tree$edges)
    printed <- capture.output(shown <- withVisible(print(tree)))
    expect_false(shown$visible)
    expect_match(printed[1], "6 cells, 3 scales, 6 nodes, 6 edges")
    expect_lte(length(printed), 12L)
})

test_that("a path's clusters make a tree", {
    path <- synthetic_path(list(grouped_embedding(), grouped_embedding(seed = 3)))
    tree <- cluster_tree(path_clusters(path, 3))
    expect_equal(tree$edges$from_share, rep(1, 3))
    expect_equal(tree$edges$to_share, rep(1, 3))
})

test_that("bad arguments are refused with the argument named", {
    expect_error(cluster_tree(labelled()[1]), "'clusters' must have at least 2 scales", class = "pnmf_error")
    expect_error(cluster_tree(labelled()[0, ]), "'clusters' must have at least 2 scales and one cell",
                 class = "pnmf_error")
    expect_error(cluster_tree("x"), "'clusters' must be a data frame", class = "pnmf_error")
    expect_error(cluster_tree(data.frame(scale.1 = 1:2, a_scale.1 = 1:2)), "scale 1 appears twice",
                 class = "pnmf_error")
    expect_error(cluster_tree(data.frame(scale.1 = c(1, NA), scale.2 = 1:2)), "no missing", class = "pnmf_error")
    expect_error(as.data.frame(cluster_tree(labelled()), what = "leaves"), "'what' must be one of",
                 class = "pnmf_error")
})

test_that("plot() of a tree draws it", {
    clusters <- data.frame(scale.1 = c(1, 1, 2, 2, 3, 3), scale.2 = c(1, 1, 1, 1, 2, 2))
    tree <- cluster_tree(clusters)
    drawn <- plot(tree)
    expect_s3_class(drawn, "ggplot")
    expect_identical(ggplot2::layer_data(drawn, 1), ggplot2::layer_data(plot_cluster_tree(tree), 1))
})
