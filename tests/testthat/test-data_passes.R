test_that("the passes that benchmarks time run on dense and sparse data", {
    x <- small_data(1, features = 30, cells = 25)
    start <- random_start(1, x, 3)
    for (data in list(x, as_sparse(x))) {
        seconds <- data_pass_seconds_cpp(data, start$W, start$H, 5L, 1L)
        expect_length(seconds, 1L)
        expect_true(is.finite(seconds) && seconds > 0)
    }
    expect_error(data_pass_seconds_cpp("x", start$W, start$H, 1L, 1L))
})

test_that("the sweeps that benchmarks take apart spend part of their time in products with the data", {
    x <- small_data(1, features = 30, cells = 25)
    start <- random_start(1, x, 3)
    scales <- with_edges(persistence_scales(x, n_scales = 4))
    options <- list(lambda_graph = 1, lambda_smooth = 1, lambda_anchor = 0.1, max_outer = 6L, max_inner = 10L, tol = 0,
                    record = FALSE, chain_start = TRUE, extrapolate = TRUE, weight = numeric(0), gap = numeric(0),
                    all_bases = TRUE)
    for (data in list(x, as_sparse(x))) {
        time <- timed_sweeps_cpp(data, scales$edges, scales$threshold, 1.5, start$W, start$H, options)
        expect_identical(time[["products"]], 2 * 4 * 5)
        expect_gt(time[["passes"]], 0)
        expect_lt(time[["passes"]], time[["seconds"]])
    }
})
