small_table <- function() {
    matrix(c(0, 3, 10, 99, 0, 0, 1, 0, 7, 2, 2, 2), 4, dimnames = list(letters[1:4], LETTERS[1:3]))
}

test_that("the default is the logarithm of one plus the counts per 10,000", {
    x <- small_table()
    expect_equal(normalize_counts(x), log(1 + 1e4 * sweep(x, 2, colSums(x), "/")), tolerance = 1e-15)
    expect_equal(unname(colSums(expm1(normalize_counts(x)))), rep(1e4, 3), tolerance = 1e-13)
    expect_identical(dimnames(normalize_counts(x)), dimnames(x))
    skip_if_not_installed("Seurat")
    sparse <- methods::as(x, "CsparseMatrix")
    expect_equal(normalize_counts(sparse), Seurat::NormalizeData(sparse, verbose = FALSE), tolerance = 1e-14)
})

test_that("the paper's is log10(1 + x) with every cell of unit length", {
    x <- small_table()
    logged <- log10(1 + x)
    unit <- normalize_counts(x, method = "paper")
    expect_equal(unit, sweep(logged, 2, sqrt(colSums(logged^2)), "/"), tolerance = 1e-15)
    expect_identical(dimnames(unit), dimnames(x))
})

test_that("sparse input stays sparse, with the same values, names and zeros", {
    x <- methods::as(small_table(), "CsparseMatrix")
    for (method in c("log", "paper")) {
        result <- normalize_counts(x, method)
        expect_s4_class(result, "dgCMatrix")
        expect_identical(result@i, x@i)
        expect_equal(as.matrix(result), normalize_counts(small_table(), method), tolerance = 1e-15)
    }
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
        expect_warning(result <- normalize_counts(input, "paper"), "2 cells without counts", class = "pnmf_warning")
        expect_true(all(as.matrix(result)[, 4:5] == 0))
        expect_equal(unname(Matrix::colSums(result^2)), c(1, 1, 1, 0, 0))
    }
})

test_that("huge and tiny counts stay finite", {
    x <- matrix(c(1e300, 1, 0, 1e-300, 1e-300, 0), 3)
    for (method in c("log", "paper")) expect_true(all(is.finite(suppressWarnings(normalize_counts(x, method)))))
})

test_that("bad input is refused by name", {
    refused <- function(expr, pattern) expect_error(expr, pattern, class = "pnmf_error")
    refused(normalize_counts(-small_table()), "'x' must be nonnegative, but its smallest entry is -99")
    refused(normalize_counts(replace(small_table(), 1, NA)), "'x' must be finite")
    refused(normalize_counts(replace(small_table(), 1, Inf)), "'x' must be finite")
    refused(normalize_counts(small_table(), "clr"), "'method' must be one of \"log\", \"paper\", not \"clr\"")
    refused(normalize_counts(letters), "'x' must be a numeric matrix")
    refused(normalize_counts(matrix(0, 0, 0)), "'x' must have at least one row")
})

test_that("data that are normalised already give a warning, counts with fractions do not", {
    counts <- matrix(c(3, 40, 0, 2), 2)
    once <- normalize_counts(counts)
    expect_warning(normalize_counts(once), "has fractions and no value above 20", class = "pnmf_warning")
    expect_warning(normalize_counts(as(once, "CsparseMatrix")), "no value above 20", class = "pnmf_warning")
    expect_no_warning(normalize_counts(counts / 1.5))
    expect_no_warning(normalize_counts(matrix(0:3, 2)))
})

test_that("counts with cells as rows give a warning before they are normalised", {
    counts <- matrix(c(3, 40, 0, 2), 2, dimnames = list(c("AAACATACAACCAC-1", "AAACATTGAGCTAC-1"), c("CD3E", "LYZ")))
    expect_warning(normalize_counts(counts), "t\\(x\\) may be meant", class = "pnmf_warning")
    expect_no_warning(normalize_counts(t(counts)))
})
