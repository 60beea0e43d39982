test_that("numbers and kinds have the article with which they are said", {
    expect_identical(with_article(c("7")), "a 7")
    for (word in c("8", "80", "800", "11", "18", "18000", "integer")) expect_match(with_article(word), "^an ")
    for (word in c("1", "110", "180", "numeric", "70")) expect_match(with_article(word), "^a ")
    expect_identical(describe(matrix(1, 8, 2)), "an 8 x 2 matrix")
    expect_identical(describe(c(1, 2)), "a numeric vector of length 2")
    expect_identical(describe(1:2), "an integer vector of length 2")
})
