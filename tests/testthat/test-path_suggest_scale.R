# Scales 4 to 8 of 10 show three groups, the others chance.
planted_path <- function() {
    groups <- grouped_embedding(c(15, 15, 15), spread = 0.5)
    embeddings <- lapply(1:10, function(t) {
        if (t %in% 4:8) return(groups + 0.01 * t)
        with_random_state(t, matrix(stats::runif(90), 45))
    })
    synthetic_path(embeddings, thresholds = 2 * (1:10), betti0 = 45:36)
}

test_that("the suggestion is the middle of the scales whose clusters the others share", {
    suggestion <- suggest_scale(planted_path(), k = 3, n_start = 10)
    expect_s3_class(suggestion, "scale_suggestion")
    expect_identical(suggestion$t, 6L)
    expect_true(suggest_scale(planted_path(), n_start = 10)$t %in% 4:8)
})

test_that("the evidence has its definition: mean adjusted Rand index with every other scale", {
    path <- planted_path()
    evidence <- suggest_scale(path, k = c(3, 5), n_start = 5, seed = 2)$evidence
    expected <- lapply(c(3, 5), function(k) {
        clusters <- path_clusters(path, k, n_start = 5, seed = 2)
        vapply(1:10, function(t) {
            others <- setdiff(1:10, t)
            mean(vapply(others, function(s) cluster_scores(clusters[[t]], clusters[[s]])[["ari"]], numeric(1)))
        }, numeric(1))
    })
    expect_equal(evidence$agreement, (expected[[1]] + expected[[2]]) / 2, tolerance = 1e-12)
    steps <- lapply(c(3, 5), function(k) cluster_stability(path_clusters(path, k, n_start = 5, seed = 2))$ari)
    steps <- (steps[[1]] + steps[[2]]) / 2
    expect_equal(evidence$neighbours, c(steps[1], (steps[-9] + steps[-1]) / 2, steps[9]), tolerance = 1e-12)
    expect_identical(evidence$threshold, 2 * (1:10))
    expect_identical(evidence$components, 45:36)
    expect_identical(sum(evidence$suggested), 1L)
})

test_that("separation compares the distance to the own centre with that to the nearest other", {
    x <- grouped_embedding(c(5, 6, 4), spread = 2)
    labels <- rep(1:3, c(5, 6, 4))
    centers <- t(vapply(1:3, function(g) colMeans(x[labels == g, ]), numeric(2)))
    by_cell <- vapply(1:15, function(i) {
        distance <- sqrt(colSums((t(centers) - x[i, ])^2))
        1 - distance[labels[i]] / min(distance[-labels[i]])
    }, numeric(1))
    expect_equal(cluster_separation(x, labels), mean(by_cell), tolerance = 1e-12)
    expect_identical(cluster_separation(x, rep(1L, 15)), 0)
})

test_that("the middle of the longest run of best values is taken", {
    expect_identical(middle_of_best(c(0, 1, 1, 1, 0)), 3L)
    expect_identical(middle_of_best(c(1, 0, 1, 1, 0)), 3L)
    expect_identical(middle_of_best(c(1, 0.995, 0, 1)), 1L)
    expect_identical(middle_of_best(c(0.2, 0.5, 0.5, 0.5, 0.5, 0.1)), 3L)
    expect_identical(middle_of_best(0.3), 1L)
})

test_that("long paths are sampled evenly, ends included", {
    suggestion <- suggest_scale(planted_path(), k = 3, max_scales = 4, n_start = 3)
    expect_identical(suggestion$evidence$t, c(1L, 4L, 7L, 10L))
    expect_true(suggestion$t %in% c(4L, 7L))
    expect_identical(suggestion$n_scales, 10L)
})

test_that("data and seed decide, the session's random numbers are left alone, workers change nothing", {
    path <- planted_path()
    set.seed(5)
    before <- .Random.seed
    first <- suggest_scale(path, k = 4, n_start = 2, seed = 1)
    expect_identical(.Random.seed, before)
    expect_identical(suggest_scale(path, k = 4, n_start = 2, seed = 1), first)
    skip_if_not_installed("BiocParallel")
    expect_identical(suggest_scale(path, k = 4, n_start = 2, seed = 1, BPPARAM = BiocParallel::SerialParam()), first)
})

test_that("paths of one scale, of few cells and with coinciding cells are handled", {
    one <- suggest_scale(synthetic_path(list(grouped_embedding(c(4, 4)))))
    expect_identical(one$t, 1L)
    expect_identical(one$evidence$agreement, 1)
    tiny <- synthetic_path(rep(list(matrix(c(1, 2, 5, 1, 2, 6), 3)), 2))
    expect_true(suggest_scale(tiny)$t %in% 1:2)
    groups <- grouped_embedding(c(5, 5))
    collapsed <- synthetic_path(list(groups, groups, groups, matrix(1, 10, 2)))
    suggestion <- suggest_scale(collapsed, k = 2)
    expect_identical(suggestion$t, 2L)
    expect_identical(suggestion$evidence$agreement[4], 0)
})

test_that("it prints in a few lines and draws the evidence with the suggestion marked", {
    suggestion <- suggest_scale(planted_path(), k = 3, n_start = 3)
    printed <- capture.output(shown <- withVisible(print(suggestion)))
    expect_false(shown$visible)
    expect_match(printed[1], "suggested scale: 6 of 10 \\(threshold 12, 40 components\\)")
    expect_match(paste(printed, collapse = " "), "heuristic")
    drawing <- plot(suggestion)
    expect_s3_class(drawing, "ggplot")
    expect_equal(unique(ggplot2::ggplot_build(drawing)$data[[1]]$xintercept), 6)
    expect_identical(nrow(ggplot2::ggplot_build(drawing)$data[[2]]), 30L)
})

test_that("on labelled cells the suggested scale scores above the average scale", {
    dendritic <- shared_data("DC1")
    path <- suppressWarnings(pnmf(dendritic$X, scales = 12, control = pnmf_control(max_outer = 15, verbose = FALSE)))
    scores <- score_path(path, dendritic$y, n_start = 20)
    suggestion <- suggest_scale(path, n_start = 20)
    expect_gt(scores$average[suggestion$t], mean(scores$average))
})

test_that("bad arguments are refused with the argument named", {
    path <- planted_path()
    expect_error(suggest_scale(1), "'path' must be a pNMFPath", class = "pnmf_error")
    expect_error(suggest_scale(path, k = 1), "'k' must be at least 2, not 1", class = "pnmf_error")
    expect_error(suggest_scale(path, k = 46), "'k' must be whole numbers between 1 and 45", class = "pnmf_error")
    expect_error(suggest_scale(path, k = "two"), "'k' must be whole numbers", class = "pnmf_error")
    expect_error(suggest_scale(path, max_scales = 1), "'max_scales'", class = "pnmf_error")
    expect_error(suggest_scale(path, 3, n_start = 0), "'n_start'", class = "pnmf_error")
    expect_error(suggest_scale(path, 3, BPPARAM = 2), "'BPPARAM' must be NULL or", class = "pnmf_error")
})
