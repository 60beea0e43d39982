lines_of <- function(bytes, n = 1000L) {
    file <- tempfile()
    on.exit(unlink(file))
    writeBin(if (is.character(bytes)) charToRaw(bytes) else bytes, file)
    first_lines(file, n)
}

test_that("lines end in LF, CR LF or CR, the last one in nothing, and blank ones are left out", {
    expect_identical(lines_of("a,b\nc\n"), c("a,b", "c"))
    expect_identical(lines_of("a,b\r\nc\r\n"), c("a,b", "c"))
    expect_identical(lines_of("a,b\rc"), c("a,b", "c"))
    expect_identical(lines_of("\n\na\r\n \r\nb\t\n\n"), c("a", "b\t"))
    expect_identical(lines_of(""), character(0))
    expect_identical(lines_of("\n\r\n"), character(0))
    expect_identical(lines_of("a\nb\nc\n", 2), c("a", "b"))
})

test_that("a byte order mark is dropped, UTF-8 is kept and other bytes are Latin-1", {
    expect_identical(lines_of(as.raw(c(0xef, 0xbb, 0xbf, 0x61))), "a")
    expect_identical(lines_of("\u00e9,b\n"), "\u00e9,b")
    expect_identical(lines_of(as.raw(c(0xe9, 0x2c, 0x62, 0x0a))), "\u00e9,b")
})

test_that("lines have their numbers in the file, however many are read at a time", {
    text <- c("", "abcdefghijk", "l", "", "mnopqr", "stuv", "end")
    for (eol in c("\n", "\r\n", "\r")) {
        file <- written(text, eol = eol)
        for (n in 1:8) {
            connection <- gzfile(file, "rb")
            reader <- line_reader(connection)
            pieces <- list()
            while (length((piece <- reader(n))$text) > 0L) pieces[[length(pieces) + 1L]] <- piece
            close(connection)
            expect_identical(unlist(lapply(pieces, `[[`, "text")), text[nzchar(text)])
            expect_identical(unlist(lapply(pieces, `[[`, "number")), which(nzchar(text)))
        }
    }
})

test_that("a file that is no text is refused by name", {
    file <- tempfile(fileext = ".csv")
    writeBin(c(charToRaw(",a\ng,1"), as.raw(0), charToRaw("\n")), file)
    expect_error(read_geo_counts(file), "must be a text file", class = "pnmf_error")
    connection <- bzfile(file, "wb")
    writeBin(c(charToRaw(",a\n"), as.raw(255), charToRaw("g,1\n")), connection)
    close(connection)
    expect_error(read_geo_counts(file), "must be a text file", class = "pnmf_error")
    saveRDS(1:10, file, compress = FALSE)
    expect_error(read_geo_counts(file), basename(file), class = "pnmf_error")
})

# --- Mutated files ----------------------------------------------------------------------------------------------------

reader_seeds <- function() {
    counts <- small_counts(c("H9.00hb4s_001", "H9.12h_001", "H9.96h_188"))
    organoid <- small_counts(c("B12_hOrg33d_c2", "A10_fetal_12wpc_c1"), c("PAX6", "DCX", "VIM"))
    list(
        delimited(counts, ","), delimited(counts, ",", quote = TRUE), delimited(counts, ";", corner = NULL),
        delimited(small_counts(c("CD141_P7_S73", "pDC_P10_S80")), "\t", corner = NULL),
        c(delimited(t(organoid), "\t", corner = "cell_id", quote = TRUE), "")
    )
}

# One to four edits of the kind that breaks readers.
mutated <- function(bytes) {
    special <- as.raw(c(0, 9, 10, 13, 32, 34, 39, 44, 45, 46, 48, 59, 92, 101, 127, 128, 195, 239, 255))
    for (edit in seq_len(sample.int(4L, 1L))) {
        at <- sample.int(length(bytes), 1L)
        to <- min(length(bytes), at + sample.int(12L, 1L))
        bytes <- switch(
            sample.int(5L, 1L),
            replace(bytes, at, sample(special, 1L)),
            append(bytes, sample(special, sample.int(3L, 1L), replace = TRUE), at),
            bytes[-(at:to)],
            append(bytes, bytes[at:to], at),
            bytes[seq_len(at)]
        )
        if (length(bytes) == 0L) return(as.raw(10))
    }
    bytes
}

# NULL if the reader returns a valid table or an error of this package; otherwise what it did.
misbehaviour <- function(file, ...) {
    tryCatch({
        data <- read_geo_counts(file, ...)
        values <- as.matrix(data$counts)
        sound <- all(is.finite(values)) && all(values >= 0) && all(nzchar(unlist(dimnames(values)))) &&
            !anyDuplicated(rownames(values)) && !anyDuplicated(colnames(values)) &&
            (is.null(data$labels) || length(data$labels) == ncol(values))
        if (!sound) "an unsound table"
    }, pnmf_error = function(e) NULL, error = conditionMessage, warning = conditionMessage)
}

test_that("damaged files are read into sound tables or refused with an error of ours", {
    seeds <- lapply(reader_seeds(), function(lines) charToRaw(paste0(paste(lines, collapse = "\n"), "\n")))
    for (seed in seeds) expect_null(misbehaviour(written(strsplit(rawToChar(seed), "\n")[[1]])))
    file <- tempfile(fileext = ".csv")
    for (k in seq_len(if (slow_tests()) 1000 else 200)) {
        bytes <- with_random_state(k, mutated(seeds[[k %% length(seeds) + 1L]]))
        if (k %% 4 == 0) bytes <- with_random_state(k, mutated(memCompress(bytes, "gzip")))
        writeBin(bytes, file)
        did <- misbehaviour(file, duplicates = c("error", "first", "sum")[k %% 3 + 1])
        expect_null(did, info = paste(k, rawToChar(bytes[bytes != as.raw(0)])))
    }
})

test_that("a compressed file that is damaged in the middle is refused by name", {
    file <- tempfile(fileext = ".gz")
    connection <- gzfile(file, "wb")
    writeLines(as.character(with_random_state(1, stats::runif(5000))), connection)
    close(connection)
    bytes <- readBin(file, "raw", file.size(file))
    writeBin(replace(bytes, length(bytes) %/% 2 + 0:200, as.raw(0xff)), file)
    expect_error(assert_whole_text(file), paste0(basename(file), "\" could not be read to its end"),
                 class = "pnmf_error")
})
