test_that("the active scale is the finest until another is chosen, and functions use it", {
    path <- synthetic_path(lapply(1:4, function(s) grouped_embedding(seed = s)))
    expect_identical(active_scale(path), 1L)
    expect_identical(embedding(path), embedding(path, 1))
    path <- at_scale(path, 3)
    expect_identical(active_scale(path), 3L)
    expect_identical(embedding(path), embedding(path, 3))
    expect_identical(embedding(path, 1), embedding(at_scale(path, 1)))
    expect_identical(top_features(path)$t[1], 3L)
    expect_output(print(path), "active scale: 3 \\(threshold 3\\)")
    expect_error(at_scale(path, 5), "'value' must be a whole number between 1 and 4", class = "pnmf_error")
})

test_that("a subset of scales keeps the active one where it has it", {
    path <- at_scale(synthetic_path(lapply(1:4, function(s) grouped_embedding(seed = s))), 3)
    expect_identical(active_scale(path[2:4]), 2L)
    expect_identical(embedding(path[2:4]), embedding(path))
    expect_identical(active_scale(path[1:2]), 1L)
})
