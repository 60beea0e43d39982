test_that("the default is the paper's: four circles of 20 points in 100 dimensions, nonnegative", {
    x <- simulate_circles()
    expect_identical(dim(x), c(100L, 80L))
    expect_identical(attr(x, "circle"), rep(1:4, each = 20))
    expect_gte(min(x), 0)
    expect_false(anyDuplicated(colnames(x)) > 0 || anyDuplicated(rownames(x)) > 0)
})

test_that("without noise every circle is a circle around the common centre, in a plane of its own", {
    x <- simulate_circles(n_circles = 3, n_per_circle = 12, n_noise = 0, radii = c(1, 4, 9), noise = 0)
    expect_identical(dim(x), c(3L, 36L))
    centre <- rowMeans(x)
    radius <- sqrt(colSums((x - centre)^2))
    expect_equal(unname(radius), rep(c(1, 4, 9), each = 12), tolerance = 1e-12)
    normals <- vapply(1:3, function(k) {
        points <- x[, attr(x, "circle") == k] - centre
        singular <- svd(points)
        expect_lt(singular$d[3], 1e-12 * singular$d[1])
        singular$u[, 3]
    }, numeric(3))
    expect_lt(max(abs(crossprod(normals)[upper.tri(diag(3))])), 0.999)
    first <- x[, 1:12]
    # Neighbours on a circle are evenly spaced: chords of 2 r sin(pi / n).
    expect_equal(unname(sqrt(colSums((first[, -1] - first[, -12])^2))), rep(2 * sin(pi / 12), 11), tolerance = 1e-12)
})

test_that("noise has its standard deviation in every dimension", {
    x <- simulate_circles(n_circles = 1, n_per_circle = 4000, n_noise = 2, noise = 3)
    # The standard error of a standard deviation from n values is sd / sqrt(2 n).
    expect_equal(apply(unclass(x)[4:5, ], 1, stats::sd), c(dim4 = 3, dim5 = 3), tolerance = 5 / sqrt(2 * 4000))
})

test_that("the shift that makes the data nonnegative keeps all distances", {
    x <- simulate_circles(n_per_circle = 5, n_noise = 2, noise = 0.1)
    spatial <- dist(t(x[1:3, ]))
    expect_equal(max(spatial), 100 * sin(2 * pi / 5), tolerance = 0.02) # the longest chord among five points
})

test_that("a seed decides, and the session's random numbers are untouched", {
    set.seed(1)
    before <- session_seed()
    expect_identical(simulate_circles(seed = 7), simulate_circles(seed = 7))
    expect_false(identical(simulate_circles(seed = 7), simulate_circles(seed = 8)))
    expect_identical(simulate_circles(seed = NULL), simulate_circles(seed = NULL))
    expect_identical(session_seed(), before)
})

test_that("other numbers of circles get radii of their own", {
    expect_identical(default_radii(2), c(5, 10))
    expect_identical(default_radii(4), c(5, 10, 20, 50))
    expect_identical(default_radii(6), c(5, 10, 20, 40, 80, 160))
    expect_identical(table(attr(simulate_circles(n_circles = 5, n_per_circle = 3), "circle"))[["5"]], 3L)
    expect_identical(dim(simulate_circles(1, 1, 0)), c(3L, 1L))
})

test_that("bad input is refused by name", {
    refused <- function(expr, pattern) expect_error(expr, pattern, class = "pnmf_error")
    refused(simulate_circles(n_circles = 0), "'n_circles' must be a whole number of at least 1, not 0")
    refused(simulate_circles(n_per_circle = 2.5), "'n_per_circle'")
    refused(simulate_circles(n_noise = -1), "'n_noise' must be a whole number of at least 0, not -1")
    refused(simulate_circles(noise = -1), "'noise'")
    refused(simulate_circles(noise = NA), "'noise'")
    refused(simulate_circles(radii = 1:3), "'radii' must be 4 positive numbers, not an integer vector of length 3")
    refused(simulate_circles(n_circles = 2, radii = c(1, 0)), "'radii'")
    refused(simulate_circles(seed = "a"), "'seed'")
})
