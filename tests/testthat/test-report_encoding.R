skip_without_report_packages()

decoded <- function(encoded) {
    bytes <- as.integer(jsonlite::base64_dec(encoded$codes))
    if (encoded$bytes == 1L) return(bytes)
    bytes[c(TRUE, FALSE)] + 256L * bytes[c(FALSE, TRUE)]
}

test_that("encoded values come back to within half a step", {
    x <- with_random_state(1, matrix(stats::rnorm(60), 12))
    encoded <- encoded_range(x)
    step <- (max(x) - min(x)) / 65535
    # Half a step by rounding, and a little for the arithmetic itself.
    expect_lt(max(abs(encoded$low + step * decoded(encoded) - as.vector(x))), 0.5001 * step)
    expect_identical(range(decoded(encoded)), c(0L, 65535L))
})

test_that("values outside the range are taken to its ends, and equal values do not divide by zero", {
    expect_identical(quantised(c(-1, 0, 0.5, 1, 7), 0, 1, 1L), c(0L, 0L, 128L, 255L, 255L))
    expect_identical(quantised(c(3, 3), 3, 3, 1L), c(0L, 0L))
})

test_that("codes take two bytes only when one is not enough", {
    expect_identical(encoded_codes(1:256)$bytes, 1L)
    expect_identical(decoded(encoded_codes(1:256)), 0:255)
    expect_identical(encoded_codes(c(1L, 257L))$bytes, 2L)
    expect_identical(decoded(encoded_codes(c(1L, 257L, 300L))), c(0L, 256L, 299L))
})

test_that("JSON inside a script has no tag, and reads back the same", {
    names <- c("</script><script>alert(1)</script>", "<!--", "a & b \\ \"c\"", "\u00e4\u2028")
    text <- packed_json(list(names = I(names)))
    expect_match(text, "^[A-Za-z0-9+/=\\s]+$", perl = TRUE)
    json <- rawToChar(memDecompress(jsonlite::base64_dec(text), "gzip"))
    expect_identical(jsonlite::fromJSON(json)$names, names)
})
