small_table <- function() {
    matrix(c(0, 3, 10, 99, 0, 0, 1, 0, 7, 2, 2, 2), 4, dimnames = list(letters[1:4], LETTERS[1:3]))
}

test_that("the result is log10(1 + x) with every cell of unit length", {
    x <- small_table()
    logged <- log10(1 + x)
    expect_equal(normalize_counts(x), sweep(logged, 2, sqrt(colSums(logged^2)), "/"), tolerance = 1e-15)
    expect_equal(unname(colSums(normalize_counts(x)^2)), c(1, 1, 1), tolerance = 1e-15)
    expect_identical(dimnames(normalize_counts(x)), dimnames(x))
})

test_that("sparse input stays sparse, with the same values, names and zeros", {
    x <- methods::as(small_table(), "CsparseMatrix")
    result <- normalize_counts(x)
    expect_s4_class(result, "dgCMatrix")
    expect_identical(result@i, x@i)
    expect_equal(as.matrix(result), normalize_counts(small_table()), tolerance = 1e-15)
    x@x[2] <- 0 # a stored zero
    expect_equal(as.matrix(normalize_counts(x)), normalize_counts(as.matrix(x)), tolerance = 1e-15)
})

test_that("integers, data frames and other Matrix classes are taken", {
    x <- small_table()
    integers <- x
    storage.mode(integers) <- "integer"
    expect_equal(normalize_counts(integers), normalize_counts(x))
    expect_equal(normalize_counts(as.data.frame(x)), normalize_counts(x))
    expect_equal(as.matrix(normalize_counts(methods::as(x, "TsparseMatrix"))), normalize_counts(x), tolerance = 1e-15)
})

test_that("cells without counts stay zero, with a warning that counts them", {
    x <- cbind(small_table(), 0, 0)
    for (input in list(x, methods::as(x, "CsparseMatrix"))) {
        expect_warning(result <- normalize_counts(input), "2 cell.*no counts", class = "pnmf_warning")
        expect_true(all(as.matrix(result)[, 4:5] == 0))
        expect_equal(unname(Matrix::colSums(result^2)), c(1, 1, 1, 0, 0))
    }
})

test_that("huge and tiny counts stay finite", {
    x <- matrix(c(1e300, 1, 0, 1e-300, 1e-300, 0), 3)
    expect_true(all(is.finite(suppressWarnings(normalize_counts(x)))))
})

test_that("bad input is refused by name", {
    refused <- function(expr, pattern) expect_error(expr, pattern, class = "pnmf_error")
    refused(normalize_counts(-small_table()), "'x' must be nonnegative, but its smallest entry is -99")
    refused(normalize_counts(replace(small_table(), 1, NA)), "'x' must be finite")
    refused(normalize_counts(replace(small_table(), 1, Inf)), "'x' must be finite")
    refused(normalize_counts(letters), "'x' must be a numeric matrix")
    refused(normalize_counts(matrix(0, 0, 0)), "'x' must have at least one row")
})
