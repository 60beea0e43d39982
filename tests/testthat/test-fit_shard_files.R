skip_if_not_installed("BiocParallel")

test_that("a damaged or foreign file of a shard is an error", {
    folder <- tempfile()
    dir.create(folder)
    on.exit(unlink(folder, recursive = TRUE))
    x <- shard_data(1)
    scales <- with_edges(persistence_scales(x, n_scales = 3))
    shards <- split_cells_cpp(ncol(x), scales$edges, 2L)
    parameters <- list(rank = 2L, alpha = 1.5)
    options <- list(lambda_graph = 1, lambda_smooth = 1, lambda_anchor = 1, max_outer = 1L, max_inner = 1L, tol = 0,
                    record = FALSE, chain_start = TRUE, start_sweeps = 300L, refining_sweeps = 0L, extrapolate = TRUE,
                    weight = numeric(0), gap = numeric(0))
    start <- list(H = list(matrix(1, 2, ncol(x))))
    write_shards(folder, x, shards, scales, start, parameters, options, unit = 1)
    file <- shard_file(folder, 2)
    shard <- open_shard_cpp(file)
    expect_identical(shard_version_cpp(shard), 0L)
    expect_identical(shard_embedding_cpp(shard, 0L), matrix(1, 2, length(shards$cells[[2]])))
    bytes <- readBin(file, "raw", 1e6)
    for (at in c(1, 30, 70, 200, length(bytes) - 20, length(bytes))) {
        changed <- bytes
        changed[at] <- xor(changed[at], as.raw(1))
        writeBin(changed, file)
        expect_error(open_shard_cpp(file), "is damaged|is not a checkpoint")
    }
    for (n in c(0, 10, 100, length(bytes) - 1)) {
        writeBin(bytes[seq_len(n)], file)
        expect_error(open_shard_cpp(file), "is truncated|is not a checkpoint")
    }
    saveRDS(x, file)
    expect_error(open_shard_cpp(file), "is not a checkpoint")
})

test_that("a full disk loses no state that was written", {
    skip_on_cran()
    disk <- local_disk("600k")
    x <- shard_data(1)
    file <- file.path(disk$folder, "fit.ckpt")
    whole <- shard_fit(x, sweeps = 8)
    shard_fit(x, sweeps = 4, checkpoint = file)
    filler <- file.path(disk$folder, "filler")
    suppressWarnings(system2("dd", c("if=/dev/zero", paste0("of=", filler), "bs=1k"), stdout = FALSE, stderr = FALSE))
    expect_error(shard_fit(x, sweeps = 8, checkpoint = file, resume = file),
                 "'checkpoint' could not be written.*No space left", class = "pnmf_error")
    expect_error(shard_fit(x, sweeps = 8, shared = disk$folder), "'shared' must be a folder with room",
                 class = "pnmf_error")
    unlink(filler)
    path <- shard_fit(x, sweeps = 8, checkpoint = file, resume = file)
    expect_identical(path@H, whole@H)
    expect_identical(path@objective, whole@objective)
})

test_that("cells of data on disk are those of data in memory, whichever blocks they are in", {
    skip_if_not_installed("DelayedArray")
    x <- shard_data(2)
    set_namespace_value("cell_grid", function(x, memory) DelayedArray::colAutoGrid(x, ncol = 30L))
    streamed <- as_data_matrix(DelayedArray::DelayedArray(x), memory = 1)
    expect_true(is_streamed(streamed))
    for (cells in list(1:80, c(1, 30), c(2, 30, 31, 60, 61, 80), 35:40)) {
        expect_identical(cells_of(streamed, cells), cells_of(x, cells))
    }
})
