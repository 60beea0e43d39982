# Data larger than the memory a fit may take: Rscript inst/benchmarks/on_disk.R [features cells]
# 2,000 x 200,000 (3.2 GB dense) in an HDF5 file, rank 10, 5 scales. The fit runs in its own session.
library(pNMF)

me <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(me), "common.R"))

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) > 0 && arguments[1] == "fit") {
    x <- HDF5Array::HDF5Array(arguments[2], "x")
    space <- readRDS(arguments[3])
    begun <- proc.time()
    path <- suppressWarnings(pnmf(x, rank = 10, scales = 5, space = space,
                                  control = pnmf_control(max_outer = 10, tol = 0, memory = 2^29, verbose = FALSE)))
    spent <- proc.time() - begun
    cat(sprintf("%d x %d, 5 scales, 10 sweeps: %.0f s on the clock, %.0f s of processor time, peak %.2f GB\n", nrow(x),
                ncol(x), spent[["elapsed"]], sum(spent[1:2]), peak_memory()))
    quit("no")
}

size <- if (length(arguments) == 2) as.integer(arguments) else c(2000L, 200000L)
file <- tempfile(fileext = ".h5")
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
x <- as(sink, "DelayedArray")
# Coordinates to measure distances in: a random projection of the cells, block by block.
directions <- matrix(rnorm(size[1] * 10), size[1]) / sqrt(size[1])
space <- do.call(rbind, lapply(seq_along(grid), function(k) {
    crossprod(DelayedArray::read_block(x, grid[[k]]), directions)
}))
coordinates <- tempfile(fileext = ".rds")
saveRDS(space, coordinates)
system2("Rscript", shQuote(c(me, "fit", file, coordinates)))
unlink(c(file, coordinates))
