test_that("a cluster lasts from its first to its last scale with the very same cells", {
    clusters <- data.frame(scale.2 = c(1, 1, 2, 2, 3, 3), scale.4 = c(1, 1, 2, 2, 3, 3), scale.5 = c(1, 1, 1, 1, 3, 3),
                           scale.9 = rep(1, 6))
    lives <- cluster_lifetimes(matched_clusters(clusters))
    expect_identical(lives$cluster, c(3L, 1L, 2L, 1L))
    expect_identical(lives$first, c(1L, 1L, 1L, 3L))
    expect_identical(lives$last, c(3L, 2L, 2L, 3L))
    expect_identical(lives$size, c(2L, 2L, 2L, 4L))
    expect_equal(lives$persistence, c(3, 2, 2, 1) / 4)
    expect_false(any(lives$recommended))
})

test_that("a cluster that loses one cell and gains another is not the same", {
    lives <- cluster_lifetimes(data.frame(scale.1 = c(1L, 1L, 2L, 2L), scale.2 = c(1L, 2L, 1L, 2L)))
    expect_identical(nrow(lives), 4L)
    expect_identical(lives$first, lives$last)
    split <- cluster_lifetimes(data.frame(scale.1 = c(1L, 1L, 1L, 2L), scale.2 = c(1L, 1L, 3L, 2L)))
    expect_identical(split$size[split$first == split$last], c(3L, 2L, 1L))
})

test_that("the lifetimes and persistence of persistent_clusters() are those of its tree", {
    path <- report_path()
    found <- persistent_clusters(path)
    view <- report_view(path, clusters = found, suggested = NA)
    expect_true(view$by_resolution)
    tree <- found$tree[found$tree$size < 60, ]
    tree$last <- ifelse(is.na(tree$death), 7L, tree$death) - 1L
    by_row <- function(table, columns) unname(as.matrix(table[do.call(order, unname(table[columns])), columns]))
    names(tree)[names(tree) == "birth"] <- "first"
    expect_equal(by_row(view$lifetimes, c("first", "last", "size", "persistence", "continuum")),
                 by_row(tree, c("first", "last", "size", "persistence", "continuum")))
    expect_false(is.unsorted(-view$lifetimes$persistence))
    expect_identical(sum(view$lifetimes$recommended), found$flat_k)
    expect_false(report_view(path, clusters = found$clusters, suggested = NA)$by_resolution)
    some <- report_view(path, at = c(2, 6), suggested = NA)$lifetimes
    expect_true(all(some$persistence %in% tree$persistence))
})

test_that("one cluster of all cells has no lifetime to show", {
    expect_identical(nrow(cluster_lifetimes(data.frame(scale.1 = c(1L, 1L), scale.2 = c(1L, 1L)))), 0L)
})
