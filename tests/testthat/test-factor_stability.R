test_that("programs of the data are stable and supported, and a program of noise is not supported", {
    truth <- programs(n_cells = 200)
    path <- pnmf(truth$x, rank = 3, scales = 3, control = quick_control())
    found <- program_stability(path, x = truth$x)
    expect_identical(names(found), c("factor", "scale", "stability", "supported"))
    expect_identical(found$factor, rep(1:3, 3))
    expect_identical(found$scale, rep(1:3, each = 3L))
    expect_true(all(found$stability[found$scale == 1] > 0.9))
    expect_true(all(found$supported[found$scale == 1]))
    second <- which.max(loading(path, 1)["g11", ])
    path@H[[1]][second, ] <- with_random_state(3, stats::rgamma(200, 0.4))
    supported <- program_stability(path, x = without_program(truth$x, 2), at = 1)$supported
    expect_identical(which(!supported), unname(second))
})

test_that("genes permuted over the cells give no supported program, and surplus programs are unsupported", {
    x <- as.matrix(normalize_counts(simulate_cells(seed = 1)$counts))
    supported <- function(x, rank) {
        path <- suppressMessages(suppressWarnings(pnmf(x, rank = rank, scales = 4)))
        sum(program_support(x, path, 1))
    }
    permuted <- with_random_state(1, t(apply(x, 1L, sample)))
    # Two programs of it are exact copies.
    expect_identical(supported(permuted, 2), 0L)
    expect_identical(supported(permuted, 6), 0L)
    # Six types in two lineages.
    expect_identical(supported(x, 6), 6L)
    expect_identical(supported(x, 12), 6L)
})

test_that("halves share no cell, and the result depends on the seed only", {
    halves <- random_halves(11, 4, seed = NULL)
    expect_identical(lengths(halves), c(5L, 6L, 5L, 6L))
    expect_identical(sort(unlist(halves[3:4])), 1:11)
    truth <- programs(n_cells = 60, n_scales = 2)
    path <- pnmf(truth$x, rank = 3, scales = 2, control = quick_control())
    stats::runif(1)
    before <- .Random.seed
    first <- program_stability(path, x = truth$x, seed = 4)
    expect_identical(.Random.seed, before)
    expect_identical(program_stability(path, x = truth$x, seed = 4, BPPARAM = BiocParallel::SerialParam()), first)
    expect_false(identical(program_stability(path, x = truth$x, seed = 5)$stability, first$stability))
})

test_that("bad arguments are named", {
    truth <- programs()
    expect_error(program_stability(1), "'path' must be", class = "pnmf_error")
    expect_error(program_stability(truth$path), "'x' must be the data", class = "pnmf_error")
    expect_error(program_stability(truth$path, x = truth$x, replicates = 3), "'replicates' must be an even number",
                 class = "pnmf_error")
    expect_error(program_stability(truth$path, x = truth$x, at = 9), "'at'", class = "pnmf_error")
    expect_error(program_stability(truth$path, x = truth$x, BPPARAM = 2), "'BPPARAM'", class = "pnmf_error")
    few <- programs(n_cells = 7)
    expect_error(program_stability(few$path, x = few$x), "at least 8 cells", class = "pnmf_error")
    few <- programs(n_cells = 20)
    expect_warning(assert_enough_cells(few$path), "fewer than 50 cells", class = "pnmf_warning")
})
