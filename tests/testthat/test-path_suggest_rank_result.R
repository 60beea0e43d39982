rank_suggestion <- function() {
    evidence <- data.frame(
        rank = 2:4, error = c(0.5, 0.3, 0.2), holdout_error = c(0.6, 0.35, 0.3), holdout_se = c(0.03, 0.02, 0.01),
        stability = c(1, 0.9, 0.95), suggested = c(FALSE, TRUE, FALSE)
    )
    structure(list(rank = 3L, elbow = 4L, n_repeats = 2L, price = 0.1, evidence = evidence), class = "rank_suggestion")
}

test_that("it prints the suggestion, its reasons and what to do", {
    printed <- capture.output(shown <- withVisible(print(rank_suggestion())))
    expect_false(shown$visible)
    expect_identical(printed[1], "suggested rank: 3 (of 2 3 4)")
    expect_identical(printed[2], "held-out error 0.3500 (best: 0.3000 at rank 4), factor stability 0.90")
    expect_identical(printed[3], "reconstruction error 0.3000; alone it suggests rank 4")
    expect_match(printed[4], "must lower it by 0.1$")
    expect_false(any(grepl("largest rank tried", printed)))
    largest <- rank_suggestion()
    largest$rank <- 4L
    largest$evidence$suggested <- c(FALSE, FALSE, TRUE)
    expect_output(print(largest), "this is the largest rank tried: try larger ones")
    largest$n_repeats <- 0L
    expect_output(print(largest), "by the reconstruction error; no cells were held out")
})

test_that("it draws each measure in a panel of its own, one below the other, and marks the suggested rank", {
    suggestion <- rank_suggestion()
    drawn <- ggplot2::ggplot_build(plot(suggestion))
    expect_identical(drawn$layout$layout$ROW, 1:3)
    marks <- drawn$data[[1]]
    expect_equal(unique(marks$xintercept), 3)
    bars <- drawn$data[[3]]
    expect_equal(bars$ymax - bars$ymin, c(0.06, 0.04, 0.02, rep(0, 6)))
    points <- drawn$data[[4]]
    expect_equal(points$y, unlist(suggestion$evidence[c("holdout_error", "error", "stability")], use.names = FALSE))
    expect_identical(which(points$colour == points$colour[2]), c(2L, 5L, 8L))
    suggestion$evidence[c("holdout_error", "holdout_se", "stability")] <- NA_real_
    expect_identical(levels(plot(suggestion)$data$measure), "reconstruction error")
})
