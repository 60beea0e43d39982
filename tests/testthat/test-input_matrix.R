test_that("numeric matrices of any type become double matrices", {
    x <- matrix(c(0, 1, 2, 3, 0, 5), 2, dimnames = list(c("a", "b"), NULL))
    integers <- x
    storage.mode(integers) <- "integer"
    expect_identical(as_data_matrix(x), x)
    expect_identical(as_data_matrix(integers), x)
    expect_identical(as_data_matrix(x > 1), (x > 1) + 0)
    expect_identical(as_data_matrix(as.data.frame(x)), as.matrix(as.data.frame(x)))
})

test_that("every sparse Matrix class becomes a dgCMatrix with the same values", {
    x <- random_sparse(6, 6, 0.5)
    square <- Matrix::forceSymmetric(x)
    inputs <- list(
        dgTMatrix = methods::as(x, "TsparseMatrix"), dgRMatrix = methods::as(x, "RsparseMatrix"),
        dsCMatrix = square, dsTMatrix = methods::as(square, "TsparseMatrix"), dtCMatrix = Matrix::triu(x),
        ngCMatrix = methods::as(x, "nMatrix"), lgCMatrix = methods::as(x, "lMatrix"),
        ddiMatrix = Matrix::Diagonal(4, 1:4), ldiMatrix = Matrix::Diagonal(4, TRUE),
        pMatrix = methods::as(4:1, "pMatrix"), dgCMatrix = x
    )
    for (class in names(inputs)) {
        expect_s4_class(inputs[[class]], class)
        result <- as_data_matrix(inputs[[class]])
        expect_identical(class(result)[1], "dgCMatrix")
        expect_equal(as.matrix(result) + 0, as.matrix(inputs[[class]]) + 0, ignore_attr = TRUE)
    }
})

test_that("a dense Matrix becomes a matrix", {
    x <- matrix(c(1, 2, 3, 4, 5, 6), 2)
    for (input in list(Matrix::Matrix(x, sparse = FALSE), Matrix::Matrix(crossprod(x), sparse = FALSE))) {
        expect_true(is.matrix(as_data_matrix(input)))
        expect_equal(as_data_matrix(input), as.matrix(input), ignore_attr = TRUE)
    }
})

test_that("a DelayedMatrix is read, sparse when it is sparse", {
    skip_if_not_installed("DelayedArray")
    x <- random_sparse(6, 4, 0.5)
    expect_equal(as.matrix(as_data_matrix(DelayedArray::DelayedArray(x))), as.matrix(x))
    expect_identical(as_data_matrix(DelayedArray::DelayedArray(as.matrix(x))), as.matrix(x))
})

test_that("missing names are filled in", {
    x <- matrix(1, 2, 3)
    expect_identical(cell_names_of(x), c("cell1", "cell2", "cell3"))
    expect_identical(feature_names_of(x), c("feature1", "feature2"))
    dimnames(x) <- list(c("g", "h"), letters[1:3])
    expect_identical(cell_names_of(x), letters[1:3])
    expect_identical(feature_names_of(x), c("g", "h"))
})

test_that("negative values are taken only where they may be", {
    x <- matrix(c(-1, 2), 1)
    expect_identical(as_data_matrix(x, nonnegative = FALSE), x)
    expect_error(as_data_matrix(x, "data"), "'data' must be nonnegative, but its smallest entry is -1",
                 class = "pnmf_error")
    expect_error(as_data_matrix(methods::as(x, "CsparseMatrix")), "'x' must be nonnegative", class = "pnmf_error")
})

test_that("what is no finite numeric matrix is refused by name, in words", {
    refused <- function(x, pattern) expect_error(as_data_matrix(x, "counts"), pattern, class = "pnmf_error")
    refused("a", "'counts' must be a numeric matrix .* not \"a\"")
    refused(letters, "not a character vector of length 26")
    refused(matrix("a", 2, 3), "not a 2 x 3 character matrix")
    refused(matrix(1i, 1, 1), "not a 1 x 1 complex matrix")
    refused(list(1), "not a list without names")
    refused(NULL, "not NULL")
    refused(1:3, "not an integer vector of length 3")
    refused(mean, "not a function")
    refused(array(1, c(2, 2, 2)), "'counts' must be a numeric matrix")
    refused(data.frame(a = 1, b = "x"), "'counts' must be numeric, but the data.frame has a column that is not")
    refused(data.frame(), "at least one row and one column")
    refused(matrix(0, 0, 3), "at least one row and one column, not a 0 x 3")
    refused(Matrix::sparseMatrix(i = integer(), j = integer(), dims = c(3, 0), x = numeric()), "3 x 0 dgCMatrix")
    refused(matrix(c(1, NA), 1), "'counts' must be finite, but 1 entry is NA or NaN")
    refused(matrix(c(NaN, NA, 1), 1), "2 entries are NA or NaN")
    refused(matrix(c(Inf, 1), 1), "1 entry is infinite")
    sparse <- random_sparse(4, 4, 0.5)
    sparse@x[1] <- NA
    refused(sparse, "'counts' must be finite")
})

test_that("dimensions beyond 32-bit indices are refused", {
    expect_error(assert_index_limits(c(5, 2^31), "x"), "'x' must have fewer than 2\\^31 rows and columns, not 5 x",
                 class = "pnmf_error")
    expect_error(assert_index_limits(c(3e9, 10), "x"), "'x' must have fewer", class = "pnmf_error")
    expect_null(assert_index_limits(c(2^31 - 1, 1), "x"))
})

test_that("whole numbers in a DelayedMatrix become doubles", {
    skip_if_not_installed("DelayedArray")
    whole <- matrix(1:6, 2)
    expect_identical(as_data_matrix(DelayedArray::DelayedArray(whole)), whole + 0)
    expect_identical(as_data_matrix(DelayedArray::DelayedArray(whole > 2)), (whole > 2) + 0)
})
