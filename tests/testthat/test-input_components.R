# Both up to the signs of the components.
same_components <- function(found, x, tolerance = 1e-8) {
    expected <- t(stats::prcomp(as.matrix(Matrix::t(x)))$x[, seq_len(nrow(found)), drop = FALSE])
    signs <- sign(rowSums(found * expected))
    expect_equal(unname(found) * signs, unname(expected), tolerance = tolerance)
}

test_that("principal coordinates are those of prcomp, dense and sparse, few cells and many", {
    x <- with_random_state(1, matrix(stats::rpois(300 * 40, 1) * 1.0, 300))
    same_components(principal_components(x, 5L, 1L)$coordinates, x)
    sparse <- as(x, "CsparseMatrix")
    same_components(principal_components(sparse, 5L, 1L)$coordinates, x)
    many <- with_random_state(2, matrix(stats::rpois(60 * 1200, 0.5) * stats::rexp(60), 60))
    for (input in list(many, as(many, "CsparseMatrix"))) {
        same_components(principal_components(input, 4L, 1L)$coordinates, many)
    }
    expect_true(has_few_features(many))
    expect_false(has_few_features(x))
    expect_false(has_few_features(matrix(0, max_gram_features + 1L, max_gram_cells + 1L)))
})

test_that("principal coordinates are never more than the data have", {
    x <- matrix(c(1, 2, 4, 1, 0, 3), 2)
    expect_identical(dim(principal_components(x, 20L, 1L)$coordinates), c(2L, 3L))
    expect_equal(principal_components(matrix(1, 4, 3), 20L, 1L)$coordinates, matrix(0, 2, 3))
})

test_that("data on disk give the same components", {
    skip_if_not_installed("DelayedArray")
    x <- with_random_state(3, matrix(stats::rpois(120 * 90, 1) * 1.0, 120))
    streamed <- streamed_matrix(DelayedArray::DelayedArray(x), "x", 1e6)
    same_components(principal_components(streamed, 6L, 1L)$coordinates, x)
})

test_that("the rotation and the centre give the coordinates of any cell", {
    x <- with_random_state(1, matrix(stats::rpois(300 * 40, 1) * 1.0, 300))
    many <- with_random_state(2, matrix(stats::rpois(60 * 1200, 0.5) * stats::rexp(60), 60))
    sparse <- as(many, "CsparseMatrix")
    ways <- list(principal_components(x, 5L, 1L), principal_components(sparse, 5L, 1L))
    for (way in Map(list, ways, list(x, many))) {
        found <- way[[1]]
        expect_equal(crossprod(found$rotation, way[[2]] - found$center), found$coordinates, tolerance = 1e-6)
        expect_equal(crossprod(found$rotation), diag(5), tolerance = 1e-6)
    }
    # Cells without variance in a component are all at zero there.
    flat <- principal_components(cbind(diag(3), diag(3))[, c(1, 2, 4, 5)], 3L, 1L)
    expect_equal(flat$rotation[, 2:3], matrix(0, 3, 2), tolerance = 1e-6)
})

test_that("components are those of the 2,000 most variable features, however many there are", {
    counts <- with_random_state(4, matrix(stats::rpois(2600 * 40, 1 + stats::rexp(2600)) * 1.0, 2600))
    variable <- most_variable_rows(counts)
    expect_length(variable, 2000)
    expect_gte(min(apply(counts[variable, ], 1, var)), max(apply(counts[-variable, ], 1, var)))
    few <- principal_components(counts[variable, ], 5L, 1L)
    for (input in list(counts, as(counts, "CsparseMatrix"))) {
        all <- principal_components(input, 5L, 1L)
        expect_equal(all$coordinates, few$coordinates, tolerance = 1e-10)
        expect_equal(all$rotation[variable, ], few$rotation, tolerance = 1e-10)
        others <- t(counts[-variable, ] - all$center[-variable])
        slopes <- stats::lm.fit(t(few$coordinates), others)$coefficients
        expect_equal(all$rotation[-variable, ], unname(t(slopes)), tolerance = 1e-8)
        features <- c(variable, which(!seq_len(2600) %in% variable)[1:3])
        expect_equal(component_coordinates(input[features, 1:3], all, 1L, features), few$coordinates[, 1:3],
                     tolerance = 1e-8)
    }
    many <- counts[, rep(1:40, 26)]
    expect_equal(abs(principal_components(many, 5L, 1L)$coordinates[, 1:40]), abs(few$coordinates), tolerance = 1e-8)
    skip_if_not_installed("DelayedArray")
    streamed <- streamed_matrix(DelayedArray::DelayedArray(many), "x", 1e7)
    expect_true(all(principal_components(streamed, 5L, 1L)$rotation[-variable, ] == 0))
    found <- principal_components(streamed, 5L, 1L)$coordinates
    expect_equal(abs(found[, 1:40]), abs(few$coordinates), tolerance = 1e-8)
})

test_that("features of a few cells are not among the variable ones, whatever their sign or size", {
    x <- with_random_state(5, matrix(stats::rexp(30 * 50), 30))
    rare <- rbind(replace(numeric(50), 1:4, 100), replace(numeric(50), 1:5, 100))
    for (size in c(1, -1, 0.1)) expect_identical(most_variable_rows(rbind(x, size * rare)), c(1:30, 32L))
    expect_identical(most_variable_rows(scale(t(x))), seq_len(50))
    expect_identical(most_variable_rows(rbind(x[, 1:4], c(0, 0, 0, 1))), seq_len(31))
    expect_identical(most_variable_rows(matrix(1, 4, 30)), integer())
    expect_identical(most_variable_rows(matrix(1, 4, 30), at_least = 1L), 1:4)
})
