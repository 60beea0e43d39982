# Encodes numbers as text for a page: whole numbers of one or two bytes in base 64. A coordinate then takes three
# characters; more digits would be invisible.

# x in [low, high] as whole numbers of `bytes` bytes: 0 is low, the largest is high.
quantised <- function(x, low, high, bytes) {
    top <- 256^bytes - 1
    if (high <= low) return(rep(0L, length(x)))
    as.integer(round(top * pmin(pmax((as.vector(x) - low) / (high - low), 0), 1)))
}

# Whole numbers 0 ... 256^bytes - 1, least byte first.
base64_numbers <- function(x, bytes) {
    jsonlite::base64_enc(writeBin(as.integer(x), raw(), size = bytes, endian = "little"))
}

# Whole numbers 0 ... 255, compressed: most values of a gene are 0 and take a fraction of a byte.
packed <- function(x) jsonlite::base64_enc(memCompress(as.raw(x), "gzip"))

packed_text <- function(text) jsonlite::base64_enc(memCompress(charToRaw(enc2utf8(text)), "gzip"))

# A list of vectors of the same length: the first as it is, the others as differences from the previous one, modulo 256.
# Along a path the differences are small and compress well.
packed_steps <- function(x) {
    before <- c(list(0L), x[-length(x)])
    packed(unlist(Map(function(now, last) (as.vector(now) - as.vector(last)) %% 256L, x, before)))
}

# A matrix of values, columns one after the other, with the range that the page needs to read them.
encoded_range <- function(x) {
    list(low = min(x), high = max(x), bytes = 2L, codes = base64_numbers(quantised(x, min(x), max(x), 2L), 2L))
}

# Codes 1, 2, ... of groups, as 0, 1, ...
encoded_codes <- function(x) {
    bytes <- if (max(x) <= 256L) 1L else 2L
    list(bytes = bytes, codes = base64_numbers(as.vector(x) - 1L, bytes))
}

# JSON, compressed: in base 64, no name can end the element that holds it.
packed_json <- function(x) {
    packed_text(as.character(jsonlite::toJSON(x, auto_unbox = TRUE, digits = NA, na = "null", null = "null")))
}
