# Bytes that one scale of a fit takes at its peak: two bases (one of them extrapolated), two embeddings and W'X.
scale_bytes <- function(x, parameters) {
    8 * parameters$rank * (2 * as.numeric(nrow(x)) + 3 * as.numeric(ncol(x)))
}

# A quarter of what the machine, or the container it runs in, has.
default_memory <- function() machine_memory() / 4

machine_memory <- function(meminfo = "/proc/meminfo", limit = "/sys/fs/cgroup/memory.max") {
    total <- c(meminfo_bytes(meminfo), limit_bytes(limit))
    if (length(total) == 0L) total <- unknown_memory
    min(total)
}

# What is assumed where the system does not tell: a laptop's.
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
