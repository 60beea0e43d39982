# All assignments of few points to k clusters: the smallest within-cluster sum of squares there is.
exhaustive_withinss <- function(x, k) {
    assignments <- as.matrix(expand.grid(rep(list(seq_len(k)), nrow(x))))
    assignments <- assignments[apply(assignments, 1, function(a) length(unique(a)) == k), , drop = FALSE]
    min(apply(assignments, 1, function(a) {
        sum(vapply(seq_len(k), function(g) sum(scale(x[a == g, , drop = FALSE], scale = FALSE)^2), numeric(1)))
    }))
}

test_that("k-means finds the best of all assignments of a few cells", {
    for (seed in 1:6) {
        x <- with_random_state(seed, matrix(stats::runif(16), 8, 2))
        for (k in 2:3) {
            labels <- cluster_embedding(x, k)
            expect_equal(attr(labels, "withinss"), exhaustive_withinss(x, k), tolerance = 1e-10)
            expect_identical(sort(unique(as.integer(labels))), seq_len(k))
        }
    }
})

test_that("well separated groups are found exactly, and clusters are numbered by first appearance", {
    x <- grouped_embedding(c(20, 15, 10))
    order <- with_random_state(5, sample(nrow(x)))
    labels <- cluster_embedding(x[order, ], 3)
    truth <- attr(x, "group")[order]
    expect_identical(as.integer(labels), match(truth, unique(truth)))
})

test_that("the result depends on data and seed alone, and the session's random numbers stay as they were", {
    x <- with_random_state(2, matrix(stats::runif(300), 60, 5))
    set.seed(99)
    before <- .Random.seed
    first <- cluster_embedding(x, 6, seed = 7)
    expect_identical(.Random.seed, before)
    stats::runif(10)
    expect_identical(cluster_embedding(x, 6, seed = 7), first)
    expect_identical(cluster_embedding(x, 6), cluster_embedding(x, 6, seed = NULL))
    one_start <- vapply(1:10, function(s) attr(cluster_embedding(x, 6, n_start = 1, seed = s), "withinss"), numeric(1))
    expect_gt(length(unique(round(one_start, 8))), 1L)
    expect_true(all(one_start >= attr(first, "withinss") - 1e-12))
})

test_that("normalize compares directions: cells differing in length only fall together", {
    direction <- rep(c(0.2, 1.2), each = 10)
    length <- rep(c(1, 50), 10)
    x <- length * cbind(cos(direction), sin(direction))
    expect_equal(cluster_scores(direction > 1, cluster_embedding(x, 2, normalize = TRUE))[["ari"]], 1)
    expect_lt(cluster_scores(direction > 1, cluster_embedding(x, 2))[["ari"]], 0.5)
    with_zero <- rbind(x, 0)
    expect_length(cluster_embedding(with_zero, 3, normalize = TRUE), 21L)
})

test_that("duplicated cells, one cluster and as many clusters as distinct cells all work", {
    x <- matrix(c(0, 0, 1, 1, 5, 5, 0, 0, 2, 2, 3, 3), 6, 2)
    expect_identical(as.integer(cluster_embedding(x, 1)), rep(1L, 6))
    expect_equal(attr(cluster_embedding(x, 1), "withinss"), sum(scale(x, scale = FALSE)^2))
    expect_identical(as.integer(cluster_embedding(x, 3)), c(1L, 1L, 2L, 2L, 3L, 3L))
    mostly_equal <- rbind(matrix(1, 200, 2), c(2, 2), c(3, 3), c(9, 9))
    expect_length(unique(cluster_embedding(mostly_equal, 3)), 3L)
    expect_length(unique(cluster_embedding(mostly_equal, 4)), 4L)
    distinct <- matrix(as.numeric(1:10), 5)
    expect_identical(as.integer(cluster_embedding(distinct, 5)), 1:5)
    expect_identical(as.integer(cluster_embedding(matrix(3, 1, 4), 1)), 1L)
})

test_that("embeddings on which Hartigan and Wong's algorithm struggles are clustered without warnings", {
    # a fine lattice with many ties is known to exceed the quick-transfer steps
    lattice <- as.matrix(expand.grid(round(seq(0, 1, length.out = 40), 3), seq(0, 1, length.out = 40)))
    expect_silent(labels <- cluster_embedding(lattice, 12, n_start = 3))
    expect_length(unique(labels), 12L)
    collapsed <- cbind(1 + 1e-14 * seq_len(50), 1)
    expect_silent(labels <- cluster_embedding(collapsed, 4, n_start = 3))
    expect_lte(length(unique(labels)), 4L)
})

test_that("a run that fails to settle is continued, and a start that fails altogether still gives clusters", {
    x <- grouped_embedding(c(30, 30, 30), spread = 3)
    fit <- settled_kmeans(x, x[1:3, ], rounds = 0L)
    expect_length(unique(fit$cluster), 3L)
    nearest <- nearest_center(x, x[c(1, 40, 80), ])
    reference <- apply(as.matrix(stats::dist(x))[, c(1, 40, 80)], 1, which.min)
    expect_equal(nearest$cluster, unname(reference))
    sums <- vapply(1:3, function(g) sum(scale(x[reference == g, ], scale = FALSE)^2), numeric(1))
    expect_equal(nearest$withinss, sum(sums), tolerance = 1e-10)
})

test_that("graph communities find separated groups, with and without a number of clusters", {
    skip_if_not_installed("bluster")
    skip_if_not_installed("igraph")
    x <- grouped_embedding(c(40, 40, 40), spread = 1)
    truth <- attr(x, "group")
    set.seed(4)
    before <- .Random.seed
    free <- cluster_embedding(x, method = "graph", resolution = 0.1)
    expect_identical(.Random.seed, before)
    expect_equal(cluster_scores(truth, free)[["ari"]], 1)
    expect_equal(cluster_scores(truth, cluster_embedding(x, 3, method = "graph"))[["ari"]], 1)
    expect_length(unique(cluster_embedding(x, 5, method = "graph")), 5L)
    expect_identical(free, cluster_embedding(x, method = "graph", resolution = 0.1))
    expect_gt(length(unique(cluster_embedding(x, method = "graph", resolution = 3))), 3L)
    expect_error(cluster_embedding(x, 2, method = "graph", n_neighbors = 5),
                 "'k' must be at least 3, the number of connected parts", class = "pnmf_error")
    expect_error(cluster_embedding(x[1:5, ], 6, method = "graph"), "'k' must be at most 5", class = "pnmf_error")
    expect_length(cluster_embedding(x[1:2, ], method = "graph"), 2L)
})

test_that("the published baseline embeddings give the paper's rows", {
    published <- shared_data("GSE75748time_published_embeddings.rds")
    paper <- rbind(NMF = c(0.611, 0.735, 0.745, 0.693), GNMF = c(0.602, 0.731, 0.720, 0.679),
                   kTNMF = c(0.592, 0.711, 0.751, 0.736))
    for (method in rownames(paper)) {
        scores <- cluster_scores(published$y, cluster_embedding(t(published[[method]]), 6))
        expect_lt(max(abs(scores - paper[method, ])), 0.005)
    }
})

test_that("the paper's TNMF row is a local optimum of k-means, above the best one", {
    published <- shared_data("GSE75748time_published_embeddings.rds")
    x <- t(published$TNMF)
    best <- cluster_embedding(x, 6)
    starts <- lapply(1:300, function(s) cluster_embedding(x, 6, n_start = 1, seed = s))
    gap <- vapply(starts, function(labels) {
        max(abs(cluster_scores(published$y, labels) - c(0.644, 0.768, 0.749, 0.744)))
    }, numeric(1))
    papers <- starts[[which.min(gap)]]
    expect_lt(min(gap), 0.005)
    # 6.1112 with ARI 0.650, NMI 0.766, purity 0.715, accuracy 0.710 is the best of many thousand starts
    expect_lt(attr(best, "withinss"), attr(papers, "withinss") - 0.05)
    expect_equal(attr(best, "withinss"), 6.11124, tolerance = 1e-5)
    expect_true(all(vapply(starts, attr, numeric(1), "withinss") >= attr(best, "withinss") - 1e-9))
})

test_that("bad arguments are refused with the argument named", {
    x <- grouped_embedding(c(3, 3))
    expect_error(cluster_embedding(x, 7), "'k' must be at most 6, the number of distinct cells in 'x', not 7",
                 class = "pnmf_error")
    expect_error(cluster_embedding(x[c(1, 1, 2, 2), ], 3), "'k' must be at most 2, the number of distinct",
                 class = "pnmf_error")
    expect_error(cluster_embedding(x), "'k' must be a whole number of at least 1, not NULL", class = "pnmf_error")
    expect_error(cluster_embedding(x, 0), "'k' must be a whole number", class = "pnmf_error")
    expect_error(cluster_embedding(x, 2, n_start = 0), "'n_start'", class = "pnmf_error")
    expect_error(cluster_embedding(x, 2, method = "hclust"), "'method' must be one of", class = "pnmf_error")
    expect_error(cluster_embedding(x, 2, normalize = NA), "'normalize'", class = "pnmf_error")
    expect_error(cluster_embedding(x, 2, seed = -1), "'seed'", class = "pnmf_error")
    expect_error(cluster_embedding(x, 2, resolution = 0), "'resolution'", class = "pnmf_error")
    expect_error(cluster_embedding(x, 2, n_neighbors = 0), "'n_neighbors'", class = "pnmf_error")
    expect_error(cluster_embedding(as.data.frame(x), 2), "'x' must be a numeric matrix", class = "pnmf_error")
    expect_error(cluster_embedding(x[0, ], 2), "'x' must be a numeric matrix", class = "pnmf_error")
    expect_error(cluster_embedding(rbind(x, NA), 2), "'x' must be finite", class = "pnmf_error")
})
