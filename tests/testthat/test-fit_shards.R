skip_if_not_installed("BiocParallel")

test_that("1, 2 and 4 workers give the same path, bit for bit, and leave no file behind", {
    two <- processes(2)
    on.exit(BiocParallel::bpstop(two))
    folder <- tempfile()
    dir.create(folder)
    x <- shard_data(1)
    seed <- if (exists(".Random.seed", globalenv())) get(".Random.seed", globalenv())
    runs <- list(list(as_sparse(x), two))
    if (slow_tests()) {
        four <- processes(4)
        on.exit(BiocParallel::bpstop(four), add = TRUE)
        runs <- c(runs, list(list(x, two), list(as_sparse(x), four)))
    }
    for (run in runs) {
        one <- shard_fit(run[[1]], sweeps = 4, scales = 3)
        path <- shard_fit(run[[1]], run[[2]], sweeps = 4, scales = 3, shared = folder)
        expect_identical(path@H, one@H)
        expect_identical(path@W, one@W)
        expect_identical(path@objective, one@objective)
        expect_identical(path@convergence$scales, one@convergence$scales)
    }
    expect_identical(list.files(folder), character(0))
    expect_identical(if (exists(".Random.seed", globalenv())) get(".Random.seed", globalenv()), seed)
    expect_identical(length(worker_state$shards), 0L)
})

test_that("the objective never rises and ends where that of threads ends", {
    x <- shard_data(2)
    fit <- function(...) shard_fit(x, ..., sweeps = 1000, tol = 1e-3, lambda_graph = 0.1, scales = 4)
    path <- fit()
    threads <- fit(BPPARAM = NULL)
    value <- objective(path)$objective
    expect_true(all(converged(path)))
    # Rounding: the objective is a difference of numbers of the size of |x|^2.
    expect_lte(max(diff(value)), 1e-13 * n_scales(path) * sum(x^2))
    expect_equal(value[length(value)], tail(objective(threads)$objective, 1), tolerance = 1e-6)
    for (t in seq_len(n_scales(path))) {
        expect_lt(norm(embedding(path, t) - embedding(threads, t), "F"), 0.03 * norm(embedding(threads, t), "F"))
    }
})

test_that("weights of scales, own starts, units of the data and data on disk are those of a fit on threads", {
    x <- shard_data(3)
    scales <- persistence_scales(x, n_scales = 4)
    scales$weight <- seq(1, 50, length.out = 4)
    scales$gap <- rev(scales$weight)
    last <- function(path) tail(objective(path)$objective, 1)
    fit <- function(x, ..., scales = 4) {
        shard_fit(x, ..., scales = scales, sweeps = 1000, tol = 1e-3, lambda_graph = 0.1)
    }
    expect_equal(last(fit(x, scales = scales)), last(fit(x, NULL, scales = scales)), tolerance = 1e-6)
    start <- fit(x, NULL)
    expect_equal(last(fit(x, start = start)), last(start), tolerance = 1e-6)
    # Single precision ends at 1e38.
    expect_equal(last(shard_fit(x * 1e100)) / 1e200, last(shard_fit(x)), tolerance = 1e-9)
    expect_equal(last(shard_fit(x * 1e-100)) / 1e-200, last(shard_fit(x)), tolerance = 1e-9)
    skip_if_not_installed("HDF5Array")
    on_disk <- HDF5Array::writeHDF5Array(x, tempfile(fileext = ".h5"), name = "x", chunkdim = c(30, 4))
    set_namespace_value("cell_grid", function(x, memory) DelayedArray::colAutoGrid(x, ncol = 11L))
    streamed <- shard_fit(on_disk, memory = 30000, scales = persistence_scales(x, n_scales = 6))
    expect_equal(last(streamed), last(shard_fit(x)), tolerance = 1e-9)
})

test_that("what is sent is counted, and the share of edges that cross is reported", {
    x <- shard_data(4)
    path <- shard_fit(x, sweeps = 3)
    shards <- path@convergence$shards
    expect_identical(sum(shards$cells), 80L)
    expect_length(shards$cells, 8)
    expect_true(shards$crossing > 0 && shards$crossing < 1)
    expect_identical(shards$traffic$outer, 1:3)
    # Bases to one worker, sums of eight shards; borders are single precision and at most all cells of all scales.
    fixed <- 8 * 6 * 3 * c(30, 8 * (30 + 3))
    borders <- unlist(shards$traffic[2, c("sent", "received")]) - fixed
    expect_true(all(borders > 0))
    expect_lt(borders[["received"]], 4 * 6 * 3 * 80 + 8 * 8 * 50)
    expect_null(shard_fit(x, NULL)@convergence$shards)
})

test_that("the number of shards depends on the number of cells only", {
    expect_identical(n_shards(10), 1L)
    expect_identical(n_shards(2999), 2L)
    expect_identical(n_shards(c(1e5)), 8L)
    expect_identical(n_shards(1e6), 8L)
    expect_identical(n_shards(1e8), 400L)
})

test_that("a start's bases get unit length without a change of its products, and empty factors stay as they are", {
    start <- list(W = list(cbind(c(3, 4), 0)), H = list(rbind(1:3, 4:6)))
    found <- normalized_start(start)
    expect_equal(found$W[[1]], cbind(c(0.6, 0.8), 0))
    expect_equal(found$H[[1]], rbind(5 * (1:3), 4:6))
})

test_that("what cannot be done in shards is said by name", {
    x <- small_data(5)
    serial <- BiocParallel::SerialParam()
    expect_error(pnmf(x, 2, BPPARAM = 2), "'BPPARAM' must be NULL or a BiocParallelParam", class = "pnmf_error")
    expect_error(pnmf(x, 2, solver = "mu", BPPARAM = serial), "'BPPARAM' must be NULL for solver", class = "pnmf_error")
    expect_error(pnmf(x, 2, control = pnmf_control(record = TRUE), BPPARAM = serial), "'record' must be FALSE",
                 class = "pnmf_error")
    expect_error(pnmf_control(shared = 3), "'shared' must be", class = "pnmf_error")
    expect_error(pnmf_control(shared = tempfile()), "'shared' must be a folder", class = "pnmf_error")
    # Making a real one needs the package batchtools.
    batch <- structure(list(), class = "BatchtoolsParam")
    expect_error(assert_shardable(batch, "hals", pnmf_control()),
                 "SnowParam\\(type = \"MPI\"\\), not a BatchtoolsParam",
                 class = "pnmf_error")
})
