# Peak bytes per scale of a fit: the basis, that of the previous sweep and XH'; the embedding, that before the sweep,
# the one from which convergence is measured, and W'X. In shards, this session holds bases; at the end it also holds
# embeddings, or leaves them in files, see new_embedding_folder().
scale_bytes <- function(x, parameters) {
    embeddings <- if (isTRUE(parameters$sharded)) 0 else 4 * as.numeric(ncol(x))
    8 * parameters$rank * (3 * as.numeric(nrow(x)) + embeddings)
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
