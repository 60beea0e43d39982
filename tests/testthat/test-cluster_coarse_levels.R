# Four groups of cells with the embeddings 1 ... 4 and the given profiles (features x 4), and the tree of a graph that
# joins 1 with 2, then 3 with 4. sizes: of the groups
grouped_path <- function(profiles, sizes = rep(5L, 4L)) {
    path <- synthetic_path(list(diag(4)[rep(1:4, sizes), ]))
    path@W <- list(profiles)
    path@feature_names <- paste0("feature", seq_len(nrow(profiles)))
    methods::validObject(path)
    path
}

graph_tree <- function(sizes = rep(5L, 4L)) {
    list(leaves = 4L, leaf = rep(1:4, sizes), a = c(1L, 3L, 5L), b = c(2L, 4L, 6L), resolution = c(0.5, 0.2, 0.1))
}

# The pairs of leaves that are together at a level, as a matrix.
together <- function(tree, level) {
    members <- level_members(tree)[, level]
    outer(members, members, `==`)
}

up <- c(1, 2, 3, 4, 5, 6)
up_too <- c(1, 3, 2, 4, 5, 60)
down <- c(6, 5, 4, 3, 2, 1)
down_too <- c(90, 5, 4, 2, 3, 1)

coarse_cells <- function(seed = 1, ...) {
    cells <- simulate_cells(n_cells = 150, seed = seed)
    suppressMessages(pnmf(normalize_counts(cells$counts, method = "paper"), rank = 6, scales = 10,
                          control = pnmf_control(max_outer = 10, tol = 0, ...)))
}

# A path with four clusters on a line of gaps, 1-2 and 3-4 the closer ones; the genes say 1-3 and 2-4.
contrary_path <- function(sizes = c(40, 40, 40, 40)) {
    group <- rep(1:4, sizes)
    points <- with_random_state(1, cbind(c(0, 30, 70, 100)[group], 0) + stats::rnorm(2 * length(group)))
    path <- synthetic_path(list(diag(4)[group, ], diag(4)[group, ]), betti0 = c(length(group), 1L))
    path@W <- rep(list(cbind(up, down, up_too, down_too, deparse.level = 0)), 2)
    path@feature_names <- paste0("feature", 1:6)
    path@scales$coordinates <- t(points)
    tree <- spanning_tree_cpp(t(points), "euclidean", numeric(), 1L)$edges
    path@scales$mst <- as.data.frame(tree)
    path
}

test_that("clusters with similar profiles merge first, whatever the graph says", {
    tree <- with_coarse_levels(graph_tree(), 1L, grouped_path(cbind(up, down, up_too, down_too)))
    expect_true(together(tree, 3L)[1, 3])
    expect_true(together(tree, 3L)[2, 4])
    expect_false(together(tree, 3L)[1, 2])
    found <- persistent_clusters(contrary_path())
    expect_identical(found$flat_k, 4L)
    group <- rep(1:4, each = 40)
    expect_identical(cluster_scores(c(1, 2, 1, 2)[group], cut(found, k = 2))[["ari"]], 1)
})

test_that("a monotone change of the profiles changes no level", {
    profiles <- with_random_state(2, matrix(stats::rexp(80), 20))
    linear <- with_coarse_levels(graph_tree(), 1L, grouped_path(profiles))
    expect_identical(with_coarse_levels(graph_tree(), 1L, grouped_path(exp(profiles))), linear)
})

# Average linkage by its definition: the mean over all pairs of cells.
test_that("every cell counts the same", {
    sizes <- c(2L, 60L, 7L, 11L)
    for (seed in 1:20) {
        profiles <- with_random_state(seed, matrix(stats::rexp(24), 6))
        tree <- with_coarse_levels(graph_tree(sizes), 1L, grouped_path(profiles, sizes))
        cells <- 1 - stats::cor(profiles, method = "spearman")[rep(1:4, sizes), rep(1:4, sizes)]
        group <- rep(1:4, sizes)
        for (level in 2:4) {
            pairs <- utils::combn(unique(group), 2)
            mean_distance <- apply(pairs, 2, function(p) mean(cells[group == p[1], group == p[2]]))
            nearest <- pairs[, which.min(mean_distance)]
            group[group == nearest[2]] <- nearest[1]
            leaf_group <- group[match(1:4, rep(1:4, sizes))]
            expect_identical(together(tree, level), outer(leaf_group, leaf_group, `==`))
        }
    }
})

test_that("levels down to the recommended one, their sizes and their resolutions stay", {
    tree <- graph_tree()
    path <- grouped_path(cbind(up, down, up_too, down_too))
    after <- with_coarse_levels(tree, 2L, path)
    expect_identical(after[c("leaves", "leaf", "resolution")], tree[c("leaves", "leaf", "resolution")])
    expect_identical(level_members(after)[, 1:2], level_members(tree)[, 1:2])
    expect_identical(apply(level_members(after), 2, function(cluster) length(unique(cluster))), 4:1)
    # One merger is left: there is nothing to order.
    expect_identical(with_coarse_levels(tree, 3L, path), tree)
    expect_identical(with_coarse_levels(tree, 4L, path), tree)
    expect_identical(with_coarse_levels(single_leaf(20L), 1L, path), single_leaf(20L))
})

test_that("the order of the coarse levels changes neither the number of clusters nor the recommended ones", {
    found <- persistent_clusters(contrary_path())
    with_graph_order <- contrary_path()
    with_graph_order@W <- lapply(with_graph_order@W, function(W) W[, c(1, 3, 2, 4)])
    other <- persistent_clusters(with_graph_order)
    expect_identical(found[c("flat", "flat_k", "k", "flat_scale")], other[c("flat", "flat_k", "k", "flat_scale")])
    expect_identical(found$levels[c("k", "resolution")], other$levels[c("k", "resolution")])
    expect_false(identical(cut(found, k = 2), cut(other, k = 2)))
    for (seed in 1:3) {
        found <- persistent_clusters(coarse_cells(seed))
        for (t in 1:9) expect_true(all(tapply(found$clusters[[t + 1]], found$clusters[[t]], \(l) all(l == l[1]))))
        for (k in seq(2, max(found$levels$k))) {
            expect_true(all(tapply(cut(found, k = k - 1), cut(found, k = k), \(l) all(l == l[1]))))
        }
    }
})

test_that("silhouettes are those of the levels shown, and the printed one is the recommended level's", {
    path <- contrary_path()
    found <- persistent_clusters(path)
    for (row in which(found$levels$k > 1)) {
        labels <- cut(found, k = found$levels$k[row])
        expected <- mean_silhouettes_cpp(path@scales$coordinates, list(leaves = max(labels), leaf = unname(labels),
            a = c(1L, max(labels) + seq_len(max(labels) - 2L)), b = seq(2L, max(labels))))[1]
        expect_equal(found$levels$silhouette[row], expected, tolerance = 1e-12)
    }
    found$levels$silhouette[match(c(4, 2), found$levels$k)] <- c(0.25, 0.5)
    expect_output(print(found), "mean silhouette: 0.25")
})

test_that("the order of the cells does not matter", {
    path <- contrary_path(c(30, 50, 40, 20))
    path@H <- with_random_state(3, lapply(path@H, function(H) H + stats::rexp(length(H), 0.2)))
    found <- persistent_clusters(path)
    for (seed in 1:5) {
        other <- persistent_clusters(subset_cells(path, with_random_state(seed, sample(140))))
        for (k in 2:4) expect_identical(cut(other, k = k)[path@cell_names], cut(found, k = k))
    }
})

test_that("without stored bases, the levels are the same", {
    path <- coarse_cells()
    fewer <- coarse_cells(keep = "embedding")
    expect_length(fewer@W, 0L)
    expect_identical(persistent_clusters(fewer)$clusters, persistent_clusters(path)$clusters)
    profiles <- cluster_profiles(fewer, rep(1:2, 75))
    expect_equal(profile_distances(profiles), profile_distances(cluster_profiles(path, rep(1:2, 75))), tolerance = 0.05)
})

test_that("where profiles are equally close, the order of the graph decides", {
    tree <- graph_tree()
    swapped <- replace(tree, c("a", "b"), list(c(1L, 2L, 5L), c(4L, 3L, 6L)))
    for (profiles in list(matrix(0, 6, 4), matrix(1, 6, 4), cbind(up, up, up, up), matrix(1:4, 1))) {
        path <- grouped_path(profiles + 0)
        for (before in list(tree, swapped)) {
            after <- with_coarse_levels(before, 1L, path)
            for (level in 1:4) expect_identical(together(after, level), together(before, level))
        }
    }
})

test_that("a constant profile merges last, and distances are never missing", {
    profiles <- cbind(0, up, up_too, down_too)
    expect_identical(profile_distances(profiles)[1, 2:4], c(up = 1, up_too = 1, down_too = 1))
    expect_false(anyNA(profile_distances(matrix(0, 3, 2))))
    tree <- with_coarse_levels(graph_tree(), 1L, grouped_path(cbind(0, up, up_too, up)))
    expect_identical(together(tree, 3L)[1, ], c(TRUE, FALSE, FALSE, FALSE))
})

test_that("profiles are the means of the fit", {
    path <- coarse_cells()
    group <- rep(1:3, 50)
    fit <- tcrossprod(loading(path, 1), embedding(path, 1))
    expected <- vapply(1:3, function(g) rowMeans(fit[, group == g]), numeric(nrow(fit)))
    expect_equal(cluster_profiles(path, group), expected, ignore_attr = TRUE, tolerance = 1e-12)
})
