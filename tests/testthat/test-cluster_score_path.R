scored_path <- function() {
    good <- grouped_embedding(c(10, 10, 10), spread = 0.1)
    poor <- good[with_random_state(1, sample(30)), ]
    synthetic_path(list(poor, good, poor, good))
}
truth <- rep(c("a", "b", "c"), each = 10)

test_that("scores are those of the clusters of each scale, and the average is the mean of four", {
    path <- scored_path()
    scores <- score_path(path, truth)
    expect_identical(names(scores), c("t", "ari", "nmi", "purity", "accuracy", "average"))
    expect_identical(scores$t, 1:4)
    clusters <- path_clusters(path, 3)
    for (t in 1:4) {
        expect_equal(unlist(scores[t, 2:5]), cluster_scores(truth, clusters[[t]]))
        expect_equal(scores$average[t], mean(cluster_scores(truth, clusters[[t]])))
    }
    expect_equal(unlist(scores[2, -1], use.names = FALSE), rep(1, 5))
})

test_that("k defaults to the number of classes, and other arguments reach path_clusters()", {
    path <- scored_path()
    expect_identical(score_path(path, truth), score_path(path, truth, k = 3))
    chosen <- score_path(path, factor(truth), at = c(2, 4), n_start = 5, seed = 2, normalize = TRUE)
    expect_identical(chosen$t, c(2L, 4L))
    five <- score_path(path, truth, k = 5)
    expect_lt(five$accuracy[2], 1)
    expect_equal(five$purity[2], 1)
})

test_that("summary() of scores gives the paper's pNMF and pNMF-best", {
    best <- summary(score_path(scored_path(), truth))
    expect_identical(best$method, c("pNMF", "pNMF-best"))
    expect_identical(best$t, c(1L, 2L))
    expect_gt(best$average[2], best$average[1])
    tied <- data.frame(t = c(5, 2, 3), ari = 1, nmi = 1, purity = 1, accuracy = 1, average = c(1, 0.5, 1))
    class(tied) <- c("path_scores", "data.frame")
    expect_identical(summary(tied)$t, c(2, 3))
})

test_that("a path of one scale has one row, which is both pNMF and pNMF-best", {
    scores <- score_path(scored_path()[2], truth)
    expect_identical(nrow(scores), 1L)
    expect_identical(summary(scores)$t, c(1L, 1L))
})

test_that("bad arguments are refused with the argument named", {
    path <- scored_path()
    expect_error(score_path(path, truth[-1]), "'truth' must have one label per cell \\(30\\), not 29",
                 class = "pnmf_error")
    expect_error(score_path(path, rep("a", 30)), "'truth' must have at least two classes", class = "pnmf_error")
    expect_error(score_path(path, replace(truth, 3, NA)), "'truth' must have no missing labels", class = "pnmf_error")
    expect_error(score_path(path, truth, k = 31), "'k' must be at most 30", class = "pnmf_error")
    expect_error(score_path(1, truth), "'path' must be a pNMFPath", class = "pnmf_error")
    expect_error(summary(score_path(path, truth)[0, ]), "'object'", class = "pnmf_error")
})
