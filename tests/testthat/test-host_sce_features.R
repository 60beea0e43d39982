test_that("variances of rows are those of var(), sparse, dense or on disk", {
    x <- as.matrix(grouped_counts(30, 20))
    x[3, ] <- 0
    expected <- unname(apply(x, 1, stats::var))
    expect_equal(unname(row_variances(x, NULL)), expected)
    sparse <- as_compressed_columns(Matrix::Matrix(x, sparse = TRUE))
    expect_equal(unname(row_variances(sparse, NULL)), expected)
    storage.mode(x) <- "integer"
    expect_equal(unname(row_variances(x, NULL)), expected)
    skip_if_not_installed("DelayedArray")
    expect_equal(row_variances(DelayedArray::DelayedArray(x), NULL), expected)
    expect_equal(row_variances(DelayedArray::DelayedArray(sparse), NULL), expected)
})

test_that("blocks of rows are put together in order", {
    skip_if_not_installed("DelayedArray")
    x <- as.matrix(grouped_counts(30, 20))
    size <- DelayedArray::getAutoBlockSize()
    on.exit(suppressMessages(DelayedArray::setAutoBlockSize(size)))
    suppressMessages(DelayedArray::setAutoBlockSize(30 * 8 * 3))
    expect_gt(length(DelayedArray::rowAutoGrid(DelayedArray::DelayedArray(x))), 3)
    expect_equal(row_variances(DelayedArray::DelayedArray(x), NULL), unname(apply(x, 1, stats::var)))
})

test_that("the ntop most variable rows are taken, all of them when there are fewer", {
    x <- rbind(a = c(0, 1, 0), b = c(0, 9, 0), c = c(0, 0, 4))
    expect_identical(sce_features(x, NULL, 2, NULL), 2:3)
    expect_identical(sce_features(x, NULL, 50, NULL), c(2L, 3L, 1L))
    expect_identical(sce_features(x, c("c", "a", "c"), 2, NULL), c(3L, 1L))
})

test_that("features with missing values are an error, not left out", {
    x <- matrix(1:12 + 0, 3)
    x[2, 1] <- NA
    for (assay in list(x, methods::as(x, "CsparseMatrix"))) {
        expect_error(sce_features(assay, NULL, 2, NULL), "must be finite, but 1 of 3 features", class = "pnmf_error")
    }
})
