# Peak bytes per scale of a fit: the basis and that of the previous sweep, the embedding, the start of the next sweep,
# the embedding from which convergence is measured, and W'X (for data on disk, also that of the previous sweep). With
# keep = "embedding", bases count a sixteenth: if they are large, 16 scales share one (see has_shared_bases()). In
# shards, this session holds bases; at the end it also holds embeddings, or leaves them in files, see
# new_embedding_folder().
scale_bytes <- function(x, parameters) {
    if (isTRUE(parameters$sharded)) return(8 * parameters$rank * 3 * as.numeric(nrow(x)))
    may_share <- identical(parameters$solver, "hals") && identical(parameters$control$keep, "embedding")
    8 * parameters$rank * (as.numeric(nrow(x)) * (if (may_share) 1 / 16 else 2) +
                             (if (is_streamed(x)) 5 else 4) * as.numeric(ncol(x)))
}

# Bytes of bases that a fit may hold even if the result does not keep them.
max_unkept_bases <- 2^28

# Whether the core stores only every 16th basis.
has_shared_bases <- function(n_scales, x, parameters) {
    parameters$solver == "hals" && !isTRUE(parameters$sharded) && parameters$control$keep == "embedding" &&
        !is_streamed(x) && 8 * parameters$rank * as.numeric(nrow(x)) * n_scales > max_unkept_bases
}

# Garbage from the scales and the start would otherwise take memory during the whole fit.
free_garbage <- function() {
    gc(verbose = FALSE)
    return_free_memory_cpp()
}

# Half of the memory of the machine or of its container.
default_memory <- function() machine_memory() / 2

machine_memory <- function(meminfo = "/proc/meminfo", limit = "/sys/fs/cgroup/memory.max") {
    total <- c(meminfo_bytes(meminfo), limit_bytes(limit))
    if (length(total) == 0L) total <- unknown_memory
    min(total)
}

# Assumed if the system does not report it: a laptop.
unknown_memory <- 8 * 2^30

meminfo_bytes <- function(file) {
    if (!file.exists(file)) return(numeric(0))
    line <- grep("^MemTotal:", readLines(file, n = 50L, warn = FALSE), value = TRUE)
    kilobytes <- suppressWarnings(as.numeric(sub("^MemTotal:[[:space:]]*([0-9]+) kB.*$", "\\1", line)))
    1024 * kilobytes[is.finite(kilobytes)]
}

# The limit of a control group is a number or "max".
limit_bytes <- function(file) {
    if (!file.exists(file)) return(numeric(0))
    bytes <- suppressWarnings(as.numeric(readLines(file, n = 1L, warn = FALSE)))
    bytes[is.finite(bytes)]
}

format_bytes <- function(bytes) {
    power <- max(0, min(4, floor(log(max(bytes, 1), 1024))))
    paste(format(bytes / 1024^power, digits = 3), c("bytes", "KB", "MB", "GB", "TB")[power + 1])
}
