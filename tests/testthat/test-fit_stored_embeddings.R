skip_if_not_installed("BiocParallel")
skip_if_not_installed("HDF5Array")

# 3 scales of 80 cells at rank 3: bases 6,480 bytes in three copies, embeddings 5,760.
little_memory <- 7000
few_scales <- function(x, ...) shard_fit(x, ..., scales = 3)

test_that("embeddings beyond 'memory' stay in files, have the same numbers, and every function of a path takes them", {
    x <- shard_data(1)
    expect_message(stored <- few_scales(x, memory = little_memory),
                   "would take more than 'memory' \\(6.84 KB\\): the path reads its embeddings")
    memory <- few_scales(x)
    expect_true(validObject(stored))
    for (t in 1:3) {
        expect_true(is_on_disk(stored@H[[t]]))
        expect_identical(embedding(stored, t), embedding(memory, t))
        expect_identical(loading(stored, t), loading(memory, t))
    }
    expect_identical(stored@objective, memory@objective)
    expect_identical(stored@convergence$scales, memory@convergence$scales)

    same <- function(f) expect_identical(f(stored), f(memory))
    same(function(path) persistent_clusters(path)$clusters)
    same(function(path) path_clusters(path, k = 3))
    same(function(path) increments(path))
    same(function(path) increment_bounds(path, x)$constants)
    same(function(path) deviance(path, x))
    same(function(path) predict(path, x, t = 2))
    same(function(path) embedding(path[2:3], 2))
    same(function(path) embedding(subset_cells(path, c(70, 3, 21)), 3))
    same(function(path) aligned_path(path, embedding(path, 2)[c(9, 4), ], 2)@cell_names)
    same(function(path) few_scales(x, start = path, sweeps = 2)@H)
    same(function(path) start_label(path))

    file <- tempfile()
    saveRDS(stored, file)
    again <- updated_path(readRDS(file))
    expect_identical(embedding(again, 3), embedding(memory, 3))
    unlink(dirname(DelayedArray::seedApply(again@H[[1]], DelayedArray::path)[[1]]), recursive = TRUE)
    expect_error(embedding(again, 1), "'path' keeps its embeddings in files that cannot be read", class = "pnmf_error")
})

test_that("files go into 'shared', and a fit that fails leaves none", {
    folder <- tempfile()
    dir.create(folder)
    x <- shard_data(1)
    set_namespace_value("stored_embeddings", function(...) stop_pnmf("stopped"))
    expect_error(suppressMessages(few_scales(x, memory = little_memory, shared = folder)), "stopped")
    expect_identical(list.files(folder), character(0))
    expect_error(few_scales(x, memory = 6000, shared = folder), "more than 'memory'", class = "pnmf_error")
})

test_that("embeddings that cannot be written are an error that names the folder", {
    set_namespace_value("shard_embedding_cpp", function(shard, t) stop("disk full"))
    expect_error(suppressMessages(few_scales(shard_data(1), memory = little_memory)),
                 "embeddings could not be written to \".*pnmf-embeddings-.*\": disk full", class = "pnmf_error")
})

test_that("a worker that is lost while embeddings are written does not spoil them", {
    whole <- few_scales(shard_data(1), sweeps = 4)
    set_namespace_value("sweeps_between_saves", function(BPPARAM) 3L)
    collected <- 0
    run_before <- run_units
    set_namespace_value("run_units", function(units, BPPARAM) {
        collects <- units[[1]]$what == "collect"
        if (collects) collected <<- collected + 1
        if (collects && collected == 2) forget_shards()
        run_before(units, BPPARAM)
    })
    suppressMessages(stored <- few_scales(shard_data(1), sweeps = 4, memory = little_memory))
    expect_gt(collected, 3)
    expect_identical(embedding(stored, 2), embedding(whole, 2))
})

test_that("worker processes write the files", {
    two <- processes(2)
    on.exit(BiocParallel::bpstop(two))
    x <- shard_data(1)
    folder <- tempfile()
    dir.create(folder)
    suppressMessages(stored <- few_scales(x, two, memory = little_memory, shared = folder, sweeps = 2))
    expect_length(list.files(folder, "embeddings-.*h5", recursive = TRUE), 8)
    expect_identical(all_embeddings(stored), few_scales(x, sweeps = 2)@H)
})
