# Data on disk that do not fit into memory, read as blocks of cells, one block at a time in every pass. A list with what
# the core needs (dim, first cell of each block, collect() before each read(), nonzeros, squared_norm), and the results
# of one scan of all values.
streamed_matrix <- function(x, name, memory) {
    on_disk <- disk_blocks(x, memory)
    blocks <- collected_blocks(function(block) as_block(on_disk$read(block)))
    seen <- scan_blocks(blocks, length(on_disk$cells), name)
    structure(
        c(list(dim = dim(x), first = as.integer(1 + cumsum(c(0, on_disk$cells[-length(on_disk$cells)])))), blocks, seen,
          list(names = dimnames(x))),
        class = "streamed_matrix"
    )
}

is_streamed <- function(x) inherits(x, "streamed_matrix")

#' @export
dim.streamed_matrix <- function(x) x[["dim"]]

#' @export
dimnames.streamed_matrix <- function(x) x[["names"]]

# Without help, R would let the blocks pile up until they fill the heap of its earlier work, and the C library keeps
# memory that R has freed. So young garbage is collected every few bytes; all garbage is collected, and free memory
# returned, less often. collect() is a separate call, because Rcpp protects the block of a read() call, which would then
# survive the collection.
collected_blocks <- function(read, max_young = 2^23, max_read = 2^29) {
    young <- 0
    all <- max_read
    blocks_read <- bytes_read <- 0
    collect <- function() {
        if (young < max_young) return(invisible())
        young <<- 0
        gc(full = all >= max_read)
        if (all < max_read) return(invisible())
        return_free_memory_cpp()
        all <<- 0
    }
    counted <- function(block) {
        block <- read(block)
        bytes <- as.numeric(utils::object.size(block))
        young <<- young + bytes
        all <<- all + bytes
        blocks_read <<- blocks_read + 1
        bytes_read <<- bytes_read + bytes
        block
    }
    list(collect = collect, read = counted, read_so_far = function() c(blocks = blocks_read, bytes = bytes_read))
}

next_block <- function(blocks, block) {
    blocks$collect()
    blocks$read(block)
}

as_block <- function(block) {
    if (is.matrix(block)) {
        if (!is.double(block)) storage.mode(block) <- "double"
        return(if (is.null(dimnames(block))) block else unname(block))
    }
    as_compressed_columns(as(block, "dgCMatrix"))
}

scan_blocks <- function(blocks, n_blocks, name) {
    seen <- c(largest = 0, total = 0, nonzeros = 0, squared_norm = 0)
    feature_sums <- feature_squares <- 0
    counts <- TRUE
    cell_sums <- vector("list", n_blocks)
    for (b in seq_len(n_blocks)) {
        block <- next_block(blocks, b)
        values <- if (is(block, "dgCMatrix")) block@x else block
        assert_finite_values(values, name)
        assert_nonnegative_values(values, name)
        seen[["largest"]] <- max(seen[["largest"]], values)
        seen[-1] <- seen[-1] + c(sum(values), sum(values != 0), sum(values^2))
        counts <- counts && looks_like_counts(block)
        feature_sums <- feature_sums + unname(Matrix::rowSums(block))
        feature_squares <- feature_squares + unname(Matrix::rowSums(block^2))
        cell_sums[[b]] <- unname(Matrix::colSums(block))
    }
    c(as.list(seen), list(counts = counts, feature_sums = feature_sums,
                       feature_squares = feature_squares, cell_sums = unlist(cell_sums)))
}

# How often the data were read in full, and the bytes of the blocks in memory.
disk_record <- function(x) {
    so_far <- x$read_so_far()
    list(readings = so_far[["blocks"]] / length(x$first), bytes = so_far[["bytes"]])
}

# Computed cell by cell, so that it does not depend on the blocks.
streamed_digest <- function(x) {
    cells <- lapply(seq_along(x$first), function(block) {
        block <- next_block(x, block)
        vapply(seq_len(ncol(block)), function(cell) digest_cpp(list(as.vector(block[, cell]))), "")
    })
    digest_cpp(list(dim(x), rownames(x), colnames(x), unlist(cells)))
}
