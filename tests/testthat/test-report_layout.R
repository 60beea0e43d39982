test_that("two factors are drawn as they are, at every scale", {
    path <- report_path()
    shown <- c(2L, 5L, 9L)
    layout <- report_layout(path, c(1L, 4L), NULL, shown, NULL)
    expect_equal(layout$x, cbind(embedding(path, 1)[shown, 1], embedding(path, 4)[shown, 1]), ignore_attr = TRUE)
    expect_identical(layout$axes, c("factor 1", "factor 2"))
    expect_equal(report_layout(path, 3L, c(2, 1), 1:4, NULL)$x[, 1], unname(embedding(path, 3)[1:4, 2]))
})
