# Reads the lines of text files, plain or compressed.

block_bytes <- 4e6

# A function that returns some of up to n further lines, those that are not blank, with their numbers in the file; none
# after the last one. `connection` is open for reading bytes.
line_reader <- function(connection) {
    seen <- 0L
    function(n) {
        repeat {
            lines <- readLines(connection, n, warn = FALSE)
            if (seen == 0L) lines <- without_byte_order_mark(lines)
            filled <- grep("[^[:space:]]", lines, perl = TRUE, useBytes = TRUE)
            number <- seen + filled
            seen <<- seen + length(lines)
            if (length(filled) > 0L || length(lines) == 0L) return(list(text = as_utf8(lines[filled]), number = number))
        }
    }
}

without_byte_order_mark <- function(lines) {
    if (length(lines) > 0L) lines[1] <- sub("^\xef\xbb\xbf", "", lines[1], useBytes = TRUE)
    lines
}

# Text that is not UTF-8 is Latin-1.
as_utf8 <- function(lines) {
    foreign <- !validUTF8(lines)
    lines[foreign] <- iconv(lines[foreign], "latin1", "UTF-8")
    Encoding(lines) <- "UTF-8"
    lines
}

# Up to n lines that are not blank.
first_lines <- function(path, n) {
    connection <- gzfile(path, "rb")
    on.exit(close(connection))
    reader <- line_reader(connection)
    lines <- character(0)
    repeat {
        more <- reader(min(n - length(lines), 10000L))$text
        lines <- c(lines, more)
        if (length(more) == 0L || length(lines) == n) return(lines)
    }
}

# Stops unless the file can be read to its end, is text, and, if it is compressed, is complete.
assert_whole_text <- function(path) {
    connection <- gzfile(path, "rb")
    on.exit(close(connection))
    total <- 0
    repeat {
        bytes <- tryCatch(readBin(connection, "raw", block_bytes), error = unreadable(path), warning = unreadable(path))
        if (length(bytes) == 0L) break
        # UTF-8 has no byte of 255, at which R ends a bz2 file.
        if (any(bytes == as.raw(0L) | bytes == as.raw(255L))) {
            stop_pnmf(quoted_name(path), " must be a text file, but it contains a byte of 0 or 255")
        }
        total <- total + length(bytes)
    }
    assert_whole_gzip(path, total)
}

unreadable <- function(path) {
    function(condition) {
        stop_pnmf(quoted_name(path), " could not be read to its end: ", conditionMessage(condition))
    }
}

gzip_start <- as.raw(c(0x1f, 0x8b, 0x08))

# A gzip file ends with its uncompressed size, which R does not check: a truncated file would look like a smaller one.
# If several gzip files are concatenated, only the last size can be checked.
assert_whole_gzip <- function(path, bytes) {
    connection <- file(path, "rb", raw = TRUE)
    on.exit(close(connection))
    if (!identical(readBin(connection, "raw", 2L), gzip_start[c(1L, 2L)])) return(invisible())
    seek(connection, max(0, file.size(path) - 4))
    last <- as.integer(readBin(connection, "raw", 4L))
    stated <- sum(last * 256^(seq_along(last) - 1))
    if (!identical(stated, bytes %% 2^32) && !has_second_gzip(connection)) {
        stop_pnmf(quoted_name(path), " must be a complete gzip file, but it seems to be truncated: it holds ", bytes,
                  " bytes, but its last entry says ", stated)
    }
}

# After the three fixed bytes: no reserved flag, and common values for the method and the system.
has_second_gzip <- function(connection) {
    seek(connection, 1)
    kept <- raw(0)
    repeat {
        fresh <- readBin(connection, "raw", block_bytes)
        if (length(fresh) == 0L) return(FALSE)
        bytes <- c(kept, fresh)
        for (at in grepRaw(gzip_start, bytes, fixed = TRUE, all = TRUE)) {
            rest <- as.integer(bytes[at + c(3L, 8L, 9L)])
            if (!anyNA(rest) && rest[1] < 32L && rest[2] %in% c(0L, 2L, 4L) && rest[3] %in% c(0:13, 255L)) return(TRUE)
        }
        kept <- bytes[length(bytes) - (min(9L, length(bytes)) - 1L):0]
    }
}
