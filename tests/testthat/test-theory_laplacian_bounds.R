few_scales <- function(...) persistence_scales(simulate_circles(n_per_circle = 6, n_noise = 4, seed = 1), ...)

test_that("ratios are Laplacian steps over threshold steps, and stay below the bounds", {
    for (select in c("canonical", "uniform", "random", "minimal")) {
        scales <- few_scales(select = select, seed = 1)
        for (alpha in c(0.5, 1.5, 3)) {
            found <- laplacian_bounds(scales, alpha)
            expect_identical(found$t, seq_along(scales$threshold)[-1])
            expect_equal(found$ratio, found$d_laplacian / diff(scales$threshold))
            expect_true(all(found$ratio <= found$bound))
            expect_true(all(found$ratio <= found$uniform_bound))
        }
    }
})

test_that("the bound of an interval holds for any two thresholds within it", {
    # between neighbouring edge lengths only weights change: the bound's first term alone must do
    scales <- few_scales()
    lengths <- scales$edges$length
    for (e in c(5, 50, 150)) {
        scales$threshold <- seq(lengths[e], lengths[e + 1], length.out = 6)[-1]
        scales$betti0 <- scales$n_edges <- rep(1L, 5)
        found <- laplacian_bounds(scales)
        expect_equal(found$bound, (1 + sqrt(scales$n_cells)) * sqrt(2 * e) * 1.5 / (exp(1) * scales$threshold[-5]))
        expect_true(all(found$ratio <= found$bound))
        expect_true(all(found$ratio > 0))
    }
})

test_that("neighbour graphs, duplicate cells and paths are covered", {
    x <- simulate_circles(n_per_circle = 6, n_noise = 4, seed = 1)
    knn <- laplacian_bounds(persistence_scales(x, graph = "knn", n_neighbors = 3))
    expect_true(all(knn$ratio <= knn$bound))
    twins <- laplacian_bounds(persistence_scales(cbind(x, x[, 1:3])))
    expect_true(all(is.finite(unlist(twins))) && all(twins$ratio <= twins$bound))
    path <- pnmf(x, rank = 2, alpha = 2, scales = 5, control = pnmf_control(max_outer = 1, tol = 0))
    expect_equal(laplacian_bounds(path), laplacian_bounds(path@scales, alpha = 2))
    expect_equal(laplacian_bounds(path)$d_laplacian, increments(path)$d_laplacian)
})

test_that("bad input is refused", {
    refused <- function(expr, message) expect_error(expr, message, class = "pnmf_error")
    refused(laplacian_bounds(1), "'scales' must be a persistence_scales object")
    refused(laplacian_bounds(few_scales(n_scales = 1)), "'scales' must have at least two scales to compare, not 1")
    refused(laplacian_bounds(few_scales(), alpha = 0), "'alpha' must be a finite number above 0")
    bare <- few_scales()
    bare["edges"] <- list(NULL)
    refused(laplacian_bounds(bare), "'scales' must have the graphs of its scales")
})
