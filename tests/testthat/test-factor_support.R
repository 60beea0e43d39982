test_that("specific genes lead by more than one gene would by chance", {
    score <- cbind(c(9, rep(0, 99)), c(rep(3, 4), rep(0, 96)), c(rep(3, 5), NA, rep(0, 94)))
    expect_identical(count_specific(score), c(1, 4, 5))
    expect_identical(count_specific(score * 0.7), c(1, 0, 0))
    expect_identical(count_specific(score, n_genes = 1e6), c(1, 0, 0))
})

test_that("one of several copies is supported, and programs of noise are not, however few there are", {
    truth <- programs(n_programs = 4, n_cells = 200)
    gene <- gene_moments(truth$x)
    copied <- with_random_state(2, truth$W[, c(1, 1, 2, 3, 3, 3, 4)] * stats::runif(nrow(truth$W) * 7, 0.95, 1.05))
    left <- lasting_programs(truth$x, copied, gene, 1L)
    expect_length(left, 4L)
    expect_setequal(c(1, 1, 2, 3, 3, 3, 4)[left], 1:4)
    expect_identical(lasting_programs(truth$x, copied, gene, 2L), left)
    permuted <- with_random_state(1, t(apply(truth$x, 1L, sample)))
    expect_identical(lasting_programs(permuted, truth$W, gene_moments(permuted), 1L), integer(0))
    expect_identical(lasting_programs(truth$x, truth$W[, 1:2], gene, 1L), integer(0))
})

test_that("a program of three cells is not supported, one of eight is", {
    truth <- programs(n_programs = 4, n_cells = 200)
    supported <- function(cells) {
        truth$H[4, ] <- 0.01
        truth$H[4, seq_len(cells)] <- 3
        x <- with_random_state(3, matrix(stats::rpois(length(truth$x), 4 * truth$W %*% truth$H), nrow(truth$x)) / 4)
        marker_scores(x, t(truth$H), truth$W)$supported
    }
    expect_identical(supported(3), c(TRUE, TRUE, TRUE, FALSE))
    expect_identical(supported(8), c(TRUE, TRUE, TRUE, TRUE))
})

test_that("a program that only a few cells lack rests on the others", {
    H <- cbind(rep(c(1, 0.01), c(197, 3)), rep(c(0.01, 3), c(197, 3)))
    expect_identical(used_by_several(H), c(TRUE, FALSE))
    expect_true(used_by_several(cbind(rep(c(1, 0), c(197, 3)))))
})

test_that("exact copies have scores near 0", {
    truth <- programs()
    scores <- marker_scores(truth$x, t(truth$H)[, c(1, 1, 2)])
    expect_lt(max(scores$score[, 1:2], na.rm = TRUE), 1)
    expect_gt(sum(scores$score[, 3] > 3, na.rm = TRUE), 5)
})
