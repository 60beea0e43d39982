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
