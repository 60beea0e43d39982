test_that("a cluster that lasts keeps its number, whatever the clustering calls it", {
    first <- rep(1:3, c(5, 4, 3))
    clusters <- data.frame(scale.1 = first, scale.2 = c(2, 3, 1)[first], scale.3 = replace(c(3, 1, 2)[first], 1, 1))
    matched <- matched_clusters(clusters)
    expect_identical(matched$scale.1, matched$scale.2)
    expect_identical(matched$scale.3[-1], first[-1])
    expect_identical(names(matched), names(clusters))
})

test_that("clusters that merge take one of the two numbers, and numbers come back", {
    clusters <- data.frame(scale.1 = c("b", "b", "a", "a", "a"), scale.2 = rep("x", 5),
                           scale.4 = c("p", "p", "q", "q", "q"))
    matched <- matched_clusters(clusters)
    expect_identical(matched$scale.2, rep(1L, 5))
    expect_identical(matched$scale.4, c(2L, 2L, 1L, 1L, 1L))
})

test_that("clusters have the numbers of persistent_clusters(), and clusters of one scale different colours", {
    found <- persistent_clusters(report_path())
    view <- report_view(report_path(), suggested = NA)
    expect_equal(view$clusters, found$clusters, ignore_attr = TRUE)
    for (labels in view$clusters) expect_identical(anyDuplicated(view$cluster_colours[unique(labels)]), 0L)
    # The largest part of a cluster has its colour.
    tree <- data.frame(cluster = 1:5, parent = c(4L, 4L, 5L, 5L, NA), size = c(5L, 3L, 4L, 8L, 12L))
    expect_identical(cluster_families(tree, 5L)[c(1, 4)], cluster_families(tree, 5L)[c(5, 5)])
    expect_identical(anyDuplicated(cluster_families(tree, 5L)[1:3]), 0L)
    expect_equal(tree_lanes(tree), c("1" = 1, "2" = 2, "3" = 3, "4" = 1.5, "5" = 2.25))
})

test_that("the view has all cells' clusters, and the sampled cells' points", {
    path <- report_path()
    type <- report_cells()$type
    view <- report_view(path, type, suggested = 3, max_cells = 20, seed = 1)
    expect_length(view$shown, 20L)
    expect_identical(dim(view$clusters), c(60L, 6L))
    expect_identical(dim(view$layout$x), c(20L, 6L))
    expect_identical(view$suggested, 3L)
    expect_identical(view$scores$t, 1:6)
    found <- persistent_clusters(path)$clusters
    for (t in 1:6) {
        expect_identical(cluster_scores(view$clusters[[t]], found[[t]])[["ari"]], 1)
        expect_equal(unlist(view$scores[t, c("ari", "nmi")]), cluster_scores(type, found[[t]])[c("ari", "nmi")])
    }
    expect_identical(view$shown, report_view(path, type, suggested = NA, max_cells = 20, seed = 1)$shown)
})

test_that("the session's random numbers are left alone", {
    set.seed(4)
    before <- .Random.seed
    report_view(report_path(), suggested = NA, max_cells = 20)
    expect_identical(.Random.seed, before)
})

test_that("many scales are thinned, chosen ones kept, and clusters bring their own", {
    path <- report_path()
    expect_identical(report_scales(path, NULL, NULL), 1:6)
    expect_identical(report_scales(path, c(2, 5), NULL), c(2L, 5L))
    many <- synthetic_path(rep(list(matrix(1, 3, 2)), 100))
    expect_length(report_scales(many, NULL, NULL), 20L)
    expect_identical(range(report_scales(many, NULL, NULL)), c(1L, 100L))
    clusters <- path_clusters(path, 3, at = c(2, 4, 6), n_start = 2)
    view <- report_view(path, clusters = clusters, suggested = NA)
    expect_identical(view$scales, c(2L, 4L, 6L))
    expect_equal(cluster_scores(view$clusters$scale.4, clusters$scale.4)[["ari"]], 1)
})

test_that("a path of one scale has no tree, and one label no scores", {
    path <- report_path()
    expect_null(report_view(path[2], suggested = NA)$tree)
    expect_null(report_view(path, rep("a", 60), suggested = NA)$scores)
})

test_that("the tree has every cluster once, in a lane of its own", {
    clusters <- matched_clusters(path_clusters(report_path(), 4, n_start = 2))
    tree <- report_tree(clusters, NULL)
    expect_identical(nrow(tree$nodes), 24L)
    expect_identical(anyDuplicated(tree$nodes[c("x", "y")]), 0L)
    lanes <- tapply(tree$nodes$y, tree$nodes$cluster, function(y) length(unique(y)))
    expect_identical(as.integer(lanes), rep(1L, 4))
    expect_equal(tree$edges$y, tree$nodes$y[match(tree$edges$from, tree$nodes$node)])
    expect_equal(tree$edges$xend, tree$nodes$x[match(tree$edges$to, tree$nodes$node)])
    expect_identical(unique(report_tree(clusters[1:2], NULL)$nodes$x), 1:2)
    thinned <- report_tree(clusters, NULL, max_scales = 3L)
    expect_identical(unique(thinned$nodes$x), c(1L, 3L, 5L, 6L))
})

test_that("bad arguments are refused with the argument named", {
    path <- report_path()
    x <- normalize_counts(report_cells()$counts, method = "paper")
    refused <- function(message, ...) {
        expect_error(report_view(path, suggested = NA, ...), message, class = "pnmf_error")
    }
    refused("'labels' must have one entry for each of the 60 cells", labels = 1:3)
    refused("'labels[$]b' must have one entry for each of the 60 cells", labels = list(a = 1:60, b = 1:3))
    refused("'labels' must be one label per cell, or a data frame or list", labels = list(1:60))
    refused("'at' must be whole numbers between 1 and 6", at = 9)
    refused("'factors' must be", factors = 1:3)
    refused("'max_cells' must be", max_cells = 0)
    refused("'title' must be a single string", title = 1:2)
    refused("'x' must be a matrix of features x the path's 60 cells, not a 60 x 3", x = x[, 1:3])
    refused("'x' must have row names", x = unname(as.matrix(x))[1:5, ])
    refused("'clusters' must have one row for each of the 60 cells", clusters = data.frame(scale.1 = 1:3))
    refused("not 60 rows and scales 1", clusters = data.frame(scale.1 = rep(1, 60)), at = 1:2)
    refused("unknown argument 'colour'", colour = "red")
    expect_error(report_view(path, suggested = 9), "'suggested' must be", class = "pnmf_error")
})

test_that("the former name of the data of genes works with a warning", {
    path <- report_path()
    x <- normalize_counts(report_cells()$counts, method = "paper")
    expect_warning(found <- view_arguments(list(path = path, x = NULL), list(data = x, seed = 1)),
                   "'data' is now called 'x'", class = "pnmf_warning")
    expect_identical(found, list(path = path, x = x, seed = 1))
    expect_identical(view_arguments(list(path = path), list(x = x)), list(path = path, x = x))
    expect_error(view_arguments(list(path = path, x = x), list(x = x)), "'x' must be given once", class = "pnmf_error")
    expect_identical(view_arguments(list(path = path, x = x), list(seed = 1)), list(path = path, x = x, seed = 1))
})

test_that("cells without counts are left out of pages and trees", {
    cells <- simulate_cells(n_cells = 150, n_genes = 300)
    x <- normalize_counts(cells$counts)
    x[, c(3, 7)] <- 0
    path <- suppressMessages(pnmf(x, rank = 4, scales = 4, control = quick_control()))
    found <- suppressMessages(persistent_clusters(path))
    view <- suppressMessages(report_view(path, cells$type, x = x, suggested = NA))
    expect_identical(dim(view$path)[2], 148L)
    expect_identical(as.character(view$labels$label), as.character(cells$type)[-c(3, 7)])
    expect_identical(unname(as.matrix(view$clusters)), unname(as.matrix(found$clusters[-c(3, 7), ])))
    tree <- suppressMessages(plot_cluster_tree(path, labels = cells$type))
    expect_s3_class(tree, "ggplot")
    expect_s3_class(plot_cluster_tree(found, labels = cells$type), "ggplot")
})

test_that("a reference has no page, because its landmarks have other clusters", {
    reference <- report_path()
    reference@objective <- reference@objective[0, ]
    expect_error(report_view(reference), "'path' is a reference", class = "pnmf_error")
})

test_that("the title says how many cells and scales there are, unless it is given", {
    expect_identical(report_view(report_path(), suggested = NA)$title, "pNMF: 60 cells, 6 scales")
    expect_identical(report_view(report_path(), suggested = NA, title = "Blood")$title, "Blood")
})

test_that("clusters and data of other cells are refused", {
    cells <- simulate_cells(n_cells = 120, n_genes = 300)
    x <- normalize_counts(cells$counts)
    colnames(x) <- paste0("donor_", seq_len(120)) # a path gives "cell1" and so on to cells without names
    fit <- function(cells) suppressMessages(pnmf(x[, cells], rank = 3, scales = 3, control = quick_control()))
    one <- fit(1:60)
    other <- persistent_clusters(fit(61:120))
    refused <- function(call, message) expect_error(call, message, class = "pnmf_error")
    refused(cluster_programs(one, other), "'clusters' lacks 60 of the path's 60 cells")
    refused(report_view(one, clusters = other), "'clusters' lacks 60 of the path's 60 cells")
    refused(report_view(one, x = x[, 61:120]), "'x' lacks 60 of the path's 60 cells")
    turned <- persistent_clusters(fit(60:1))
    refused(cluster_programs(one, turned), "'clusters' must have the cells of the path in the same order: run ")
})

test_that("two factors are drawn as they are, at every scale", {
    path <- report_path()
    shown <- c(2L, 5L, 9L)
    layout <- report_layout(path, c(1L, 4L), NULL, shown, NULL)
    expect_equal(layout$x, cbind(embedding(path, 1)[shown, 1], embedding(path, 4)[shown, 1]), ignore_attr = TRUE)
    expect_identical(layout$axes, c("factor 1", "factor 2"))
    expect_equal(report_layout(path, 3L, c(2, 1), 1:4, NULL)$x[, 1], unname(embedding(path, 3)[1:4, 2]))
})
