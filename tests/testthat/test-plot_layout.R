# Share of the 15 nearest neighbours in an embedding that are among the 15 nearest on a map, for every cell.
kept_neighbors <- function(h, map, k = 15L) {
    near <- function(x) nearest_neighbors(t(x), k, FALSE, 2L)$index
    wanted <- near(unname(h))
    found <- near(map)
    vapply(seq_len(nrow(h)), function(i) mean(wanted[i, ] %in% found[i, ]), numeric(1))
}

# Distance on the map to the nearest of a cell's 15 neighbours, in units of the spread of the map.
distance_to_neighbor <- function(h, map) {
    near <- nearest_neighbors(t(unname(h)), 15L, FALSE, 2L)$index
    away <- vapply(seq_len(ncol(near)), function(k) rowSums((map - map[near[, k], ])^2), numeric(nrow(map)))
    sqrt(apply(away, 1L, min) / sum(apply(map, 2L, stats::var)))
}

# Whether the nearest cell on the map is of the same group.
kept_groups <- function(map, group) {
    group[nearest_neighbors(t(map), 1L, FALSE, 1L)$index[, 1]] == group
}

expect_honest_maps <- function(H, seeds) {
    maps <- scale_layouts(H, seeds[1])
    for (s in seq_along(H)) {
        plain <- mean(vapply(seeds, function(seed) with_random_state(seed, { # nolint: brace_linter.
            mean(kept_neighbors(H[[s]], uwot::umap(H[[s]], n_threads = 1, n_sgd_threads = 0)))
        }), numeric(1)))
        expect_gt(mean(kept_neighbors(H[[s]], maps[[s]])), 0.9 * plain)
        # No cell is on its own: islands are about 1 apart, cells of one island about .01.
        expect_lt(max(distance_to_neighbor(H[[s]], maps[[s]])), 0.15)
    }
    moved <- vapply(seq_along(H)[-1], function(s) sqrt(mean(rowSums((maps[[s]] - maps[[s - 1L]])^2))), numeric(1))
    expect_lt(max(moved), 0.5 * sqrt(sum(apply(maps[[1]], 2L, stats::var))))
}

test_that("maps of blood cells keep the neighbours of every scale as a plain UMAP does, and cells move little", {
    skip_if_not_installed("uwot")
    data(pbmc_sorted, envir = environment())
    path <- pnmf(normalize_counts(pbmc_sorted$counts, "paper"), rank = 8, scales = 5, control = quick_control())
    expect_honest_maps(lapply(1:5, function(t) embedding(path, t)), seeds = 1:2)
})

test_that("maps of 3,774 sorted blood cells do so too", {
    skip_unless_slow()
    skip_if_not_installed("uwot")
    facs <- shared_data("pbmc_facs")
    variance <- Matrix::rowMeans(facs$X^2) - Matrix::rowMeans(facs$X)^2
    x <- facs$X[order(-variance)[1:2000], ]
    path <- pnmf(x, rank = 10, scales = 4, control = pnmf_control(max_outer = 20, tol = 0))
    expect_honest_maps(lapply(1:4, function(t) embedding(path, t)), seeds = 1L)
})

test_that("maps do not depend on threads nor on the session's random numbers, which stay as they were", {
    H <- lapply(1:2, function(t) with_random_state(t, matrix(stats::rexp(900), 300)))
    set.seed(2)
    before <- .Random.seed
    one <- scale_layouts(H, threads = 1L)
    expect_identical(.Random.seed, before)
    set.seed(3)
    expect_identical(scale_layouts(H, threads = 2L), one)
    expect_false(identical(scale_layouts(H, seed = 7), one))
})

test_that("groups far apart in the embedding are islands on the map", {
    group <- rep(1:4, each = 50)
    h <- with_random_state(1, matrix(stats::rexp(800), 200)) + 30 * (outer(group, 1:4, `==`))
    expect_true(all(kept_groups(scale_layouts(list(h))[[1]], group)))
})

test_that("few cells, equal cells and cells without any factor have a map", {
    for (n in c(1L, 2L, 3L, 16L)) {
        maps <- scale_layouts(list(matrix(seq_len(3L * n) %% 5, n), matrix(0, n, 3L)))
        expect_identical(lapply(maps, dim), rep(list(c(n, 2L)), 2))
        expect_true(all(is.finite(unlist(maps))))
    }
    expect_true(all(is.finite(scale_layouts(list(matrix(1, 40, 3)))[[1]])))
})
