test_that("valleys of a density are filled to the lower of the peaks beside them, evenly", {
    place <- with_random_state(1, sort(c(stats::rnorm(300), stats::rnorm(100, 8))))
    drawn <- with_random_state(2, without_valleys(place)(4000))
    expect_true(all(drawn >= min(place) & drawn <= max(place)))
    # Between the peaks there were no cells; now there are as many as around the lower peak.
    expect_identical(sum(place > 3.5 & place < 4.5), 0L)
    expect_equal(mean(drawn > 3.5 & drawn < 4.5), mean(drawn > 7.5 & drawn < 8.5), tolerance = 0.2)
    expect_lt(max(diff(sort(drawn[drawn > 3.5 & drawn < 4.5]))), 0.02)
    one <- with_random_state(3, sort(stats::rnorm(400)))
    drawn <- with_random_state(4, without_valleys(one)(400))
    expect_equal(c(mean(drawn), stats::sd(drawn)), c(mean(one), stats::sd(one)), tolerance = 0.1)
})

test_that("a bridged cloud keeps curve and spread of cells without a gap, and fills a gap", {
    along <- function(place) {
        n <- length(place)
        with_random_state(1, rbind(place, place^2, 0) + rbind(0, stats::rnorm(n, sd = 0.3), stats::rnorm(n, sd = 0.5)))
    }
    whole <- along(seq(-3, 3, length.out = 400))
    drawn <- with_random_state(2, bridged_cloud(whole, rep(1:2, each = 200))(2000))
    expect_lt(stats::sd(drawn[2, ] - drawn[1, ]^2), 0.6)
    expect_equal(apply(drawn, 1, stats::sd), apply(whole, 1, stats::sd), tolerance = 0.15)
    parted <- along(c(seq(-3, -1, length.out = 200), seq(1, 3, length.out = 200)))
    drawn <- with_random_state(2, bridged_cloud(parted, rep(1:2, each = 200))(2000))
    expect_identical(sum(abs(parted[1, ]) < 0.9), 0L)
    expect_gt(mean(abs(drawn[1, ]) < 0.9), 0.1)
})

test_that("cells in one place, and groups of one cell, have a cloud", {
    expect_identical(dim(bridged_cloud(matrix(1, 3, 6), rep(1:2, 3))(10)), c(1L, 10L))
    two <- with_random_state(1, bridged_cloud(cbind(c(0, 0), c(1, 2)), 1:2)(5))
    expect_true(all(is.finite(two)))
})
