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
    found <- list(clusters = clusters, tree = tree, k = 3:1, members = unname(as.matrix(clusters)), kept = 1:60)
    list(path = path, found = structure(found, class = "persistent_clusters"))
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
    fitted <- fitted(known$path, 1)[row$feature, ]
    expect_equal(row$score, (mean(fitted[41:60]) - mean(fitted[1:40])) / sqrt(mean(fitted)))
})

test_that("clusters that survive the coarsest scale are compared with what they join beyond it", {
    known <- branching()
    known$path <- known$path[1]
    known$found$clusters <- known$found$clusters["scale.1"]
    known$found$tree <- transform(known$found$tree[1:3, ], parent = NA_integer_, death = NA_integer_)
    found <- cluster_programs(known$path, known$found, n = 10)
    for (j in 1:3) expect_setequal(found$feature[found$cluster == j], paste0("g", 10 * (j - 1) + 1:10))
    expect_identical(unique(found$scale), 1L)
    expect_identical(found$sibling[match(1:3, found$cluster)], c(2L, 1L, 4L))
    row <- found[found$cluster == 3, ][1, ]
    fitted <- fitted(known$path, 1)[row$feature, ]
    expect_equal(row$score, (mean(fitted[41:60]) - mean(fitted[1:40])) / sqrt(mean(fitted)))
})

test_that("the types of sorted blood cells are named by genes that a reader knows", {
    data(pbmc_sorted, package = "pNMF", envir = environment())
    path <- suppressMessages(pnmf(normalize_counts(pbmc_sorted$counts), rank = 8, scales = 6))
    found <- persistent_clusters(path, support = FALSE)
    named <- cluster_programs(path, found, n = 5)
    known <- list("T cell" = c("CD3D", "CD3E", "IL7R"), "B cell" = c("CD79A", "MS4A1"), "NK cell" = c("GNLY", "NKG7"),
                  "CD14+" = c("S100A9", "LYZ"), "CD34+" = c("SPINK2", "PRSS57", "SOX4"))
    for (type in names(known)) {
        cluster <- names(which.max(table(found$clusters$scale.6[pbmc_sorted$type == type])))
        expect_true(any(known[[type]] %in% named$feature[named$cluster == cluster]), label = type)
    }
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

test_that("long names of genes are shortened at branches, in the middle", {
    expect_identical(short_names(c("CD3D", "RP11-620J15.3", "ENSG00000211899")),
                     c("CD3D", "RP11-620J15.3", "ENSG..0211899"))
    expect_identical(nchar(short_names("ENSG00010001694-CD79B")), 13L)
})

test_that("arguments that cluster_programs() does not have are named", {
    path <- pnmf(simulate_circles(2, 6, 5), rank = 2, scales = 2, control = pnmf_control(max_outer = 2, tol = 0))
    expect_error(cluster_programs(path, x = 1), "unknown argument 'x': known arguments are path, clusters, n,",
                 class = "pnmf_error")
})
