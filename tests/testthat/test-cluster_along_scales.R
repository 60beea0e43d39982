test_that("a cluster keeps the share of its own smoothing", {
    scales <- persistence_scales(matrix((1:12)^1.5, 1), graph = "knn", n_neighbors = 2, n_scales = 4)
    cells <- list(scales = scales, alpha = 2, lambda = 3, threads = 1L, kept = 1:12)
    member <- cbind(rep(1:0, c(5, 7)), rep(0:1, c(5, 7)))
    S <- solve(diag(12) + 3 * as.matrix(laplacian(scale_graph(scales, 4, alpha = 2))))
    graph <- numbered_graph_cpp(12L, edges_at(scales, 4))
    expect_equal(group_mixing(graph, rep(1:2, c(5, 7)), cells, 4), crossprod(member, S %*% member), tolerance = 1e-6)
    finer <- solve(diag(12) + 3 * as.matrix(laplacian(scale_graph(scales, 3, alpha = 2))))
    expect_gt(max(abs(finer - S)), 0.1) # otherwise this tests nothing
    expect_equal(group_mixing(graph, rep(1:2, c(5, 7)), cells, 3), crossprod(member, finer %*% member),
                 tolerance = 2e-6)
    cells$kept <- c(1:3, 9:12)
    expect_equal(group_mixing(graph, rep(2:1, 3:4), cells, 4),
                 crossprod(cbind(1:12 > 8, 1:12 < 4), S %*% cbind(1:12 > 8, 1:12 < 4)), tolerance = 1e-6)
    mixed <- crossprod(member, S %*% member)
    expect_equal(kept_share(mixed, c(5, 7)),
                 c((mixed[1, 1] / 5 - 5 / 12) / (7 / 12), (mixed[2, 2] / 7 - 7 / 12) / (5 / 12)))
    expect_equal(kept_share(diag(c(5, 7)), c(5, 7)), c(1, 1))
})

test_that("the weakest cluster joins the one its cells are mixed with most, however large the others are", {
    # Cluster 3 keeps least; per cell it is mixed with the small cluster 2, not with the large cluster 1.
    mixed <- rbind(c(95, 1, 4), c(1, 8, 1), c(4, 1, 5))
    state <- list(number = 1:3, size = c(100, 10, 10), a = integer(0), b = integer(0), at = integer(0), leaves = 3L)
    joined <- join_weak(mixed, state, 2L, 0.5)
    expect_identical(joined$state[c("a", "b", "at")], list(a = 2L, b = 3L, at = 2L))
    expect_identical(joined$state$number, c(1L, 4L))
    expect_identical(joined$place, c(1L, 2L, 2L))
    expect_identical(length(join_weak(mixed, state, 2L, Inf)$state$number), 1L)
    expect_identical(join_weak(mixed, state, 2L, 0)$state, state)
})

test_that("leaving a merger out makes its leaves one, and keeps all others", {
    tree <- list(leaves = 4L, leaf = rep(1:4, c(50, 40, 30, 3)), a = c(1L, 2L, 5L), b = c(4L, 3L, 6L),
                 at = c(2L, 3L, 5L), weight = diag(4))
    expect_identical(leaves_below(tree)[, 6], c(FALSE, TRUE, TRUE, FALSE))
    without <- without_mergers(tree, c(FALSE, TRUE, TRUE))
    expect_identical(without$leaves, 3L)
    expect_identical(without$at, c(3L, 5L))
    # 1 with 4 is one leaf; 2 and 3 merge first, then everything.
    whole <- unique(without$leaf[c(1, 123)])
    expect_setequal(c(without$a[1], without$b[1]), setdiff(1:3, whole))
    expect_setequal(c(without$a[2], without$b[2]), c(whole, 4L))
    expect_identical(length(unique(without$leaf)), 3L)
    expect_identical(without$leaf[1], without$leaf[123])
    expect_identical(dim(without$weight), c(3L, 3L))
})

test_that("clusters of 100,000 cells join the one they are mixed with", {
    state <- list(number = 1:3, size = rep(100000L, 3), a = integer(0), b = integer(0), at = integer(0), leaves = 3L)
    mixed <- 1e5 * rbind(c(0.9, 0.02, 0.08), c(0.02, 0.96, 0.02), c(0.08, 0.02, 0.9))
    joined <- expect_silent(join_weak(mixed, state, 4, 0.9))
    expect_identical(joined$place, c(2L, 1L, 2L))
    expect_identical(joined$state$at, 4)
})
