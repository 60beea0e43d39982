test_that("two factors are drawn as they are, at every scale", {
    path <- report_path()
    shown <- c(2L, 5L, 9L)
    layout <- report_layout(path, c(1L, 4L), NULL, shown, NULL)
    expect_equal(layout$x, cbind(embedding(path, 1)[shown, 1], embedding(path, 4)[shown, 1]), ignore_attr = TRUE)
    expect_identical(layout$axes, c("factor 1", "factor 2"))
    expect_null(layout$note)
    expect_equal(report_layout(path, 3L, c(2, 1), 1:4, NULL)$x[, 1], unname(embedding(path, 3)[1:4, 2]))
})

test_that("between scales of the map, a cell is as far on its way as its embedding", {
    H <- list(cbind(c(0, 0)), cbind(c(1, 0)), cbind(c(4, 0)), cbind(c(5, 8)))
    known <- cbind(c(10, 20), c(30, 40))
    placed <- between_anchors(known, H, c(1L, 4L))
    expect_equal(placed[, c(1, 4)], known)
    # The first cell has gone 1/5 and 4/5 of its way; the second stays where it starts.
    expect_equal(placed[1, 2:3], 10 + 20 * c(1, 4) / 5)
    expect_equal(placed[2, 2:3], c(20, 20))
})

test_that("a cell that does not move at all is drawn half way", {
    expect_identical(travelled(cbind(1), cbind(1), cbind(1)), 0.5)
})

test_that("with many points the map is computed at few scales, and says at which", {
    skip_if_not_installed("uwot")
    path <- synthetic_path(lapply(1:5, function(t) with_random_state(t, matrix(stats::runif(300), 100))))
    few <- report_layout(path, 1:5, NULL, 1:100, 1, umap_points = 200L)
    expect_match(few$note, "computed at scales 1, 5;", fixed = TRUE)
    expect_identical(dim(few$x), c(100L, 5L))
    expect_false(anyNA(few$x))
    expect_null(report_layout(path, 1:5, NULL, 1:100, 1)$note)
    expect_identical(few$axes, c("UMAP 1", "UMAP 2"))
})
