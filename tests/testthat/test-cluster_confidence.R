# Two clouds of points around (-d, 0) and (d, 0).
two_clouds <- function(n = 200, d = 5) {
    with_random_state(1, {
        points <- matrix(rnorm(4 * n), 2, 2 * n)
        label <- rep(1:2, each = n)
        points[1, ] <- points[1, ] + d * c(-1, 1)[label]
        list(points = points, label = label)
    })
}

test_that("confidence falls from 1 at the own mean to 0 at that of another cluster", {
    cells <- two_clouds()
    means <- t(group_means(t(cells$points), cells$label))
    at <- function(share) cbind(means[, 1] + share * (means[, 2] - means[, 1]))
    places <- do.call(cbind, lapply(c(-0.5, 0, 0.25, 0.5, 1, 1.5), at))
    # Six more cells hardly move the means of 200.
    found <- cell_confidence(cbind(cells$points, places), c(cells$label, rep(1, 6)))
    expect_equal(found[401:406], c(1, 1, 0.75, 0.5, 0, 0), tolerance = 0.02)
})

test_that("confidence depends neither on unit, origin and direction of the axes nor on the order of the cells", {
    cells <- two_clouds()
    turn <- matrix(c(cos(1), sin(1), -sin(1), cos(1)), 2)
    expected <- cell_confidence(cells$points, cells$label)
    expect_equal(cell_confidence(7 * turn %*% cells$points + 3e4, cells$label), expected, tolerance = 1e-8)
    expect_equal(cell_confidence(cells$points, c("b", "a")[cells$label]), expected)
    order <- rev(seq_along(cells$label))
    expect_equal(cell_confidence(cells$points[, order], cells$label[order]), expected[order], tolerance = 1e-10)
})

test_that("one cluster, cells without a cluster, duplicates and single cells have an answer", {
    cells <- two_clouds(20)
    expect_identical(cell_confidence(cells$points, rep(1L, 40)), rep(1, 40))
    some <- replace(cells$label, c(1, 40), NA)
    found <- cell_confidence(cells$points, some)
    expect_identical(which(is.na(found)), c(1L, 40L))
    expect_equal(found[2:39], cell_confidence(cells$points[, 2:39], cells$label[2:39]))
    expect_identical(cell_confidence(matrix(1, 3, 4), c(1, 1, 2, 2)), rep(1, 4))
    expect_identical(cell_confidence(diag(3), 1:3), rep(1, 3))
})

test_that("doublets of two types of real cells have lower confidence than single cells", {
    held <- new.env()
    utils::data("pbmc_sorted", package = "pNMF", envir = held)
    counts <- held$pbmc_sorted$counts
    type <- as.character(held$pbmc_sorted$type)
    pairs <- with_random_state(1, matrix(sample(1000, 400, TRUE), 2))
    pairs <- pairs[, type[pairs[1, ]] != type[pairs[2, ]]][, 1:100]
    x <- normalize_counts(cbind(counts, counts[, pairs[1, ]] + counts[, pairs[2, ]]))
    points <- principal_components(x, 20L, 1L)$coordinates
    scales <- persistence_scales(points, metric = "adaptive", graph = "knn", thin = "effective")
    confidence <- persistent_clusters(scales)$confidence
    doublet <- rep(c(FALSE, TRUE), c(1000, 100))
    auc <- mean(outer(confidence[doublet], confidence[!doublet], `<`))
    expect_gt(auc, 0.85)
    expect_gt(median(confidence[!doublet]), 0.85)
})
