three_scale_path <- function(...) {
    fine <- grouped_embedding(c(20, 15, 10), spread = 0.1)
    middle <- grouped_embedding(c(20, 15, 10), spread = 2, seed = 2)
    coarse <- fine
    coarse[] <- 1 + 0.01 * coarse[rev(seq_len(nrow(coarse))), ]
    synthetic_path(list(fine, middle, coarse), ...)
}

test_that("one labelling per scale: rows are cells, columns are scale.<t>", {
    path <- three_scale_path()
    clusters <- path_clusters(path, 3)
    expect_s3_class(clusters, "data.frame")
    expect_identical(names(clusters), paste0("scale.", 1:3))
    expect_identical(rownames(clusters), path@cell_names)
    expect_true(all(vapply(clusters, is.integer, logical(1))))
    expect_equal(cluster_scores(attr(grouped_embedding(), "group"), clusters$scale.1)[["ari"]], 1)
})

test_that("each scale is the clustering of its embedding", {
    path <- three_scale_path()
    clusters <- path_clusters(path, 4, seed = 5, n_start = 3, normalize = TRUE)
    for (t in 1:3) {
        alone <- cluster_embedding(embedding(path, t), 4, seed = 5, n_start = 3, normalize = TRUE)
        expect_identical(clusters[[t]], as.integer(alone))
    }
})

test_that("labels do not depend on which scales were chosen, on subsetting, workers or the session's seed", {
    path <- three_scale_path()
    set.seed(1)
    before <- .Random.seed
    all_scales <- path_clusters(path, 5, n_start = 1, seed = 3)
    expect_identical(.Random.seed, before)
    set.seed(2)
    expect_identical(path_clusters(path, 5, n_start = 1, seed = 3, at = c(1, 3)), all_scales[c(1, 3)])
    expect_identical(path_clusters(path[2:3], 5, n_start = 1, seed = 3)$scale.1, all_scales$scale.2)
    skip_if_not_installed("BiocParallel")
    expect_identical(path_clusters(path, 5, n_start = 1, seed = 3, BPPARAM = BiocParallel::SerialParam()), all_scales)
})

test_that("another seed may end in another optimum", {
    x <- with_random_state(2, matrix(stats::runif(600), 100, 6))
    path <- synthetic_path(list(x))
    labels <- vapply(1:6, function(s) path_clusters(path, 8, n_start = 1, seed = s)$scale.1, integer(100))
    expect_gt(ncol(unique(labels, MARGIN = 2)), 1L)
})

test_that("permuting the cells permutes the clusters of separated groups", {
    x <- grouped_embedding(c(8, 9, 10))
    shuffled <- with_random_state(4, sample(nrow(x)))
    straight <- path_clusters(synthetic_path(list(x)), 3)$scale.1
    permuted <- path_clusters(synthetic_path(list(x[shuffled, ])), 3)$scale.1
    expect_equal(cluster_scores(straight[shuffled], permuted)[["ari"]], 1)
})

test_that("a path of one scale and names with unusual characters are fine", {
    x <- grouped_embedding(c(5, 5))
    clusters <- path_clusters(synthetic_path(list(x), cells = paste("cell", 1:10, "-x")), 2)
    expect_identical(dim(clusters), c(10L, 1L))
    expect_identical(rownames(clusters)[1], "cell 1 -x")
})

test_that("the graph method gives a number of clusters of its own, or k", {
    skip_if_not_installed("bluster")
    skip_if_not_installed("igraph")
    path <- synthetic_path(list(grouped_embedding(c(30, 30, 30), spread = 1), grouped_embedding(c(30, 30, 30), 2)))
    free <- path_clusters(path, method = "graph", resolution = 0.1)
    expect_equal(cluster_scores(rep(1:3, each = 30), free$scale.1)[["ari"]], 1)
    expect_identical(path_clusters(path, method = "graph", at = 2, resolution = 0.1)[[1]], free$scale.2)
    expect_length(unique(path_clusters(path, 4, method = "graph")$scale.2), 4L)
})

test_that("stability compares each scale with the next", {
    clusters <- data.frame(scale.1 = c(1, 1, 2, 2, 3, 3), scale.4 = c(2, 2, 1, 1, 3, 3), scale.9 = c(1, 1, 1, 2, 2, 2))
    stability <- summary(cluster_tree(clusters))
    expect_identical(stability$t, c(1L, 4L))
    expect_identical(stability$t_next, c(4L, 9L))
    expect_equal(stability$ari, c(1, cluster_scores(clusters$scale.4, clusters$scale.9)[["ari"]]))
    expect_equal(stability$nmi[2], cluster_scores(clusters$scale.9, clusters$scale.4)[["nmi"]])
    expect_identical(stability$moved, c(0L, 2L))
    expect_equal(stability$accuracy, c(1, 4 / 6))
})

test_that("scales are read off the column names, with or without a prefix, else counted", {
    expect_identical(scale_numbers(data.frame(scale.3 = 1, scale.12 = 1)), c(3L, 12L))
    expect_identical(scale_numbers(data.frame(pnmf_scale.3 = 1, pnmf_scale.4 = 1)), c(3L, 4L))
    expect_identical(scale_numbers(data.frame(a = 1, b = 1)), 1:2)
    expect_identical(summary(cluster_tree(cbind(1:3, 3:1)))$t_next, 2L)
})

test_that("bad arguments are refused with the argument named", {
    path <- three_scale_path()
    expect_error(path_clusters(embedding(path, 1), 3), "'path' must be a pNMFPath", class = "pnmf_error")
    expect_error(path_clusters(path), "'k' must be a whole number", class = "pnmf_error")
    expect_error(path_clusters(path, 46), "'k' must be at most 45, the number of cells, not 46", class = "pnmf_error")
    expect_error(path_clusters(path, 2.5), "'k' must be a whole number", class = "pnmf_error")
    expect_error(path_clusters(path, 3, at = 4), "'at' must be whole numbers between 1 and 3",
                 class = "pnmf_error")
    expect_error(path_clusters(path, 3, at = c(2, 1)), "'at' must name each scale once", class = "pnmf_error")
    expect_error(path_clusters(path, 3, at = c(1, 1)), "'at' must name each scale once", class = "pnmf_error")
    expect_error(path_clusters(path, 3, method = "tree"), "'method'", class = "pnmf_error")
    same_cells <- synthetic_path(list(grouped_embedding(c(3, 3)), matrix(1, 6, 2)))
    expect_error(path_clusters(same_cells, 3), "the number of distinct cells in scale 2, not 3", class = "pnmf_error")
    expect_error(summary(cluster_tree(data.frame(scale.1 = 1:3))), "'clusters' must have at least 2 scales",
                 class = "pnmf_error")
    expect_error(summary(cluster_tree(1:3)), "'clusters' must be a data frame of labels", class = "pnmf_error")
    expect_error(summary(cluster_tree(data.frame(scale.1 = c(1, NA), scale.2 = 1:2))),
                 "'clusters\\$scale.1' must have no missing", class = "pnmf_error")
})

test_that("expression data are clustered by direction, other data and the paper's setting by embedding", {
    control <- pnmf_control(max_outer = 3, tol = 0, verbose = FALSE)
    x <- as.matrix(normalize_counts(simulate_cells(seed = 1)$counts, method = "paper"))
    x <- x * rep(rep(c(1, 5), length.out = ncol(x)), each = nrow(x)) # sizes that say nothing about the types
    clusters <- function(path, ...) path_clusters(path, 4, n_start = 3, at = 1, ...)
    path <- suppressMessages(pnmf(x, 4, scales = 3, control = control))
    expect_identical(clusters(path), clusters(path, normalize = TRUE))
    expect_false(identical(clusters(path), clusters(path, normalize = FALSE)))
    given <- suppressMessages(pnmf(x, 4, scales = 3, space = t(path@scales$coordinates), control = control))
    expect_identical(clusters(given), clusters(given, normalize = TRUE))
    paper <- pnmf(x, 4, scales = "paper", control = control)
    expect_identical(clusters(paper), clusters(paper, normalize = FALSE))
    circles <- pnmf(simulate_circles(seed = 1), 2, scales = 3, control = control)
    expect_identical(clusters(circles), clusters(circles, normalize = FALSE))
    expect_false(identical(clusters(circles), clusters(circles, normalize = TRUE)))
})

test_that("labels are a data frame or matrix of cells x scales without missing values", {
    labels <- data.frame(fine = c(1, 1, 2), coarse = "a")
    expect_identical(assert_clusters(labels, "clusters", 2L), labels)
    expect_identical(assert_clusters(as.matrix(labels), "clusters"), as.data.frame(as.matrix(labels)))
    expect_refused(assert_clusters(1:3, "clusters"),
                   "'clusters' must be a data frame of labels, .* not an integer vector")
    expect_refused(assert_clusters(labels["fine"], "clusters", 2L), "at least 2 scales and one cell, not 1 and 3")
    expect_refused(assert_clusters(labels[0, ], "clusters"), "at least 1 scale and one cell, not 2 and 0")
    labels$coarse[2] <- NA
    expect_refused(assert_clusters(labels, "clusters"), "'clusters\\$coarse'")
})
