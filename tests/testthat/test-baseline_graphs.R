# Graphs as dense matrices without names.
dense <- function(graph) unname(as.matrix(graph))
settings <- function(n_neighbors = NULL, weights = NULL) {
    list(n_neighbors = n_neighbors, weights = weights, threads = 1L)
}
random_cells <- function(features = 6, cells = 30) {
    with_random_state(1, matrix(stats::rexp(features * cells), features, cells))
}
# Points of a 4 x 4 grid: most distances occur many times.
grid_cells <- function() t(as.matrix(expand.grid(0:3, 0:3))) + 0

test_that("neighbours are those of the sorted rows of the distance matrix, equal distances by index", {
    for (x in list(random_cells(), grid_cells())) {
        d <- ref_distances(x)
        n <- ncol(x)
        wanted <- t(vapply(seq_len(n), function(i) setdiff(order(d[i, ]), i), integer(n - 1)))
        for (k in c(1L, 3L, n - 1L)) {
            near <- nearest_neighbors_cpp(x, k, "all", 1L)
            expect_identical(near$index, wanted[, seq_len(k), drop = FALSE])
            expect_equal(near$length, matrix(d[cbind(rep(seq_len(n), k), as.vector(near$index))], n), tolerance = 1e-14)
            expect_equal(near$longest, max(d), tolerance = 1e-14)
        }
    }
})

test_that("more cells than one block of the search holds change nothing, nor do threads or sparseness", {
    x <- round(random_cells(3, 600), 1)
    x[x < 0.5] <- 0
    near <- nearest_neighbors_cpp(x, 5L, "all", 1L)
    d <- ref_distances(x)
    # ref_distances() rounds differently, so only lengths are compared: the data has many ties
    expect_equal(near$length, t(apply(d, 1, function(row) sort(row)[2:6])), tolerance = 1e-7)
    expect_identical(nearest_neighbors_cpp(x, 5L, "all", 2L), near)
    sparse <- nearest_neighbors_cpp(as_compressed_columns(Matrix::Matrix(x, sparse = TRUE)), 5L, "all", 2L)
    expect_equal(sparse$length, near$length, tolerance = 1e-7)
    expect_equal(sparse$longest, near$longest, tolerance = 1e-12)
})

test_that("the graphs equal the plain-R reference", {
    w <- c(1, 0, 1, 0, 1, 0, 1, 1)
    for (x in list(random_cells(), grid_cells())) {
        expect_equal(dense(gnmf_graph(x, settings(4))), ref_gnmf_graph(x, 4), tolerance = 1e-13)
        expect_equal(dense(ktnmf_graph(x, settings(weights = w))), ref_ktnmf_graph(x, w), tolerance = 1e-13)
    }
    x <- random_cells()
    expect_equal(dense(tnmf_graph(x, settings(4, w))), ref_tnmf_graph(x, 4, w), tolerance = 1e-13)
    expect_equal(dense(tnmf_graph(x, settings(4, 5))), ref_tnmf_graph(x, 4, 5), tolerance = 1e-13)
})

test_that("graphs are symmetric, without loops, within 0 and 1, and named as the cells", {
    x <- random_cells()
    colnames(x) <- paste0("c", seq_len(ncol(x)))
    w <- c(3, 2, 1)
    graphs <- list(gnmf_graph(x, settings(3)), tnmf_graph(x, settings(3, w)), ktnmf_graph(x, settings(weights = w)))
    for (graph in graphs) {
        expect_s4_class(graph, "dsCMatrix")
        expect_true(all(Matrix::diag(graph) == 0))
        expect_true(all(graph@x > 0 & graph@x <= 1))
        expect_identical(colnames(graph), colnames(x))
    }
})

test_that("only the ratio of weights matters, and the nearest neighbour collects all of them in k-TNMF", {
    x <- random_cells()
    expect_equal(ktnmf_graph(x, settings(weights = c(1, 2))), ktnmf_graph(x, settings(weights = c(10, 20))))
    expect_equal(tnmf_graph(x, settings(3, c(1, 2))), tnmf_graph(x, settings(3, c(10, 20))))
    nearest <- nearest_neighbors_cpp(x, 1L, "all", 1L)$index[, 1]
    expect_equal(dense(ktnmf_graph(x, settings(weights = c(1, 2))))[cbind(seq_along(nearest), nearest)],
                 rep(1, ncol(x)), tolerance = 1e-15)
})

test_that("the pair with the largest heat weight gets every weight of TNMF, whatever rounding does", {
    for (seed in 1:20) {
        x <- with_random_state(seed, matrix(stats::rexp(40), 4, 10))
        d <- ref_distances(x)
        closest <- which(d == min(d[d > 0]), arr.ind = TRUE)[1, ]
        graph <- dense(tnmf_graph(x, settings(2, c(1, 2, 3))))
        expect_equal(graph[closest[1], closest[2]], 1, tolerance = 1e-12)
    }
})

test_that("equal cells are neighbours of weight one", {
    x <- matrix(1, 3, 5)
    expect_equal(dense(gnmf_graph(x, settings(4))), 1 - diag(5))
})

test_that("distances whose heat weights all underflow are refused", {
    x <- diag(5) * 1e9
    expect_error(gnmf_graph(x, settings(2)), "'x' has distances so large .* rescale it", class = "pnmf_error")
})
