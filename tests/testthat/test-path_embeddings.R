test_that("cells of any size get unit length, and cells of nothing stay", {
    expect_equal(unit_rows(rbind(c(3, 4), c(0.03, 0.04), c(0, 0))), rbind(c(0.6, 0.8), c(0.6, 0.8), c(0, 0)))
})
