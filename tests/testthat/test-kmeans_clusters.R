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
