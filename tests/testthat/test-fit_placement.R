test_that("a component without length, but for rounding, counts as endless: nothing is far along it", {
    coordinates <- rbind(c(3e6, -4e6), c(1e-3, 0), c(0, 2))
    expect_identical(component_lengths(list(coordinates = coordinates)), c(5e6, Inf, 2))
})
