# Three groups of cells: program 1, program 2, program 3; the first two join at scale 2, all at scale 3.
branching <- function() {
    group <- rep(1:3, each = 20)
    truth <- programs(n_cells = 60)
    H <- matrix(0.01, 3, 60)
    H[cbind(group, seq_len(60))] <- 1
    path <- path_of_factors(rep(list(truth$W), 3), rep(list(H), 3), rownames(truth$x))
    tree <- data.frame(cluster = 1:5, parent = c(4L, 4L, 5L, 5L, NA), birth = c(1L, 1L, 1L, 2L, 3L),
                       death = c(2L, 2L, 3L, 3L, NA), size = c(20L, 20L, 20L, 40L, 60L),
                       support = c(1, 1, 1, 1, NA))
    clusters <- data.frame(scale.1 = group, scale.2 = c(4L, 4L, 3L)[group], scale.3 = 5L)
    list(path = path, found = structure(list(clusters = clusters, tree = tree, k = 3:1), class = "persistent_clusters"))
}

test_that("a cluster is set apart by the genes of its own program, at the scale where it parts", {
    known <- branching()
    found <- cluster_programs(known$path, known$found, n = 10)
    expect_identical(names(found), c("cluster", "sibling", "scale", "factor", "feature", "score"))
    for (j in 1:3) expect_setequal(found$feature[found$cluster == j], paste0("g", 10 * (j - 1) + 1:10))
    expect_identical(unique(found$cluster), 1:4)
    expect_identical(unique(found$sibling[found$cluster == 1]), 2L)
    expect_identical(unique(found$scale[found$cluster %in% 1:2]), 1L)
    expect_identical(unique(found$scale[found$cluster %in% 3:4]), 2L)
    expect_identical(unique(found$factor[found$cluster == 3]), 3L)
    both <- cluster_programs(known$path, known$found, n = 20)
    expect_setequal(both$factor[both$cluster == 4], 1:2)
    expect_true(all(found$score > 0))
})

test_that("the score is the fitted difference over the root of the mean", {
    known <- branching()
    found <- cluster_programs(known$path, known$found, n = 1)
    row <- found[found$cluster == 3, ]
    fitted <- fitted(known$path, 2)[row$feature, ]
    expect_equal(row$score, (mean(fitted[41:60]) - mean(fitted[1:40])) / sqrt(mean(fitted)))
})

test_that("clusters of other cells are refused, and one cluster has no branches", {
    known <- branching()
    expect_error(cluster_programs(known$path[1:2], known$found), "'clusters' must be of the path's 60 cells",
                 class = "pnmf_error")
    known$found$tree <- known$found$tree[5, ]
    expect_identical(nrow(cluster_programs(known$path, known$found)), 0L)
})

test_that("the drawings name the branches if they know the path", {
    known <- branching()
    known$found$flat <- known$found$clusters$scale.1
    known$found$flat_k <- 3L
    known$found$flat_scale <- 1L
    texts <- function(plot) unlist(lapply(ggplot2::ggplot_build(plot)$data, function(layer) layer$label))
    expect_true("g21 g22" %in% texts(plot(known$found, path = known$path, genes = 2)))
    expect_false(any(grepl("g2", texts(plot(known$found)))))
    symbols <- sub("^g", "CD", known$path@feature_names)
    expect_true("CD21 CD22" %in% texts(plot(known$found, path = known$path, genes = 2, swap_rownames = symbols)))
    expect_true("g21 g22" %in% texts(plot_cluster_tree(known$found, path = known$path, genes = 2)))
    expect_false(any(grepl("g2", texts(plot_cluster_tree(known$found, path = known$path, genes = 0)))))
})
