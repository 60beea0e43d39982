skip_if_not_installed("BiocParallel")

numbers_of_shard <- function() {
    numbers <- stats::setNames(rep(list(numeric(0)), length(shard_fields)), shard_fields)
    numbers$dim <- c(2L, 3L)
    numbers$x <- c(1.5, NA, Inf, 0, -0.1, 2)
    numbers
}

test_that("numbers come back from a file as they were, whatever the length of a piece", {
    file <- tempfile()
    on.exit(unlink(file))
    for (at_once in c(1, 2, 6, 100)) {
        set_namespace_value("max_numbers_at_once", at_once)
        write_numbers(numbers_of_shard(), file)
        expect_identical(read_numbers(file), numbers_of_shard())
    }
})

test_that("a damaged or foreign file is an error", {
    file <- tempfile()
    on.exit(unlink(file))
    write_numbers(numbers_of_shard(), file)
    bytes <- readBin(file, "raw", 1e4)
    for (at in c(1, 70, 200, length(bytes) - 20, length(bytes))) {
        changed <- bytes
        changed[at] <- xor(changed[at], as.raw(1))
        writeBin(changed, file)
        expect_error(read_numbers(file), "is damaged")
    }
    for (n in c(0, 10, 100, length(bytes) - 1)) {
        writeBin(bytes[seq_len(n)], file)
        expect_error(read_numbers(file), "is damaged")
    }
    saveRDS(numbers_of_shard(), file)
    expect_error(read_numbers(file), "is damaged")
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
