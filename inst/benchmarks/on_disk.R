# Data larger than the memory a fit may take: Rscript inst/benchmarks/on_disk.R [features cells] [LIBRARY]
# 2,000 x 200,000 (3.2 GB dense) in an HDF5 file, rank 10, 5 scales, ten sweeps. Prints how often the file is read, wall
# and processor time in seconds and as multiples of one reading, and the peak of memory. Every fit runs in its own
# session. LIBRARY holds version 0.99.0 (see convergence.R), for comparison.
# Rscript inst/benchmarks/on_disk.R fit FILE fits the matrix x in FILE, with the pNMF of this session's libraries.
me <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(me), "common.R"))

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

# By default, no block is kept.
read_once <- function(x, body = function(block) length(block)) {
    grid <- DelayedArray::colAutoGrid(x, ncol = min(500L, ncol(x)))
    lapply(seq_along(grid), function(k) body(DelayedArray::read_block(x, grid[[k]])))
}

# Version 0.99.0 needs coordinates: a random projection of the cells.
projected_cells <- function(x) {
    set.seed(1)
    directions <- matrix(rnorm(nrow(x) * 10), nrow(x)) / sqrt(nrow(x))
    do.call(rbind, read_once(x, function(block) crossprod(block, directions)))
}

wall_time <- function(spent) spent[["elapsed"]]
processor_time <- function(spent) sum(spent[c("user.self", "sys.self")])

in_readings <- function(seconds, one, what) {
    sprintf("%.0f s of %s (one reading: %.1f s; ratio %.1f)", seconds, what, one, seconds / one)
}

fit_on_disk <- function(file) {
    suppressPackageStartupMessages(library(pNMF))
    x <- HDF5Array::HDF5Array(file, "x")
    version <- packageVersion("pNMF")
    one <- system.time(read_once(x))
    arguments <- list(x, rank = 10, scales = 5,
                      control = pnmf_control(max_outer = 10, tol = 0, memory = 2^29, verbose = FALSE))
    if (version <= "0.99.0") arguments$space <- projected_cells(x)
    cells_read <- 0
    suppressMessages(trace("read_block", quote(count(ncol(viewport))), print = FALSE,
                           where = asNamespace("DelayedArray")))
    assign("count", function(cells) cells_read <<- cells_read + cells, globalenv())
    begun <- proc.time()
    suppressWarnings(do.call(pnmf, arguments))
    spent <- proc.time() - begun
    cat(sprintf("pNMF %s: %.0f readings (%.1f GB), %s, peak %.2f GB\n", version, cells_read / ncol(x),
                8e-9 * nrow(x) * cells_read,
                paste(in_readings(wall_time(spent), wall_time(one), "wall time"),
                      in_readings(processor_time(spent), processor_time(one), "processor time"), sep = ", "),
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
system2("Rscript", shQuote(c(me, "fit", file)))
if (length(arguments) %% 2 == 1) {
    library <- paste0("R_LIBS=", arguments[length(arguments)], ":", Sys.getenv("R_LIBS"))
    system2("Rscript", shQuote(c(me, "fit", file)), env = library)
}
unlink(file)
