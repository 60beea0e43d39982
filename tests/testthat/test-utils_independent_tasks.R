test_that("tasks give the same results in this process and on BiocParallel workers", {
    skip_if_not_installed("BiocParallel")
    square <- function(x, add) x^2 + add
    serial <- run_independent(1:5, square, add = 1)
    expect_identical(serial, lapply(1:5, function(x) x^2 + 1))
    set.seed(1)
    before <- .Random.seed
    expect_identical(run_independent(1:5, square, BiocParallel::SerialParam(), add = 1), serial)
    expect_identical(.Random.seed, before)
})

test_that("an error inside a task reaches the caller", {
    skip_if_not_installed("BiocParallel")
    fails <- function(x) if (x == 2) stop_pnmf("task 2 failed") else x
    expect_error(run_independent(1:3, fails), "task 2 failed", class = "pnmf_error")
    expect_error(suppressMessages(run_independent(1:3, fails, BiocParallel::SerialParam())), "task 2 failed")
})

test_that("something that is no backend is refused", {
    expect_error(run_independent(1:2, identity, BPPARAM = 4), "'BPPARAM' must be NULL or a BiocParallelParam",
                 class = "pnmf_error")
})

test_that("missing packages are named", {
    expect_true(assert_installed(c("stats", "utils"), "this"))
    expect_error(assert_installed(c("stats", "no.such.package"), "method = \"graph\""),
                 "method = \"graph\" needs the package no.such.package", class = "pnmf_error")
})
