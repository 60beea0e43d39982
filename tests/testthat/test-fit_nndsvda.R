positive_matrix <- function(rows, columns, seed = 1) {
    with_random_state(seed, matrix(stats::rexp(rows * columns), rows) * stats::rbinom(rows * columns, 1, 0.7))
}

test_that("the factors are those of the plain-R reference", {
    for (size in list(c(20, 12), c(12, 20), c(7, 7), c(40, 3))) {
        x <- positive_matrix(size[1], size[2])
        for (rank in unique(c(1, 2, min(size)))) {
            start <- nndsvda(x, rank)
            expect_equal(start, ref_nndsvda(x, rank), tolerance = 1e-12)
            expect_identical(dim(start$W), as.integer(c(size[1], rank)))
            expect_identical(dim(start$H), as.integer(c(rank, size[2])))
        }
    }
})

test_that("factors are positive: entries below 1e-8 become the mean of the data", {
    x <- positive_matrix(15, 10)
    start <- nndsvda(x, 4)
    expect_true(all(start$W >= 1e-8) && all(start$H >= 1e-8))
    expect_true(any(start$W == mean(x)) && any(start$H == mean(x)))
})

test_that("a rank-one matrix is reproduced by its first factor", {
    x <- outer(1:6, c(2, 1, 5))
    start <- nndsvda(x, 1)
    expect_equal(start$W %*% start$H, x, tolerance = 1e-12)
    expect_true(all(is.finite(unlist(nndsvda(x, 3)))))
})

test_that("exact decompositions, iterated ones and those from XX' agree", {
    x <- positive_matrix(80, 60)
    exact <- base::svd(x, 5, 5)
    for (input in list(x, methods::as(x, "CsparseMatrix"))) {
        for (found in list(iterated_svd(input, 5), svd_by_features(input, 5, 2L))) {
            expect_equal(found$d, exact$d[1:5], tolerance = 1e-12)
            for (j in 1:5) {
                # The sign of a pair of singular vectors is free; nndsvda() does not depend on it.
                of_exact <- nonnegative_pair(exact$u[, j], exact$v[, j], exact$d[j], j == 1)
                of_found <- nonnegative_pair(found$u[, j], found$v[, j], found$d[j], j == 1)
                flipped <- nonnegative_pair(-exact$u[, j], -exact$v[, j], exact$d[j], j == 1)
                # Singular vectors are as exact as the tolerance 1e-12 over the relative gap of the singular values.
                expect_equal(of_found, of_exact, tolerance = 1e-8)
                expect_identical(flipped, of_exact)
            }
        }
    }
})

test_that("many cells with few features, of lower rank than asked for, have finite starting factors", {
    x <- positive_matrix(700, 2) %*% positive_matrix(2, 3000)
    start <- nndsvda(x, 4)
    expect_true(all(is.finite(unlist(start))))
    exact <- base::svd(x, 1, 1)
    seen <- rowSums(x) > 0
    expect_equal(start$W[seen, 1], sqrt(exact$d[1]) * abs(exact$u[seen, 1]), tolerance = 1e-8)
})

test_that("parts of equal weight are told apart by the largest entry, not by the sign of the vectors", {
    u <- c(0.8, -0.6)
    v <- c(0.6, -0.8)
    expect_identical(nonnegative_pair(u, v, 2, FALSE), nonnegative_pair(-u, -v, 2, FALSE))
})

test_that("large matrices take the iterated decomposition", {
    x <- methods::as(random_sparse(900, 700, 0.02), "CsparseMatrix")
    start <- nndsvda(x, 3)
    svd <- RSpectra::svds(x, 3)
    expect_equal(range(start$W[, 1]), range(sqrt(svd$d[1]) * abs(svd$u[, 1])), tolerance = 1e-6)
    expect_identical(nndsvda(x, 3), start)
})

test_that("sparse and dense input give the same factors, and the session's random numbers are untouched", {
    set.seed(1)
    before <- session_seed()
    x <- random_sparse(50, 30)
    expect_equal(nndsvda(x, 4), nndsvda(as.matrix(x), 4), tolerance = 1e-12)
    expect_equal(nndsvda(methods::as(x, "TsparseMatrix"), 4), nndsvda(x, 4))
    iterated_svd(x, 4)
    expect_identical(session_seed(), before)
})

test_that("scaling the data by s scales both factors by the root of s", {
    x <- positive_matrix(30, 20) + 0.1
    start <- nndsvda(x, 1)
    scaled <- nndsvda(x * 4^5, 1)
    expect_equal(scaled$W, start$W * 2^5, tolerance = 1e-12)
    expect_equal(scaled$H, start$H * 2^5, tolerance = 1e-12)
})

test_that("values of any size give finite factors", {
    x <- positive_matrix(30, 20)
    for (size in c(1e-300, 1e-150, 1e-20, 1e-8, 1e-4, 1e-2, 1e2, 1e4, 1e20, 1e150, 1e300)) {
        expect_true(all(is.finite(unlist(nndsvda(x * size, 3)))))
        for (scaled in list(iterated_svd(x * size, 3), svd_by_features(x * size, 3, 2L))) {
            expect_equal(scaled$d / size, base::svd(x)$d[1:3], tolerance = 1e-10)
        }
    }
})

test_that("all-zero features and cells, one feature, one cell and duplicates work", {
    x <- positive_matrix(10, 8)
    for (input in list(rbind(x, 0), cbind(x, 0), x[, c(1, 1, 2, 2)], matrix(1:5, 1), matrix(1:5, 5), matrix(2, 4, 4))) {
        start <- nndsvda(input, min(dim(input)))
        expect_true(all(is.finite(unlist(start))) && all(unlist(start) > 0))
    }
})

test_that("bad input is refused by name", {
    x <- positive_matrix(6, 5)
    refused <- function(expr, pattern) expect_error(expr, pattern, class = "pnmf_error")
    refused(nndsvda(x - 1, 2), "'x' must be nonnegative, but its smallest entry is -1")
    refused(nndsvda(replace(x, 2, NaN), 2), "'x' must be finite, but 1 entry is NA or NaN")
    refused(nndsvda(replace(x, 2, Inf), 2), "'x' must be finite")
    refused(nndsvda(0 * x, 2), "'x' must have a positive entry")
    refused(nndsvda("a", 2), "'x' must be a numeric matrix")
    refused(nndsvda(x[0, ], 2), "'x' must have at least one row")
    refused(nndsvda(x, 0), "'rank' must be a whole number between 1 and 5, not 0")
    refused(nndsvda(x, 6), "'rank' must be a whole number between 1 and 5, not 6")
    refused(nndsvda(x, 1.5), "'rank'")
    refused(nndsvda(x, NULL), "'rank'.*not NULL")
    refused(nndsvda(methods::as(x - 1, "CsparseMatrix"), 2), "'x' must be nonnegative")
})

test_that("a pair of vectors whose parts have no common sign gives a factor of zeros", {
    expect_identical(nonnegative_pair(c(0.6, 0.8), c(-1, 0), 2, FALSE), list(w = c(0, 0), h = c(0, 0)))
})
