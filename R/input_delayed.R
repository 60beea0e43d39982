# Matrices that may be on disk: DelayedMatrix (Bioconductor) and IterableMatrix (BPCells, layers of Seurat 5).
is_on_disk <- function(x) is(x, "DelayedMatrix") || is(x, "IterableMatrix")

# Reads x into memory; a sparse matrix stays sparse.
realised <- function(x, name) {
    if (is(x, "IterableMatrix")) return(as(x, "dgCMatrix"))
    assert_delayed_array(name)
    if (DelayedArray::is_sparse(x)) {
        return(as_compressed_columns(as(x, "dgCMatrix")))
    }
    as.matrix(x)
}

# Whether both orientations take more than `memory` bytes; the density of a sparse matrix is that of its first cells.
exceeds_memory <- function(x, name, memory) {
    if (!is.finite(memory)) return(FALSE)
    if (!is(x, "IterableMatrix")) assert_delayed_array(name)
    entries <- prod(as.numeric(dim(x)))
    if (!is(x, "IterableMatrix") && !DelayedArray::is_sparse(x)) return(2 * 8 * entries > memory)
    few <- realised(x[, seq_len(min(ncol(x), 1000L)), drop = FALSE], name)
    2 * 12 * entries * Matrix::nnzero(few) / max(1, prod(as.numeric(dim(few)))) > memory
}

# How to read blocks of cells: list(cells = how many in each block, read = function(block)).
disk_blocks <- function(x, memory) {
    if (is(x, "IterableMatrix")) return(iterable_blocks(x, cells_per_block(x, memory)))
    grid <- cell_grid(x, memory)
    sparse <- DelayedArray::is_sparse(x)
    list(cells = vapply(seq_along(grid), function(block) ncol(grid[[block]]), integer(1)),
         read = function(block) DelayedArray::read_block(x, grid[[block]], as.sparse = sparse))
}

iterable_blocks <- function(x, cells) {
    blocks <- unname(split(seq_len(ncol(x)), (seq_len(ncol(x)) - 1L) %/% cells))
    list(cells = lengths(blocks), read = function(block) as(x[, blocks[[block]], drop = FALSE], "dgCMatrix"))
}

# If possible, whole chunks of the file are read.
cell_grid <- function(x, memory) {
    cells <- cells_per_block(x, memory)
    chunk <- DelayedArray::chunkdim(x)
    if (!is.null(chunk) && cells > chunk[2]) cells <- cells - cells %% chunk[2]
    DelayedArray::colAutoGrid(x, ncol = as.integer(min(cells, ncol(x))))
}

# The core holds a block in both orientations, and R may hold it twice while reading.
cells_per_block <- function(x, memory) {
    bytes <- min(2^27, memory / 16)
    max(1, floor(bytes / (4 * 8 * as.numeric(nrow(x)))))
}

assert_delayed_array <- function(name) {
    assert_installed("DelayedArray", paste0("reading '", name, "', a DelayedMatrix,"))
}
