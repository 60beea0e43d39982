# Reads the lines of text files, plain or compressed, in bounded memory for any content.

# Maximum bytes of one line (the header of a million cells takes about 20 MB), and of the lines returned at once.
max_line_bytes <- 5e7
max_bytes_at_once <- 6.4e7
block_bytes <- 4e6

# A function that returns up to n further lines that are not blank, with their numbers in the file. `connection` is open
# for reading bytes.
line_reader <- function(connection, path, block = block_bytes) {
    next_block <- block_reader(connection, path, block)
    waiting <- data.frame(text = character(0), number = integer(0), bytes = numeric(0))
    taken <- 0L # of those waiting
    seen <- 0L # in the file
    fill <- function(n) {
        repeat {
            enough <- nrow(waiting) - taken >= n || sum(waiting$bytes) >= max_bytes_at_once
            more <- if (!enough) next_block()
            if (is.null(more)) return()
            filled <- grep("[^[:space:]]", more, perl = TRUE, useBytes = TRUE)
            fresh <- data.frame(text = more[filled], number = seen + filled, bytes = nchar(more[filled], "bytes"))
            waiting <<- rbind(waiting[seq_len(nrow(waiting)) > taken, ], fresh)
            taken <<- 0L
            seen <<- seen + length(more)
        }
    }
    function(n) {
        fill(n)
        rows <- taken + seq_len(min(n, nrow(waiting) - taken))
        # At least one line, then as many as fit.
        rows <- rows[seq_len(max(min(1L, length(rows)), sum(cumsum(waiting$bytes[rows]) <= max_bytes_at_once)))]
        taken <<- taken + length(rows)
        list(text = waiting$text[rows], number = waiting$number[rows])
    }
}

# A function that returns the lines that end in the next block of bytes, and NULL after the last one.
block_reader <- function(connection, path, block) {
    begun <- list() # pieces of a line whose end has not come yet
    at_start <- TRUE
    ended <- FALSE
    total <- 0
    complete_lines <- function(bytes) {
        end <- if (ended) length(bytes) else last_line_end(bytes)
        if (end == 0L && !ended) {
            begun[[length(begun) + 1L]] <<- bytes
            return(character(0))
        }
        text <- c(begun, list(bytes[seq_len(end)]))
        begun <<- if (end < length(bytes)) list(bytes[-seq_len(end)]) else list()
        text_lines(do.call(c, text))
    }
    function() {
        if (ended) return(NULL)
        assert_short_line(begun, path)
        bytes <- tryCatch(readBin(connection, "raw", block), error = unreadable(path), warning = unreadable(path))
        ended <<- length(bytes) == 0L
        total <<- total + length(bytes)
        if (ended) assert_whole_gzip(path, total)
        if (any(bytes == as.raw(0L))) stop_pnmf(quoted_name(path), " must be a text file, but it contains a zero byte")
        if (at_start) bytes <- without_byte_order_mark(bytes)
        at_start <<- FALSE
        complete_lines(bytes)
    }
}

gzip_start <- as.raw(c(0x1f, 0x8b, 0x08))

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

# The end of the last complete line. A carriage return in the last position may still be followed by a line feed.
last_line_end <- function(bytes) {
    ends <- which(bytes == as.raw(10L) | bytes == as.raw(13L))
    ends <- ends[ends < length(bytes) | bytes[ends] == as.raw(10L)]
    if (length(ends) == 0L) 0L else ends[length(ends)]
}

# Lines end in LF, CR LF or CR. Text that is not UTF-8 is read as Latin-1.
text_lines <- function(bytes) {
    if (length(bytes) == 0L) return(character(0))
    returns <- which(bytes == as.raw(13L))
    if (length(returns) > 0L) {
        before_feed <- returns[returns < length(bytes) & bytes[pmin(returns + 1L, length(bytes))] == as.raw(10L)]
        bytes[returns] <- as.raw(10L)
        if (length(before_feed) > 0L) bytes <- bytes[-before_feed]
    }
    lines <- strsplit(rawToChar(bytes), "\n", fixed = TRUE, useBytes = TRUE)[[1]]
    foreign <- !validUTF8(lines)
    lines[foreign] <- iconv(lines[foreign], "latin1", "UTF-8")
    Encoding(lines) <- "UTF-8"
    lines
}

without_byte_order_mark <- function(bytes) {
    mark <- as.raw(c(0xef, 0xbb, 0xbf))
    if (length(bytes) >= 3L && identical(bytes[seq_len(3L)], mark)) bytes[-seq_len(3L)] else bytes
}

unreadable <- function(path) {
    function(condition) {
        stop_pnmf(quoted_name(path), " could not be read to its end: ", conditionMessage(condition))
    }
}

# Up to n lines that are not blank; stops if they have more than max_bytes bytes.
first_lines <- function(path, n, max_bytes = Inf) {
    connection <- gzfile(path, "rb")
    on.exit(close(connection))
    reader <- line_reader(connection, path)
    pieces <- list()
    bytes <- 0
    while (sum(lengths(pieces)) < n) {
        more <- reader(min(n - sum(lengths(pieces)), 10000L))$text
        if (length(more) == 0L) break
        pieces[[length(pieces) + 1L]] <- more
        bytes <- bytes + sum(nchar(more, "bytes"))
        if (bytes > max_bytes) {
            stop_pnmf(quoted_name(path), " must have at most ", format(max_bytes), " bytes of text")
        }
    }
    as.character(unlist(pieces))
}

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

assert_short_line <- function(pieces, path) {
    if (sum(lengths(pieces)) > max_line_bytes) {
        stop_pnmf(quoted_name(path), " must have lines of at most ", format(max_line_bytes), " bytes")
    }
}
