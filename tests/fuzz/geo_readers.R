# Damaged tables against read_geo_counts():   Rscript tests/fuzz/geo_readers.R [seconds] [seed]
# Every input must be read as what it can mean, or refused by a pnmf_error; nothing else may come of it: no other error,
# no warning, no value that is not a count. Inputs with a new outcome become seeds for further damage. An input that
# fails is left in tests/fuzz/build/.
library(pNMF)

arguments <- commandArgs(trailingOnly = TRUE)
seconds <- if (length(arguments) > 0) as.numeric(arguments[1]) else 60
seed <- if (length(arguments) > 1) as.integer(arguments[2]) else 1L
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
set.seed(seed)

as_bytes <- function(...) charToRaw(paste0(paste(c(...), collapse = "\n"), "\n"))
tables <- list(
    as_bytes(",H9.00hb4s_001,H9.12h_001,H9.12h_002", "GATA6,0,3.5,0", "NANOG,12,0,1"),
    as_bytes("CD141_P7_S73\tpDC_P10_S80\tMono_P1_S2", "A1BG\t0\t2\t0", "A2M\t1e3\t0\t7", "AAAS\t0\t0\t0.25"),
    as_bytes("\"cell_id\"\t\"PAX6\"\t\"DCX\"\t\"species\"", "\"A10_fetal_12wpc_c1\"\t1.5\t0\t\"human\"",
             "\"B12_hOrg33d_c2\"\t0\t2\t\"human\""),
    as_bytes("gene;a;b", "x;1;2", "y;0;0", "x;3;4")
)
pieces <- lapply(c(",", "\t", ";", "\"", "\"\"", "\n", "\r", "\r\n", " ", "NA", "NaN", "Inf", "-1", "1e309", "1e-320",
                   "0x1p5", "1,5", "_", "H9.00h", "\xef\xbb\xbf", "\xff\xfe", "\xe9", "#", "%s", "\\", "'",
                   strrep("9", 400), strrep("a,", 300)), charToRaw)
pieces <- c(pieces, list(as.raw(0)))

place <- function(bytes, extra = 0L) sample.int(length(bytes) + extra, 1)
damage <- list(
    flip = function(bytes, other) {
        at <- place(bytes)
        replace(bytes, at, xor(bytes[at], as.raw(2^sample(0:7, 1))))
    },
    insert = function(bytes, other) append(bytes, sample(pieces, 1)[[1]], after = place(bytes, 1L) - 1L),
    remove = function(bytes, other) bytes[-seq(place(bytes), length.out = sample.int(20, 1))],
    cut = function(bytes, other) bytes[seq_len(place(bytes))],
    double = function(bytes, other) append(bytes, bytes[place(bytes):place(bytes)], after = place(bytes)),
    splice = function(bytes, other) c(bytes[seq_len(place(bytes))], other[place(other):length(other)])
)
damaged <- function(corpus) {
    bytes <- sample(corpus, 1)[[1]]
    for (k in seq_len(sample(c(0:4, 1L, 1L, 1L), 1))) {
        if (length(bytes) == 0L) break
        bytes <- sample(damage, 1)[[1]](bytes, sample(corpus, 1)[[1]])
        bytes <- bytes[seq_len(min(length(bytes), 1e5))]
    }
    bytes
}
# Compressed as a whole, and sometimes damaged after that.
packed <- function(bytes) {
    type <- sample(c("none", "none", "none", "gzip", "bzip2", "xz"), 1)
    if (type == "none") return(bytes)
    open <- list(gzip = gzfile, bzip2 = bzfile, xz = xzfile)[[type]]
    file <- tempfile("packed")
    connection <- open(file, "wb")
    writeBin(bytes, connection)
    close(connection)
    bytes <- readBin(file, "raw", file.size(file))
    unlink(file)
    if (runif(1) < 0.5) bytes else damage[[sample(c("flip", "remove", "cut"), 1)]](bytes)
}

is_count_table <- function(data) {
    counts <- as.matrix(data$counts)
    cells <- colnames(counts)
    all(is.finite(counts)) && all(counts >= 0) && min(dim(counts)) > 0 && all(nzchar(rownames(counts))) &&
        all(nzchar(cells)) && !anyDuplicated(cells) && all(validUTF8(unlist(dimnames(counts)))) &&
        (is.null(data$labels) || (is.factor(data$labels) && identical(names(data$labels), cells)))
}

without_values <- function(message) gsub("\"[^\"]*\"|[0-9]+", "*", substr(message, 1, 80))

# One word of what came of it; anything but "read" and "refused: ..." is a fault.
outcome <- function(call) {
    fault <- function(condition) paste("fault:", conditionMessage(condition))
    tryCatch({
        data <- do.call(read_geo_counts, call)
        if (is_count_table(data)) "read" else "fault: not a table of counts"
    }, pnmf_error = function(e) paste("refused:", without_values(conditionMessage(e))), error = fault, warning = fault)
}

corpus <- tables
file <- tempfile("damaged")
seen <- integer(0)
faults <- 0L
stop_at <- proc.time()[["elapsed"]] + seconds
while (proc.time()[["elapsed"]] < stop_at) {
    bytes <- damaged(corpus)
    writeBin(packed(bytes), file)
    call <- list(path = file, format = sample(c("auto", "auto", "GSE75748", "GSE94820", "GSE75140", "csv"), 1),
                 cells = sample(c("columns", "rows"), 1),
                 duplicates = sample(c("error", "first", "sum"), 1), max_entries = sample(c(10, 2e8), 1))
    came <- outcome(call)
    if (!(came %in% names(seen))) {
        seen[[came]] <- 0L
        if (length(bytes) > 0L) corpus <- c(corpus, list(bytes))
    }
    seen[[came]] <- seen[[came]] + 1L
    if (startsWith(came, "fault")) {
        faults <- faults + 1L
        kept <- file.path(here, "build", sprintf("geo-fault-%d-%d", seed, faults))
        dir.create(dirname(kept), showWarnings = FALSE)
        file.copy(file, kept, overwrite = TRUE)
        cat(came, "\n  ", kept, "\n  ",
            paste(deparse(call[c("format", "cells", "duplicates", "max_entries")]), collapse = ""), "\n")
    }
}
peak <- sum(gc()[, ncol(gc())])
cat(sprintf("GEO readers: %d inputs, %d read, %d refused in %d ways, %d faults; R's memory reached %.0f MB\n",
            sum(seen), sum(seen[names(seen) == "read"]), sum(seen[startsWith(names(seen), "refused")]),
            sum(startsWith(names(seen), "refused")), faults, peak))
if (faults > 0) quit("no", 1)
