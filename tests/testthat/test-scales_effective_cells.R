traces <- function(scales, lambda, alpha = 2) {
    vapply(seq_along(scales$threshold), function(t) {
        mu <- eigen(as.matrix(laplacian(scale_graph(scales, t, alpha))), symmetric = TRUE, only.values = TRUE)$values
        sum(1 / (1 + lambda * pmax(mu, 0))^2)
    }, numeric(1))
}

clouds <- function(n, dimensions = 4, seed = 1) {
    with_random_state(seed, {
        x <- matrix(stats::rnorm(dimensions * n), dimensions)
        x[1, seq_len(n %/% 3)] <- x[1, seq_len(n %/% 3)] + 6
        x
    })
}

test_that("effective cells are tr(S^2): exact for few cells, within 5% for more", {
    few <- persistence_scales(clouds(80), graph = "knn", n_scales = 6)
    expect_equal(effective_cells(few, lambda_graph = 3), traces(few, 3), tolerance = 1e-9)
    more <- persistence_scales(clouds(700), graph = "knn", n_scales = 6)
    expect_lt(max(abs(effective_cells(more, lambda_graph = 3) / traces(more, 3) - 1)), 0.05)
})

test_that("effective cells fall from the number of cells to that of the components, and never rise", {
    scales <- persistence_scales(clouds(150), graph = "knn", n_scales = 12)
    for (lambda in c(0.01, 1, 100)) {
        found <- effective_cells(scales, lambda_graph = lambda)
        expect_equal(found[1], 150)
        expect_true(all(diff(found) <= 0))
    }
    expect_equal(effective_cells(scales, lambda_graph = 1e12), as.numeric(scales$betti0), tolerance = 1e-3)
    expect_equal(effective_cells(scales, lambda_graph = 0), rep(150, 12))
    more <- persistence_scales(clouds(700), graph = "knn", n_scales = 6)
    for (lambda in c(1e9, 1e15)) {
        expect_lt(max(abs(effective_cells(more, lambda_graph = lambda) / more$betti0 - 1)), 0.05)
    }
})

test_that("scales are even in log effective cells and end at the coarsest", {
    for (n in c(40, 500)) {
        scales <- persistence_scales(clouds(n), metric = "adaptive", graph = "knn", thin = "effective", coarsest = 5)
        found <- scales$effective_cells
        expect_length(found, 12L)
        expect_equal(found[1], n)
        expect_equal(found[12], 5, tolerance = 0.02)
        step <- -diff(log(found))
        expect_lt(max(step), 2 * mean(step))
        expect_identical(scales$weight, rep(1, 12))
    }
})

test_that("effective cells depend neither on threads nor on the order of the cells nor on the session's numbers", {
    x <- clouds(400)
    found <- function(x, threads) {
        persistence_scales(x, metric = "adaptive", graph = "knn", thin = "effective", threads = threads)
    }
    set.seed(1)
    before <- .Random.seed
    one <- found(x, 1)
    expect_identical(.Random.seed, before)
    expect_identical(found(x, 2)$effective_cells, one$effective_cells)
    permuted <- found(x[, with_random_state(2, sample(400))], 2)
    # Sums in another order may move a threshold across the length of an edge, here of one of 4,000.
    expect_equal(permuted$threshold, one$threshold, tolerance = 1e-4)
    expect_equal(permuted$effective_cells, one$effective_cells, tolerance = 0.02)
    expect_equal(permuted$lambda_graph, one$lambda_graph, tolerance = 1e-4)
})

test_that("a given penalty is used as given, and a path has its effective cells", {
    x <- normalize_counts(simulate_cells(n_cells = 60, n_genes = 160)$counts)
    control <- pnmf_control(max_outer = 2, tol = 0)
    path <- suppressMessages(pnmf(x, 3, lambda_graph = 2, control = control))
    expect_identical(path@parameters$lambda_graph, 2)
    expect_equal(effective_cells(path), traces(path@scales, 2), tolerance = 1e-6)
    expect_equal(effective_cells(path, lambda_graph = 5), traces(path@scales, 5), tolerance = 1e-6)
    expect_equal(effective_cells(path[c(2, 5)]), effective_cells(path)[c(2, 5)])
})

test_that("ends that cannot be reached are refused, and tiny data work", {
    x <- normalize_counts(simulate_cells(n_cells = 60, n_genes = 160)$counts)
    control <- pnmf_control(max_outer = 2, tol = 0)
    refused <- function(pattern, ...) expect_error(pnmf(x, 2, control = control, ...), pattern, class = "pnmf_error")
    refused("'coarsest' must be below the number of cells \\(60\\), not 60", coarsest = 60)
    refused("'coarsest' must be .* above 1", coarsest = 0.5)
    refused("'coarsest' must be NULL if 'lambda_graph' is given", coarsest = 5, lambda_graph = 1)
    expect_error(effective_cells(persistence_scales(clouds(20))), "'lambda_graph' must be given", class = "pnmf_error")
    apart <- persistence_scales(clouds(20), n_scales = 1)
    apart$threshold <- min(apart$mst$length)
    apart$n_edges <- 0
    expect_error(solved_lambda(apart, 2, 2, effective_measure(apart, 2, 1)), "the coarsest graph has no edges",
                 class = "pnmf_error")
    for (n in c(2, 3, 5, 12)) {
        few <- suppressMessages(pnmf(as.matrix(x)[, seq_len(n)], 1, control = control))
        expect_true(all(diff(effective_cells(few)) <= 0))
        expect_equal(effective_cells(few)[1], n)
    }
    one <- suppressMessages(pnmf(x, 2, scales = 1, control = control))
    expect_equal(effective_cells(one), 3, tolerance = 0.02)
    zero <- suppressMessages(pnmf(x, 2, lambda_graph = 0, control = control))
    expect_equal(unique(effective_cells(zero)), 60)
    copies <- suppressMessages(pnmf(as.matrix(x)[, rep(1, 10)], 1, control = control))
    expect_true(all(is.finite(effective_cells(copies))))
})

test_that("with many cells, rough values place the thresholds, and each value is computed once", {
    set_namespace_value("many_cells", 300L)
    rough_at <- exact_at <- numeric(0)
    original <- effective_cells_cpp
    set_namespace_value("effective_cells_cpp", function(graph, threshold, alpha, lambda, rough, ...) {
        if (rough) rough_at <<- c(rough_at, threshold) else exact_at <<- c(exact_at, threshold)
        original(graph, threshold, alpha, lambda, rough, ...)
    })
    scales <- persistence_scales(clouds(700), graph = "knn", thin = "effective", metric = "adaptive")
    cells <- effective_cells(scales)
    expect_identical(anyDuplicated(rough_at), 0L)
    expect_identical(anyDuplicated(exact_at), 0L)
    expect_true(all(scales$threshold %in% c(rough_at[1], exact_at)))
    # of 28 candidates, and of the thresholds those that were not in their place at first
    expect_lt(length(rough_at), 20L)
    expect_lt(length(exact_at), 20L)
    step <- -diff(log(cells))
    expect_length(cells, 12L)
    expect_lt(max(step), 1.6 * mean(step))
    expect_equal(cells[12], 3)
    expect_equal(effective_cells(scales, scales$lambda_graph)[12], 3, tolerance = 0.05)

    calls <- numeric(0)
    square <- remembered(function(at) {
        calls <<- c(calls, at)
        at^2
    })
    expect_identical(c(square(c(1, 2)), square(c(1, 3))), c(1, 4, 1, 9))
    expect_identical(calls, c(1, 2, 3))
    expect_identical(remembered(function(at) at^2, known = c(2, 5))(1:3), c(1, 5, 9))
})
