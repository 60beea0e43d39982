test_that("two cells and one feature are enough", {
    expect_equal(persistence_scales(matrix(c(1, 4), 1))$threshold, c(3, 3 * (1 + 1e-9)))
    expect_equal(persistence_scales(matrix(c(5, 1, 2, 9), 1))$threshold, c(1, 3, 4, 8 * (1 + 1e-9)))
})

test_that("zero features and zero cells change nothing", {
    x <- random_cells(12)
    expect_equal(persistence_scales(rbind(x, 0, 0))$threshold, persistence_scales(x)$threshold, tolerance = 1e-13)
    with_origin <- persistence_scales(cbind(x, 0, 0))
    expect_identical(with_origin$threshold[1], 0)
    expect_equal(with_origin$betti0[1], 14)
})

test_that("sparse and dense input give the same scales", {
    x <- random_sparse(50, 40)
    for (metric in c("euclidean", "cosine", "local")) {
        sparse <- persistence_scales(x, metric = metric)
        dense <- persistence_scales(as.matrix(x), metric = metric)
        # |x|^2 + |y|^2 - 2 x.y against direct differences
        expect_equal(sparse$threshold, dense$threshold, tolerance = 1e-11)
        expect_equal(sparse[c("betti0", "n_edges", "multiplicity")], dense[c("betti0", "n_edges", "multiplicity")])
        expect_equal(own_distances(sparse), own_distances(dense), tolerance = 1e-11)
    }
})

test_that("a dist object gives the scales of its coordinates", {
    x <- random_cells(25)
    colnames(x) <- paste0("c", 1:25)
    from_dist <- persistence_scales(dist(t(x)))
    expect_equal(from_dist[c("threshold", "betti0", "n_edges", "cell_names", "n_cells")],
                 persistence_scales(x)[c("threshold", "betti0", "n_edges", "cell_names", "n_cells")],
                 tolerance = 1e-13)
    expect_equal(persistence_scales(stats::as.dist(matrix(c(0L, 2L, 2L, 0L), 2)))$threshold, c(2, 2 * (1 + 1e-9)))
    ultrametric <- stats::cophenetic(hclust(dist(t(x)), "single"))
    expect_equal(persistence_scales(ultrametric)$mst$length, sort(hclust(dist(t(x)), "single")$height),
                 tolerance = 1e-13)
})

test_that("any numeric input works: integers, logicals, data frames, other Matrix classes", {
    x <- matrix(c(0, 3, 1, 0, 2, 2, 5, 1, 0, 0, 1, 7), 3)
    wanted <- persistence_scales(x)$threshold
    integers <- x
    storage.mode(integers) <- "integer"
    for (input in list(integers, as.data.frame(x), methods::as(x, "TsparseMatrix"), methods::as(x, "RsparseMatrix"),
                       Matrix::Matrix(x, sparse = FALSE))) {
        expect_equal(persistence_scales(input)$threshold, wanted)
    }
    expect_equal(persistence_scales(x > 1)$betti0, persistence_scales((x > 1) + 0)$betti0)
})

test_that("the largest entry may be 1e-150 or 1e150, and there are many cells beyond many_cells", {
    for (largest in c(1e-150, 1e150)) expect_null(assert_squares_exist(matrix(c(0, largest), 1)))
    expect_false(has_many_cells(matrix(0, 1, many_cells)))
    expect_true(has_many_cells(matrix(0, 1, many_cells + 1)))
})

test_that("bad input is refused by name", {
    x <- random_cells(20)
    refused <- function(pattern, ...) expect_error(persistence_scales(...), pattern, class = "pnmf_error")
    refused("'x' must be finite, but 1 entry is NA", replace(x, 3, NA))
    refused("'x' must be finite, but 2 entries are infinite", replace(x, 3:4, -Inf))
    refused("'x' must be a numeric matrix.*character matrix", matrix("a", 2, 2))
    refused("'x' must be a numeric matrix", 1:10)
    refused("'x' must be a numeric matrix.*NULL", NULL)
    refused("'x' must be numeric, but the data.frame", data.frame(a = letters))
    refused("'x' must have at least one row", matrix(0, 0, 5))
    refused("'x' must have at least one row", matrix(0, 5, 0))
    refused("'x' must have at least two cells \\(columns\\), not 1", matrix(1, 5, 1))
    refused("'x' must have a largest entry", x * 1e160)
    refused("'x' must have a largest entry", x * 1e-170)
    refused("'x' has 1 cell.*cosine", cbind(x, 0), metric = "cosine")
    refused("'n_neighbors' must be a whole number between 1 and 19, not 20", x, graph = "knn", n_neighbors = 20)
    refused("'n_neighbors' must be a whole number between 1 and 9, not 15", x[, 1:10], graph = "knn")
    refused("'n_neighbors'", x, graph = "knn", n_neighbors = 0)
    refused("'n_scales'.*not 0", x, n_scales = 0)
    refused("'n_scales'.*not 2.5", x, n_scales = 2.5)
    refused("'n_scales' must be a whole number", x, n_scales = 0)
    refused("'select' must be one of .*not \"fine\"", x, select = "fine")
    refused("'thin' must be one of", x, thin = 3)
    refused("'metric' must be one of", x, metric = "manhattan")
    refused("'graph' must be one of", x, graph = NA)
    refused("'seed' must be a whole number", x, seed = "a")
    refused("'threads' must be a whole number", x, threads = 0)
})

test_that("bad dist objects are refused by name", {
    refused <- function(pattern, ...) expect_error(persistence_scales(...), pattern, class = "pnmf_error")
    d <- dist(t(random_cells(5)))
    refused("'x' must be finite", replace(d, 2, NA))
    refused("'x' must have nonnegative distances, not -1", replace(d, 2, -1))
    refused("'x' must have at least two cells", dist(1))
    refused("'x' must be a complete dist", structure(d[-1], class = "dist", Size = 5L))
    refused("'metric' must be \"euclidean\"", d, metric = "cosine")
    refused("'graph' must be \"full\"", d, graph = "knn")
})
