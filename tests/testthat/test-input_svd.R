test_that("XX' is kept from keep_gram() to forget_gram(), and only that of the last data", {
    x <- matrix(as.numeric(1:12), 3)
    other <- x + 1
    expect_identical(feature_gram(x, 1), tcrossprod(x))
    expect_identical(ls(kept_gram), character())
    keep_gram()
    feature_gram(x, 1)
    kept_gram$gram <- "of x"
    expect_identical(feature_gram(x, 1), "of x")
    expect_identical(feature_gram(other, 1), tcrossprod(other))
    expect_identical(feature_gram(x, 1), tcrossprod(x))
    expect_identical(feature_gram(x, 1, 2:3), tcrossprod(x[2:3, ]))
    expect_identical(feature_gram(x, 1, 1:2), tcrossprod(x[1:2, ]))
    forget_gram()
    expect_identical(ls(kept_gram), character())
})

test_that("a fit that fails does not keep XX'", {
    expect_error(pnmf(matrix(1, 3, 4), rank = 9), class = "pnmf_error")
    expect_identical(ls(kept_gram), character())
})
