skip_if_not_installed("DelayedArray")

streamed_fit <- function(x, space, memory = 32000, ...) {
    pnmf(x, rank = 3, scales = 2, space = space,
         control = pnmf_control(max_outer = 2, tol = 0, verbose = FALSE, memory = memory, ...))
}

delayed_cells <- function(seed = 1) {
    x <- small_data(seed, features = 25, cells = 100)
    dimnames(x) <- list(paste0("gene", 1:25), paste0("cell", 1:100))
    x
}

# Blocks of so many cells. A fit of data beyond its memory has at least 32 blocks; four, the last one shorter, show as
# much in a tenth of the time.
blocks_of <- function(cells, frame = parent.frame()) {
    set_namespace_value("cell_grid", function(x, memory) DelayedArray::colAutoGrid(x, ncol = cells), frame)
}

test_that("blocks take a sixteenth of the memory, in both orientations and twice, and end where chunks of a file do", {
    x <- DelayedArray::DelayedArray(delayed_cells())
    widths <- function(x, memory) {
        grid <- cell_grid(x, memory)
        vapply(seq_along(grid), function(block) ncol(grid[[block]]), integer(1))
    }
    expect_identical(widths(x, 16 * 32 * 25 * 7), rep(c(7L, 2L), c(14, 1)))
    expect_identical(widths(x, 16 * 32 * 25 * 8 - 1), rep(c(7L, 2L), c(14, 1)))
    expect_identical(widths(x, 1), rep(1L, 100))
    expect_identical(widths(x, Inf), 100L)
    skip_if_not_installed("HDF5Array")
    file <- tempfile(fileext = ".h5")
    on.exit(unlink(file), add = TRUE)
    chunked <- HDF5Array::writeHDF5Array(x, file, name = "counts", chunkdim = c(25, 3))
    expect_identical(widths(chunked, 16 * 32 * 25 * 7), rep(c(6L, 4L), c(16, 1)))
})

test_that("a DelayedMatrix beyond the memory it may take is read in blocks and gives the path of data in memory", {
    x <- delayed_cells()
    streamed <- as_data_matrix(DelayedArray::DelayedArray(x), memory = 32000)
    expect_true(is_streamed(streamed))
    expect_length(streamed$first, 50)
    expect_equal(nndsvda(streamed, 3), nndsvda(x, 3), tolerance = 1e-9)
    blocks_of(30L)
    space <- t(x)
    kinds <- list(dense = DelayedArray::DelayedArray(x), sparse = DelayedArray::DelayedArray(as_sparse(x)))
    for (kind in names(kinds)) {
        for (start in if (kind == "dense") c("nndsvda", "random") else "nndsvda") {
            expected <- streamed_fit(x, space, memory = Inf, start = start, seed = 1)
            path <- suppressWarnings(streamed_fit(kinds[[kind]], space, start = start, seed = 1),
                                     classes = "pnmf_warning") # the factors exceed this memory, too
            expect_equal(path@H, expected@H, tolerance = 1e-10, label = paste(kind, start))
            expect_equal(path@W, expected@W, tolerance = 1e-10)
            expect_identical(colnames(path), colnames(x))
            expect_identical(rownames(path), rownames(x))
        }
    }
})

test_that("files in HDF5 format are read the same way, by the other solvers too", {
    skip_if_not_installed("HDF5Array")
    x <- delayed_cells(2)
    blocks_of(30L)
    file <- tempfile(fileext = ".h5")
    on.exit(unlink(file), add = TRUE)
    on_disk <- HDF5Array::writeHDF5Array(x, file, name = "counts", chunkdim = c(25, 10), with.dimnames = TRUE)
    for (solver in c("hals", "mu")) {
        fit <- function(x, memory) {
            suppressWarnings(pnmf(x, rank = 2, scales = 2, space = t(delayed_cells(2)), solver = solver, control =
                pnmf_control(max_outer = 2, max_inner = 1, tol = 0, verbose = FALSE, memory = memory)))
        }
        expected <- fit(x, Inf)
        path <- fit(on_disk, 32000)
        expect_equal(path@H, expected@H, tolerance = 1e-10, label = solver)
        expect_false(is.null(path@convergence$disk))
        expect_equal(loading(path, 2), loading(expected, 2), tolerance = 1e-6)
    }
})

test_that("the start of data on disk is that of data in memory, also where features are many", {
    x <- small_data(5, features = 700, cells = 40)
    expected <- nndsvda(x, 4)
    blocks_of(15L)
    streamed <- as_data_matrix(DelayedArray::DelayedArray(x), memory = 4e5)
    expect_equal(nndsvda(streamed, 4), expected, tolerance = 1e-9)
    iterated <- iterated_svd(streamed, 4)
    expect_equal(iterated$d, svd(x)$d[1:4], tolerance = 1e-10)
    expect_equal(abs(iterated$v), abs(svd(x)$v[, 1:4]), tolerance = 1e-8)
})

# Files that HDF5Array opens as sparse. Skips where the versions of HDF5Array and rhdf5 do not fit together.
opened_or_skip <- function(open) {
    tryCatch(suppressMessages(suppressWarnings(open())), error = function(e) {
        skip(paste("HDF5Array cannot open sparse files here:", conditionMessage(e)))
    })
}

# As Python's anndata writes a sparse matrix: cells by rows.
write_h5ad <- function(x, file) {
    rhdf5::h5createFile(file)
    for (group in c("X", "obs", "var")) rhdf5::h5createGroup(file, group)
    values <- list("X/data" = x@x, "X/indices" = x@i, "X/indptr" = x@p, "obs/_index" = colnames(x),
                   "var/_index" = rownames(x))
    for (name in names(values)) rhdf5::h5write(values[[name]], file, name)
    opened <- rhdf5::H5Fopen(file)
    on.exit(rhdf5::H5Fclose(opened))
    group <- rhdf5::H5Gopen(opened, "X")
    rhdf5::h5writeAttribute("csr_matrix", group, "encoding-type")
    rhdf5::h5writeAttribute(rev(dim(x)), group, "shape")
    rhdf5::H5Gclose(group)
}

test_that("sparse HDF5 files (10x, h5ad) are read as sparse and give the path of data in memory", {
    skip_if_not_installed("HDF5Array")
    skip_if_not_installed("rhdf5")
    x <- as_sparse(delayed_cells(4))
    folder <- tempfile()
    dir.create(folder)
    on.exit(unlink(folder, recursive = TRUE), add = TRUE)
    write_h5ad(x, file.path(folder, "x.h5ad"))
    kinds <- list(
        TENxMatrix = opened_or_skip(function() HDF5Array::writeTENxMatrix(x, file.path(folder, "10x.h5"), "matrix")),
        H5ADMatrix = opened_or_skip(function() HDF5Array::H5ADMatrix(file.path(folder, "x.h5ad"))),
        H5SparseMatrix = opened_or_skip(function() HDF5Array::H5SparseMatrix(file.path(folder, "x.h5ad"), "X"))
    )
    expected <- streamed_fit(x, t(as.matrix(x)), memory = Inf)
    blocks_of(30L)
    for (kind in names(kinds)) {
        on_disk <- kinds[[kind]]
        expect_s4_class(on_disk, kind)
        streamed <- as_data_matrix(on_disk, memory = 32000)
        expect_true(is_streamed(streamed), label = kind)
        expect_s4_class(next_block(streamed, 1L), "dgCMatrix")
        path <- suppressWarnings(streamed_fit(on_disk, t(as.matrix(x))), classes = "pnmf_warning")
        expect_equal(unname(path@H), unname(expected@H), tolerance = 1e-10, label = kind)
        expect_false(is.null(path@convergence$disk))
    }
})

test_that("a fit of large data reads them five times before its sweeps and twice in each", {
    x <- delayed_cells()
    blocks_of(30L)
    fit <- function(x, memory) {
        suppressWarnings(pnmf(x, rank = 3, scales = 2, n_neighbors = 10,
                              control = pnmf_control(max_outer = 6, tol = 0, verbose = FALSE, memory = memory)),
                         classes = "pnmf_warning")
    }
    set_namespace_value("max_plain_features", 5)
    path <- fit(DelayedArray::DelayedArray(x), 32000)
    # The scan, the Gram matrix, components, V of the start, W'X of the start; the last one is for the residuals.
    expect_identical(path@convergence$disk$readings, 5 + 2 * 6 + 1)
    expect_identical(path@scales$measured_on, "components")
    expect_gt(path@convergence$disk$bytes, 18 * 8 * length(x))
    memory <- fit(x, Inf)
    expect_null(memory@convergence$disk)
    expect_equal(path@H, memory@H, tolerance = 1e-8)
    expect_equal(path@W, memory@W, tolerance = 1e-8)
})

test_that("a fit that starts from fewer scales ends where one in shards ends, which does not", {
    skip_if_not_installed("BiocParallel")
    x <- delayed_cells(2)
    final <- function(path) utils::tail(path@objective$objective, 1)
    control <- pnmf_control(max_outer = 1000, verbose = FALSE)
    threads <- pnmf(x, rank = 3, scales = 6, lambda_graph = 1, control = control)
    expect_equal(final(shard_fit(x, sweeps = 1000, tol = 0.03)), final(threads), tolerance = 1e-6)
})

test_that("a fit on disk can be continued, with blocks of any size", {
    x <- DelayedArray::DelayedArray(delayed_cells(3))
    space <- t(as.matrix(x))
    file <- tempfile()
    on.exit(unlink(file), add = TRUE)
    fit <- function(sweeps, memory, ...) {
        suppressWarnings(pnmf(x, rank = 2, scales = 2, space = space, ..., control =
            pnmf_control(max_outer = sweeps, tol = 0, verbose = FALSE, memory = memory, checkpoint = file)))
    }
    blocks_of(30L)
    whole <- fit(3, 32000)
    suppressMessages(fit(1, 32000))
    expect_identical(suppressMessages(fit(3, 32000, resume = file))@H, whole@H)
    suppressMessages(fit(1, 32000))
    blocks_of(23L)
    expect_equal(suppressMessages(fit(3, 32000, resume = file))@H, whole@H, tolerance = 1e-10)
})

test_that("a SingleCellExperiment on disk is fitted without being read into memory", {
    skip_if_not_installed("SingleCellExperiment")
    x <- delayed_cells(5)
    space <- t(x)
    blocks_of(30L)
    run <- function(assay, memory) {
        sce <- SingleCellExperiment::SingleCellExperiment(list(logcounts = assay))
        control <- pnmf_control(max_outer = 3, tol = 0, verbose = FALSE, memory = memory)
        PNMFPath(runPNMF(sce, ncomponents = 2, n_scales = 2, ntop = 20, space = space, control = control))
    }
    on_disk <- run(DelayedArray::DelayedArray(x), 20000)
    expect_false(is.null(on_disk@convergence$disk))
    in_memory <- run(x, 2^30)
    expect_identical(on_disk@feature_names, in_memory@feature_names)
    expect_lt(largest_difference(on_disk@H, in_memory@H), 1e-10 * max(unlist(in_memory@H)))
    sce <- SingleCellExperiment::SingleCellExperiment(list(logcounts = DelayedArray::DelayedArray(round(10 * x))))
    expect_warning(runPNMF(sce, ncomponents = 2, n_scales = 2, space = space,
                           control = pnmf_control(max_outer = 1, tol = 0, memory = 20000)), "looks like raw counts")
    expect_error(suppressWarnings(runPNMF(sce, ncomponents = 2, n_scales = 2, control = pnmf_control(memory = 20000))),
                 "'space' must be given", class = "pnmf_error")
})

test_that("what cannot be fitted from disk is said by name", {
    x <- DelayedArray::DelayedArray(delayed_cells(4))
    expect_error(pnmf(x, rank = 2, control = pnmf_control(memory = 32000)), "'space' must be given.*25 x 100",
                 class = "pnmf_error")
    expect_error(pnmf(x - 1, rank = 2, space = t(as.matrix(x)), control = pnmf_control(memory = 32000)),
                 "'x' must be nonnegative", class = "pnmf_error")
    expect_error(pnmf(x / 0, rank = 2, space = t(as.matrix(x)), control = pnmf_control(memory = 32000)),
                 "'x' must be finite", class = "pnmf_error")
    expect_error(pnmf(x * 0, rank = 2, space = t(as.matrix(x)), control = pnmf_control(memory = 32000)),
                 "all are zero", class = "pnmf_error")
})

test_that("blocks come through as they are while garbage is collected between them", {
    blocks <- collected_blocks(function(block) block + numeric(100), max_young = 1000, max_read = 3000)
    for (block in 1:12) expect_identical(next_block(blocks, block), block + numeric(100))
})

test_that("a block is garbage at the collection after it", {
    gone <- 0L
    read <- function(block) {
        mark <- new.env()
        reg.finalizer(mark, function(e) gone <<- gone + 1L)
        structure(matrix(block, 2, 3), mark = mark)
    }
    x <- list(dim = c(2L, 30L), first = seq(1L, 28L, by = 3L), collect = function() gc(full = FALSE), read = read,
              nonzeros = 60, squared_norm = 1)
    class(x) <- "streamed_matrix"
    product <- basis_product_cpp(x, diag(2), 1L)
    expect_equal(product, matrix(rep(1:10, each = 6), 2))
    expect_gte(gone, 8L)
})

test_that("a matrix of BPCells is read in blocks, or into memory if it fits", {
    x <- as_sparse(delayed_cells())
    space <- t(as.matrix(x)[1:5, ])
    on_disk <- local_disk_matrix(x)
    dimnames(on_disk) <- dimnames(x)
    whole <- streamed_fit(x, space)
    for (cells in c(7, 100)) {
        set_namespace_value("cells_per_block", function(x, memory) cells)
        path <- streamed_fit(on_disk, space)
        expect_equal(path@H, whole@H, tolerance = 1e-12)
        expect_identical(dimnames(path), dimnames(whole))
        expect_gt(path@convergence$disk$readings, 4)
    }
    path <- streamed_fit(on_disk, space, memory = 1e6)
    expect_identical(path@H, whole@H)
    expect_null(path@convergence$disk)
})
