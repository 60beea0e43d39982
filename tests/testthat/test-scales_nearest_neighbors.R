# Cells around a few centers that are further apart than the cells of one group.
clustered_cells <- function(n, p = 10, groups = 8, apart = 4, seed = 1) {
    with_random_state(seed, {
        centers <- matrix(stats::rnorm(p * groups, sd = apart), p)
        centers[, sample.int(groups, n, replace = TRUE)] + stats::rnorm(n * p)
    })
}

# What the approximate tree of the same cells costs.
tree_error <- function(x, ...) {
    exact <- persistence_scales(x, graph = "knn", ...)$mst$length
    approximate <- persistence_scales(x, graph = "knn", tree = "approximate", ...)$mst$length
    list(lowest = min(approximate - exact), total = sum(approximate) / sum(exact),
         largest = max(approximate / exact) - 1)
}

test_that("the approximate tree is never shorter than the exact one, and hardly longer", {
    # As documented: 1.0002 in all, 1.01 for a single threshold.
    for (x in list(clustered_cells(1500), clustered_cells(1200, p = 30, apart = 1), random_cells(1500, p = 3))) {
        error <- tree_error(x)
        expect_gte(error$lowest, 0)
        expect_lt(error$total, 1.0002)
        expect_lt(error$largest, 0.01)
    }
    expect_lt(tree_error(clustered_cells(1200), metric = "cosine")$total, 1.0002)
    expect_lt(tree_error(clustered_cells(1200), metric = "local")$total, 1.002)
    expect_lt(tree_error(random_sparse(60, 900))$total, 1.0002)
})

test_that("the approximate tree of real cells is close to the exact one", {
    x <- shared_data("pbmc_facs.rds")$X
    components <- RSpectra::svds(x, 20, nu = 0)
    error <- tree_error(components$d * t(components$v))
    expect_gte(error$lowest, 0)
    expect_lt(error$total, 1.0002)
    expect_lt(error$largest, 0.01)
})

test_that("components and edges of the approximate scales are those of their own graph", {
    x <- clustered_cells(800, groups = 5, apart = 20)
    scales <- persistence_scales(x, graph = "knn", n_neighbors = 4, tree = "approximate")
    expect_identical(scales$tree, "approximate")
    expect_identical(nrow(scales$mst), 799L)
    for (t in c(1, 2, 300, 780, 796, 799, 800)) {
        joined <- scale_graph(scales, t)$adjacency
        components <- igraph::components(igraph::graph_from_adjacency_matrix(joined, "undirected", weighted = TRUE))
        expect_equal(components$no, scales$betti0[t])
        expect_equal(Matrix::nnzero(joined) / 2, scales$n_edges[t])
    }
    # Five groups far apart are joined by exact searches: their four joins are the exact tree's.
    exact <- persistence_scales(x, graph = "knn", n_neighbors = 4)
    expect_identical(utils::tail(scales$mst, 4), utils::tail(exact$mst, 4))
    expect_output(print(scales), "approximate tree")
})

test_that("few cells, ties and duplicates have an approximate tree", {
    x <- tied_cells()
    approximate <- persistence_scales(x, graph = "knn", n_neighbors = 3, tree = "approximate")
    expect_identical(approximate$threshold, persistence_scales(x)$threshold)
    two <- persistence_scales(x[, 1:2], graph = "knn", n_neighbors = 1, tree = "approximate")
    expect_identical(two$threshold, persistence_scales(x[, 1:2])$threshold)
})

test_that("approximate scales do not depend on threads, and leave the session's random numbers alone", {
    set.seed(3)
    before <- session_seed()
    for (x in list(clustered_cells(900), random_sparse(60, 700))) {
        one <- persistence_scales(x, graph = "knn", tree = "approximate", threads = 1)
        expect_identical(persistence_scales(x, graph = "knn", tree = "approximate", threads = 2), one)
    }
    expect_identical(session_seed(), before)
})

test_that("neighbour descent finds nearly all neighbours", {
    x <- clustered_cells(1500, p = 20)
    exact <- nearest_neighbors_cpp(x, 15L, "all", 1L)$index
    found <- nearest_neighbors_cpp(x, 15L, "approximate", 2L)$index
    share <- mean(vapply(seq_len(1500), function(i) mean(found[i, ] %in% exact[i, ]), numeric(1)))
    # 0.99 and more; without the descent, from random splits alone, below 0.8
    expect_gt(share, 0.98)
})

test_that("exact neighbours are those of all pairs, ties in the same order, on any number of threads", {
    grid <- t(as.matrix(expand.grid(1:9, 1:9, 1:9)))
    for (x in list(clustered_cells(1500, p = 4), clustered_cells(900, p = 40, apart = 0.5), cbind(grid, grid[, 1:30]),
                   random_sparse(80, 700), random_cells(40))) {
        all <- nearest_neighbors_cpp(x, 9L, "all", 1L)
        expect_identical(nearest_neighbors_cpp(x, 9L, "exact", 1L)[1:2], all[1:2])
        expect_identical(nearest_neighbors_cpp(x, 9L, "exact", 2L)[1:2], all[1:2])
    }
})

test_that("an approximate tree that does not exist is refused", {
    x <- random_cells(30)
    refused <- function(pattern, ...) expect_error(persistence_scales(...), pattern, class = "pnmf_error")
    refused("'tree' must be \"exact\" with graph = \"full\"", x, tree = "approximate")
    refused("'tree' must be one of", x, tree = "best")
    refused("'graph' must be \"full\" when 'x' is a dist", stats::dist(t(x)), graph = "knn", tree = "approximate")
})
