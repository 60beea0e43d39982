test_that("duplicate cells are at distance exactly zero, dense or sparse, also far from the origin", {
    x <- random_cells(15) + 1e6
    x <- cbind(x, x[, c(3, 3, 8)], x[, 1] + c(1e-5, 0, 0, 0, 0))
    for (input in list(x, methods::as(x, "CsparseMatrix"))) {
        scales <- persistence_scales(input)
        expect_identical(scales$threshold[1], 0)
        expect_identical(scales$multiplicity[1], 3L)
        expect_equal(scales$betti0[1:2], c(19, 16))
        # The near duplicate is found by direct differences: products would lose it among rounding errors.
        expect_equal(scales$threshold[2], 1e-5, tolerance = 1e-4)
        expect_true(all(is.finite(scales$threshold)) && all(is.finite(scale_graph(scales, 2)$adjacency@x)))
    }
})

test_that("cosine distances are 1 - cos", {
    x <- random_cells(20)
    unit <- sweep(x, 2, sqrt(colSums(x^2)), "/")
    d <- 1 - crossprod(unit)
    expect_equal(persistence_scales(x, metric = "cosine")$mst$length,
                 sort(hclust(stats::as.dist(d), "single")$height), tolerance = 1e-12)
    # The length of a cell does not matter: powers of two change no bit, and no length is too short to be divided by.
    expect_identical(persistence_scales(x * rep(2^(1:20), each = 5), metric = "cosine")$threshold,
                     persistence_scales(x, metric = "cosine")$threshold)
    short <- cbind(x[, 1:10], 1e-170 * x[, 11:20])
    for (input in list(short, methods::as(short, "CsparseMatrix"))) {
        expect_equal(persistence_scales(input, metric = "cosine")$threshold,
                     persistence_scales(x, metric = "cosine")$threshold, tolerance = 1e-12)
    }
})

test_that("local distances are d_ij / sqrt(s_i s_j) mean(s), s_i the distance to the 7th neighbour", {
    x <- random_cells(25) * rep(c(1, 10), c(60, 65))
    d <- ref_distances(x)
    s <- apply(d, 1, function(row) sort(row)[8])
    local <- d / sqrt(outer(s, s)) * mean(s)
    scales <- persistence_scales(x, metric = "local")
    expect_equal(scales$mst$length, sort(hclust(stats::as.dist(local), "single")$height), tolerance = 1e-12)
    expect_equal(scales$edges$length, sort(local[upper.tri(local)]), tolerance = 1e-12)
    few <- persistence_scales(x[, 1:4], metric = "local")
    expect_equal(few$betti0, 4:1)
})

test_that("local distances survive cells with seven duplicates", {
    x <- cbind(random_cells(10), matrix(1, 5, 9))
    scales <- persistence_scales(x, metric = "local")
    expect_identical(scales$threshold[1], 0)
    expect_identical(scales$multiplicity[1], 8L)
    expect_true(all(is.finite(scales$edges$length)))
})

test_that("the adaptive metric divides by the larger distance to the 7th neighbour", {
    x <- random_cells(40)
    d <- as.matrix(stats::dist(t(x)))
    s <- apply(d, 1, function(row) sort(row)[8])
    expected <- d / outer(s, s, pmax) * mean(s)
    scales <- persistence_scales(x, metric = "adaptive")
    tree <- stats::hclust(stats::as.dist(expected), "single")
    expect_equal(scales$mst$length, tree$height, tolerance = 1e-12)
    sparse <- persistence_scales(as(x, "CsparseMatrix"), metric = "adaptive")
    expect_equal(sparse$mst$length, tree$height, tolerance = 1e-10)
    # Eight copies of every cell leave no distance to a 7th neighbour.
    copies <- x[, rep(1:5, each = 8)]
    expect_identical(persistence_scales(copies, metric = "adaptive")$mst$length,
                     persistence_scales(copies)$mst$length)
})

test_that("nearly equal sparse cells are as far apart as their few differences say", {
    # Norms minus products would leave nothing of 1e-12: the entries that only one of the two has must be looked up.
    x <- small_data(2, features = 12, cells = 5, zeros = 0.2) + 1
    x[1:3, ] <- 0
    x[, 2] <- x[, 1]
    x[1, 1] <- 1e-6
    x[2, 2] <- 2e-6
    expect_equal(persistence_scales(as_sparse(x))$mst$length[1], sqrt(5) * 1e-6, tolerance = 1e-12)
    expect_equal(persistence_scales(x)$mst$length[1], sqrt(5) * 1e-6, tolerance = 1e-12)
})
