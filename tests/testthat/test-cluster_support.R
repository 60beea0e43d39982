two_groups <- function(apart, n = 120, seed = 1) {
    with_random_state(seed, {
        rbind(c(rep(0, n / 2), rep(apart, n / 2)) + stats::rnorm(n), matrix(stats::rnorm(3 * n), 3))
    })
}
halves <- function(points) {
    leaf <- rep(1:2, each = ncol(points) / 2)
    graph <- neighbor_graph(points, spanning_tree_cpp(points, "euclidean", numeric(), 1L)$edges, 1L)
    list(leaves = 2L, leaf = leaf, a = 1L, b = 2L, at = 1L, weight = leaf_weights_cpp(graph, leaf, 2L))
}

test_that("a gap has a small p-value and support, the halves of one cloud have neither", {
    apart <- two_groups(10)
    expect_lt(merger_tests(halves(apart), apart, 1L)$p_value, 1e-3)
    expect_false(merger_tests(halves(apart), apart, 1L)$continuum)
    expect_gt(min(cluster_support(halves(apart), apart, NULL, 1L)), 0.9)
    one <- two_groups(0)
    expect_gt(merger_tests(halves(one), one, 1L)$p_value, 0.05)
    expect_false(merger_tests(halves(one), one, 1L)$continuum)
    expect_lt(min(cluster_support(halves(one), one, NULL, 1L)), 0.75)
})

test_that("support does not depend on the order of the cells, and leaves the random numbers alone", {
    points <- two_groups(3)
    order <- with_random_state(2, sample(ncol(points)))
    tree <- halves(points)
    start_stream(3)
    before <- .Random.seed
    found <- cluster_support(tree, points, NULL, 1L)
    expect_identical(.Random.seed, before)
    tree$leaf <- tree$leaf[order]
    expect_identical(cluster_support(tree, points[, order], NULL, 2L), found)
    expect_true(all(is.na(cluster_support(list(leaves = 2L, leaf = 1:2, a = 1L, b = 2L), points[, 1:2], NULL, 1L))))
})

test_that("support takes no more than the given number of cells at a time", {
    apart <- two_groups(10, n = 400)
    expect_gt(min(cluster_support(halves(apart), apart, NULL, 1L, max_cells = 60)), 0.9)
    # Ten cells have no clusters of five.
    expect_lt(max(cluster_support(halves(apart), apart, NULL, 1L, max_cells = 8)[1:2]), 0.8)
})

test_that("resolutions of mergers are those of modularity within the clusters that merge", {
    weight <- rbind(c(10, 2, 1), c(2, 6, 0), c(1, 0, 4))
    tree <- list(leaves = 3L, a = c(1L, 4L), b = c(2L, 3L), weight = weight)
    expect_equal(merger_resolutions(tree), c(2 * 20 / (12 * 8), 1 * 26 / (21 * 5)))
})

test_that("a curve is a continuum: its parts are told from a cloud, but there is no gap", {
    angle <- with_random_state(4, sort(stats::runif(300, 0, 1.5 * pi)))
    points <- with_random_state(5, rbind(cos(angle), sin(angle), 0, 0) * 10 + matrix(stats::rnorm(1200, sd = 0.8), 4))
    found <- persistent_clusters(persistence_scales(points, metric = "adaptive", graph = "knn", n_scales = 6))
    expect_gt(found$flat_k, 1L)
    expect_true(all(found$tree$continuum, na.rm = TRUE))
    expect_identical(found$supported_k, 1L)
    expect_output(print(found), "cut out of a continuum")
    expect_output(print(found), "no split is a gap \\(p_value at most 0.05\\)")
    drawn <- plot(found)
    expect_match(drawn$labels$subtitle, "support: found again when half of the cells are left out")
    expect_match(drawn$labels$subtitle, "stage: part of a continuum")
    expect_identical(endsWith(cluster_bars(found)$label, " stage"), found$tree$continuum %in% TRUE)
    # The same curve with two gaps has three supported clusters.
    whole <- abs(angle - pi / 2) > 0.35 & abs(angle - pi) > 0.35
    parted <- persistent_clusters(persistence_scales(points[, whole], metric = "adaptive", graph = "knn", n_scales = 6))
    expect_identical(parted$supported_k, 3L)
    expect_output(print(parted), "only the splits that are gaps \\(p_value at most 0.05\\): 3 clusters")
    expect_no_match(plot(parted)$labels$subtitle, "continuum")
    part <- findInterval(angle[whole], c(pi / 2, pi))
    expect_identical(cluster_scores(part, parted$supported)[["ari"]], 1)
    # The numbers are those of the tree, and splits that are not supported are not made.
    expect_true(all(parted$supported %in% parted$tree$cluster))
    expect_length(unique(found$supported), 1)
    expect_identical(names(parted$supported), names(parted$flat))
})

test_that("splits that a cloud would have are shown if asked for", {
    cloud <- with_random_state(3, matrix(stats::rnorm(900), 3))
    scales <- persistence_scales(cloud, metric = "adaptive", graph = "knn", n_scales = 5)
    expect_identical(persistent_clusters(scales)$k, rep(1L, 5))
    shown <- persistent_clusters(scales, all_splits = TRUE)
    expect_gt(shown$k[1], 1L)
    expect_true(any(shown$tree$p_value > 0.05, na.rm = TRUE))
    untested <- persistent_clusters(scales, support = FALSE)
    expect_identical(untested$k, shown$k)
    expect_true(all(is.na(untested$tree$support)) && all(is.na(untested$tree$p_value)))
    expect_true(all(is.na(untested$supported)) && is.na(untested$supported_k))
    expect_output(print(untested), "not tested")
})

# Counts of one type, whose cells differ in depth and, if asked for, along one line.   genes x cells
one_type <- function(covariate, seed, n = 300, n_genes = 400) {
    with_random_state(seed, {
        moved <- covariate * ifelse(stats::runif(n_genes) < 0.2, stats::rnorm(n_genes), 0)
        share <- stats::rgamma(n_genes, 0.6) * exp(outer(moved, stats::runif(n, -1, 1)))
        depth <- 2000 * exp(stats::rnorm(n, sd = 0.5))
        matrix(stats::rpois(n * n_genes, sweep(share, 2, depth / colSums(share), `*`)), n_genes)
    })
}
found_in <- function(x) {
    persistent_clusters(persistence_scales(principal_components(x, 20L, 1L)$coordinates, metric = "adaptive",
                                           graph = "knn", thin = "effective"))
}

test_that("one strong continuous covariate is no set of clusters, but may have stages", {
    strong <- lapply(1:3, function(seed) found_in(normalize_counts(one_type(covariate = 1.5, seed))))
    expect_identical(vapply(strong, function(found) found$supported_k, 1L), rep(1L, 3))
    tree <- do.call(rbind, lapply(strong, function(found) found$tree))
    expect_true(any(tree$continuum, na.rm = TRUE)) # otherwise this tests nothing
    expect_true(all(tree$p_value > 0.05, na.rm = TRUE))
    expect_identical(found_in(normalize_counts(one_type(covariate = 0, 4)))$supported_k, 1L)
})

test_that("a gene of two levels among shuffled genes is no set of clusters", {
    held <- new.env()
    utils::data("pbmc_sorted", package = "pNMF", envir = held)
    x <- as.matrix(normalize_counts(held$pbmc_sorted$counts))
    found <- found_in(with_random_state(1, t(apply(x, 1, sample))))
    expect_identical(found$supported_k, 1L)
    expect_gt(found_in(x)$supported_k, 4L)
})

test_that("trees of several sets of cells are those of each, on any number of threads", {
    sets <- with_random_state(1, lapply(c(60, 200, 90), function(n) {
        matrix(stats::rnorm(3 * n), 3) + rep(c(0, 6), each = 3 * n / 2)
    }))
    found <- grown_trees(sets, 2L)
    expect_identical(grown_trees(sets, 1L), found)
    one_by_one <- lapply(sets, function(x) {
        links <- spanning_tree_cpp(x, "euclidean", numeric(), 1L)$edges
        community_tree_cpp(neighbor_graph(x, links, 1L), cluster_neighbors(ncol(x)))
    })
    expect_identical(found, one_by_one)
    expect_true(all(vapply(found, function(tree) tree$leaves, 1) >= 2))
})
