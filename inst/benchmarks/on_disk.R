# Data larger than the memory a fit may take: Rscript inst/benchmarks/on_disk.R [features cells]
# 2,000 x 200,000 (3.2 GB dense) in an HDF5 file, rank 10, 5 scales, ten sweeps. Prints how often the file is read, wall
# and processor time in seconds and as multiples of one reading, and the peak of memory. The fit runs in its own
# session: Rscript inst/benchmarks/on_disk.R fit FILE fits the matrix x in FILE.
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "common.R"))

write_cells <- function(file, size) {
    sink <- HDF5Array::HDF5RealizationSink(size, filepath = file, name = "x", chunkdim = c(size[1], 100L), level = 0L)
    set.seed(1)
    profiles <- matrix(rexp(size[1] * 8)^2, size[1], 8)
    type <- sample(8, size[2], replace = TRUE)
    grid <- DelayedArray::colAutoGrid(sink, ncol = min(5000L, size[2]))
    for (k in seq_along(grid)) {
        cells <- seq(IRanges::start(grid[[k]])[2], length.out = ncol(grid[[k]]))
        block <- profiles[, type[cells]] * matrix(runif(size[1] * length(cells)), size[1])
        block[block < 0.3] <- 0
        sink <- DelayedArray::write_block(sink, grid[[k]], block)
    }
}

# No block is kept.
read_once <- function(x) {
    grid <- DelayedArray::colAutoGrid(x, ncol = min(500L, ncol(x)))
    for (k in seq_along(grid)) DelayedArray::read_block(x, grid[[k]])
}

in_readings <- function(seconds, one, what) {
    sprintf("%.0f s of %s (one reading: %.1f s; ratio %.1f)", seconds, what, one, seconds / one)
}

fit_on_disk <- function(file) {
    suppressPackageStartupMessages(library(pNMF))
    x <- HDF5Array::HDF5Array(file, "x")
    one <- spent(read_once(x))
    control <- pnmf_control(max_outer = 10, tol = 0, memory = 2^29, verbose = FALSE)
    cells_read <- 0
    suppressMessages(trace("read_block", quote(count(ncol(viewport))), print = FALSE,
                           where = asNamespace("DelayedArray")))
    assign("count", function(cells) cells_read <<- cells_read + cells, globalenv())
    used <- spent(suppressWarnings(pnmf(x, rank = 10, scales = 5, control = control)))
    cat(sprintf("%.0f readings (%.1f GB), %s, peak %.2f GB\n", cells_read / ncol(x),
                8e-9 * nrow(x) * cells_read,
                paste(in_readings(used[["wall"]], one[["wall"]], "wall time"),
                      in_readings(used[["cpu"]], one[["cpu"]], "processor time"), sep = ", "),
                peak_memory()))
}

arguments <- commandArgs(trailingOnly = TRUE)
if (identical(arguments[1], "fit")) {
    fit_on_disk(arguments[2])
    quit("no")
}

size <- if (length(arguments) >= 2) as.integer(arguments[1:2]) else c(2000L, 200000L)
file <- tempfile(fileext = ".h5")
write_cells(file, size)
cat(sprintf("%d x %d, 5 scales, 10 sweeps\n", size[1], size[2]))
writeLines(run_apart("fit", file))
unlink(file)
