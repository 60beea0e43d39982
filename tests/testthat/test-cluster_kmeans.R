test_that("rows are told apart by value, and counting stops once there are enough", {
    x <- rbind(c(1, 2), c(1, 2), c(2, 1), c(1, 2 + 1e-15), c(2, 1))
    expect_identical(distinct_rows(x, 10L), c(1L, 1L, 2L, 3L, 2L))
    expect_identical(max(distinct_rows(matrix(as.numeric(1:200), 100), 5L)), 5L)
})

test_that("starting centres are distinct cells, drawn far apart more often than near", {
    x <- rbind(matrix(0, 50, 2), matrix(c(100, 0), 1, 2), matrix(c(0, 100), 1, 2))
    centers <- with_random_state(1, replicate(20, nrow(unique(spread_centers(x, 3)))))
    expect_identical(centers, rep(3L, 20))
})

test_that("squared distances that underflow end the search for centres instead of failing", {
    x <- rbind(c(0, 0), c(1e-200, 0), c(2e-200, 0))
    expect_identical(nrow(with_random_state(1, spread_centers(x, 2L))), 1L)
    expect_length(cluster_embedding(x, 2, n_start = 2), 3L)
})

test_that("more starts never give a worse optimum for the same seed", {
    x <- with_random_state(8, matrix(stats::runif(400), 100, 4))
    sums <- vapply(c(1, 5, 25), function(n) {
        attr(cluster_embedding(x, 8, n_start = n, seed = 3), "withinss")
    }, numeric(1))
    expect_true(all(diff(sums) <= 0))
})

test_that("Lloyd's algorithm serves where Hartigan-Wong does not, and the nearest start where Lloyd loses a cluster", {
    x <- rbind(c(0, 0), c(0, 1), c(9, 9), c(9, 8))
    expect_identical(settled_kmeans(x, x[c(1, 3), ], rounds = 0L), list(cluster = c(1L, 1L, 2L, 2L), withinss = 1))
    x <- cbind(c(9, 0, 5, 0, 7, 9, 7, 3, 3, 1, 7), c(8, 8, 2, 9, 2, 4, 0, 7, 6, 2, 8))
    start <- x[c(10, 1, 6, 11), ]
    expect_null(try_kmeans(x, start, "Lloyd"))
    fit <- settled_kmeans(x, start, rounds = 0L)
    nearest <- apply(as.matrix(stats::dist(rbind(start, x)))[-(1:4), 1:4], 1, which.min)
    expect_identical(fit$cluster, unname(nearest))
    expect_identical(sort(unique(fit$cluster)), 1:4)
    within <- tapply(seq_len(nrow(x)), fit$cluster, function(i) sum(scale(x[i, , drop = FALSE], scale = FALSE)^2))
    expect_equal(fit$withinss, sum(within))
})
