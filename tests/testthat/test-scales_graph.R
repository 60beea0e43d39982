# Eigenvalues of the dense Laplacian, ascending.
dense_spectrum <- function(scales, t, alpha = 1.5) {
    L <- as.matrix(laplacian(scale_graph(scales, t, alpha)))
    rev(eigen(L, symmetric = TRUE, only.values = TRUE)$values)
}

test_that("weights, degrees and Laplacian follow their formulas", {
    x <- random_cells(25)
    d <- ref_distances(x)
    scales <- persistence_scales(x)
    for (alpha in c(0.5, 1.5, 3)) {
        for (t in c(1, 2, 10, 24, 25)) {
            graph <- scale_graph(scales, t, alpha)
            A <- ref_adjacency(d, scales$threshold[t], alpha)
            # The tree's own edges are as long as thresholds: on which side they fall is a matter of last bits.
            A[cbind(scales$mst$i, scales$mst$j)[scales$mst$length >= scales$threshold[t], , drop = FALSE]] <- 0
            A <- pmin(A, t(A))
            expect_equal(as.matrix(graph$adjacency), A, tolerance = 1e-12)
            expect_equal(graph$degree, rowSums(A), tolerance = 1e-12)
            expect_equal(as.matrix(laplacian(graph)), ref_laplacian(A), tolerance = 1e-12)
            expect_identical(graph$threshold, scales$threshold[t])
        }
    }
    expect_s4_class(graph$adjacency, "symmetricMatrix")
    expect_s4_class(laplacian(graph), "symmetricMatrix")
})

test_that("cell names label the adjacency matrix", {
    x <- random_cells(6)
    expect_null(rownames(scale_graph(persistence_scales(x), 3)$adjacency))
    colnames(x) <- letters[1:6]
    A <- scale_graph(persistence_scales(x), 3)$adjacency
    expect_identical(dimnames(A), list(letters[1:6], letters[1:6]))
})

test_that("the finest canonical scale has no edge, and graphs nest", {
    scales <- persistence_scales(random_cells(30))
    expect_length(scale_graph(scales, 1)$adjacency@x, 0)
    before <- character()
    for (t in 1:30) {
        edges <- edges_at(scales, t)
        pairs <- paste(edges$i, edges$j)
        expect_identical(pairs[seq_along(before)], before)
        expect_true(all(edges$length < scales$threshold[t]))
        before <- pairs
    }
    expect_length(before, 30 * 29 / 2)
})

test_that("the kernel of the Laplacian has one dimension per component and falls strictly", {
    for (scales in list(persistence_scales(random_cells(30)), persistence_scales(tied_cells()),
                        persistence_scales(simulate_circles(seed = 2), n_scales = 15))) {
        kernel <- vapply(seq_along(scales$threshold), function(t) {
            values <- dense_spectrum(scales, t)
            sum(values < 1e-10 * max(values, 1))
        }, numeric(1))
        expect_equal(kernel, scales$betti0)
        expect_true(all(diff(kernel) < 0))
    }
})

test_that("eigenvalues never decrease with the scale", {
    for (scales in list(persistence_scales(random_cells(40)), persistence_scales(simulate_circles(seed = 2)))) {
        values <- vapply(seq_along(scales$threshold), function(t) laplacian_spectrum(scales, t),
                         numeric(scales$n_cells))
        # eigen() is exact to a few units in the last place of the largest eigenvalue.
        expect_gt(min(apply(values, 1, diff)), -1e-13 * max(values))
    }
})

test_that("the paper's simulation has the published kernels and monotone eigenvalues", {
    scales <- persistence_scales(shared_data("concentric_circles.rds")$X)
    values <- vapply(1:80, function(t) laplacian_spectrum(scales, t), numeric(80))
    expect_equal(colSums(values == 0), 80:1)
    expect_gt(min(apply(values, 1, diff)), -1e-13 * max(values))
})

# The Lipschitz bound between scales eps < eps', from the paper's proof with every matrix entry counted (two an edge):
#   |dL|_F <= (1 + sqrt(n)) |dA|_F,
#   |dA|_F <= sqrt(2 E_old) max|dA_ij/deps| (eps' - eps) + sqrt(2 E_new),
#   dA_ij/deps = alpha u exp(-u) / eps <= alpha / (e eps),   u = d^2 / eps^alpha
lipschitz_bound <- function(scales, t, alpha) {
    gap <- scales$threshold[t + 1] - scales$threshold[t]
    old <- 2 * scales$n_edges[t]
    new <- 2 * (scales$n_edges[t + 1] - scales$n_edges[t])
    rate <- if (old > 0) sqrt(old) * alpha / (exp(1) * scales$threshold[t]) else 0
    (1 + sqrt(scales$n_cells)) * (rate + sqrt(new) / gap) * gap
}

laplacian_change <- function(scales, t, alpha) {
    norm(as.matrix(laplacian(scale_graph(scales, t + 1, alpha)) - laplacian(scale_graph(scales, t, alpha))), "F")
}

test_that("the Laplacian changes between consecutive scales by no more than the Lipschitz bound", {
    for (x in list(random_cells(25), 0.1 * random_cells(25, p = 2), simulate_circles(n_per_circle = 6), tied_cells())) {
        for (alpha in c(0.5, 1.5, 2.5)) {
            scales <- persistence_scales(x)
            steps <- seq_len(length(scales$threshold) - 1)
            change <- vapply(steps, laplacian_change, numeric(1), scales = scales, alpha = alpha)
            bound <- vapply(steps, lipschitz_bound, numeric(1), scales = scales, alpha = alpha)
            expect_true(all(change <= bound))
        }
    }
})

test_that("one constant serves all consecutive distances and all scales", {
    alpha <- 1.5
    for (x in list(random_cells(15), tied_cells()[, 1:12] + 0.5)) {
        n <- ncol(x)
        all_lengths <- unique(persistence_scales(x)$edges$length)
        filtration <- persistence_scales(x, "uniform")
        filtration$threshold <- c(all_lengths, 1.5 * max(all_lengths))
        filtration$betti0 <- rep(1L, length(filtration$threshold))
        filtration$n_edges <- findInterval(filtration$threshold, filtration$edges$length, left.open = TRUE)
        gaps <- diff(filtration$threshold)
        steps <- seq_along(gaps)
        old <- 2 * filtration$n_edges[steps]
        new <- 2 * diff(filtration$n_edges)
        constant <- (1 + sqrt(n)) *
            (max(sqrt(old) * alpha / (exp(1) * filtration$threshold[steps])) + sqrt(max(new)) / min(gaps))
        change <- vapply(steps, laplacian_change, numeric(1), scales = filtration, alpha = alpha)
        expect_true(all(change <= constant * gaps))
        scales <- persistence_scales(x)
        between <- seq_len(length(scales$threshold) - 1)
        change <- vapply(between, laplacian_change, numeric(1), scales = scales, alpha = alpha)
        expect_true(all(change <= constant * diff(scales$threshold)))
    }
})

test_that("the bound must count the entries that appear together: sqrt(n) of them is not enough with ties", {
    n <- 12
    simplex <- 0.01 * diag(n) # all distances equal
    scales <- persistence_scales(simplex)
    change <- laplacian_change(scales, 1, 1.5)
    expect_gt(change, (1 + sqrt(n)) * sqrt(n))
    expect_lte(change, lipschitz_bound(scales, 1, 1.5))
})

test_that("the spectrum has as many zeros as components and the dense eigenvalues otherwise", {
    scales <- persistence_scales(random_cells(40))
    for (t in c(1, 2, 20, 38, 40)) {
        spectrum <- laplacian_spectrum(scales, t)
        expect_length(spectrum, 40)
        expect_equal(sum(spectrum == 0), scales$betti0[t])
        expect_equal(spectrum, pmax(dense_spectrum(scales, t), 0), tolerance = 1e-12)
        expect_equal(laplacian_spectrum(scales, t, k = 7), spectrum[1:7], tolerance = 1e-12)
    }
    expect_equal(laplacian_spectrum(scales, 30, k = 15, alpha = 2), dense_spectrum(scales, 30, 2)[1:15],
                 tolerance = 1e-10)
})

test_that("components of more than 500 cells give the same eigenvalues by iteration", {
    near <- random_cells(520, p = 3)
    x <- cbind(near, near[, 1:30] + 100, near[, 31:33] - 100)
    scales <- persistence_scales(x)
    t <- match(3, scales$betti0)
    spectrum <- laplacian_spectrum(scales, t, k = 12)
    dense <- dense_spectrum(scales, t)
    # Shift-invert is exact to about the shift (1e-6 of the largest degree) times the iteration's tolerance.
    expect_equal(spectrum, pmax(dense[1:12], 0), tolerance = 1e-8)
    expect_equal(sum(spectrum == 0), 3)
    expect_gt(spectrum[4], 0)
    # Weights may be tiny: the iteration must not mistake them for zero.
    tiny <- laplacian(scale_graph(scales, t))[1:520, 1:520] * 1e-60
    expect_equal(1e60 * smallest_eigenvalues(tiny, 10), 1e60 * rev(eigen(as.matrix(tiny), TRUE, TRUE)$values)[1:10],
                 tolerance = 1e-8)
    expect_identical(smallest_eigenvalues(0 * tiny, 10), numeric(10))
    # More than half of the eigenvalues come from the dense solver.
    L <- laplacian(scale_graph(scales, t))[1:520, 1:520]
    expect_equal(smallest_eigenvalues(L, 300), rev(eigen(as.matrix(L), TRUE, TRUE)$values)[1:300], tolerance = 1e-8)
})

test_that("duplicates are joined with weight 1 at any scale and any decay", {
    x <- cbind(1e-8 * random_cells(6), 0, 0)
    scales <- persistence_scales(x)
    expect_equal(scales$threshold[1], 0)
    expect_length(scale_graph(scales, 1)$adjacency@x, 0)
    for (alpha in c(0.1, 1.5, 50)) {
        A <- scale_graph(scales, length(scales$threshold), alpha)$adjacency
        expect_identical(A[7, 8], 1)
        expect_true(all(is.finite(A@x)))
        expect_true(all(is.finite(laplacian_spectrum(scales, 4, alpha = alpha))))
    }
})

test_that("components are numbered by first appearance", {
    expect_identical(edge_components(c(5L, 2L), c(1L, 4L), 5L), c(1L, 2L, 3L, 2L, 1L))
    expect_identical(edge_components(integer(), integer(), 3L), 1:3)
    order <- with_random_state(1, sample(2000))
    chain <- edge_components(order[-2000], order[-1], 2000L)
    expect_true(all(chain == 1L))
    for (seed in 1:20) {
        d <- ref_distances(random_cells(30, p = 2, seed = seed))
        joined <- which(d < 0.5 & upper.tri(d), arr.ind = TRUE)
        expect_identical(edge_components(joined[, 1], joined[, 2], 30L), ref_components(d, 0.5))
    }
})

test_that("bad input is refused by name", {
    scales <- persistence_scales(random_cells(10))
    refused <- function(expr, pattern) expect_error(expr, pattern, class = "pnmf_error")
    refused(scale_graph(1:3, 1), "'scales' must be a persistence_scales object.*not an integer vector of length 3")
    refused(scale_graph(scales, 0), "'t' must be a whole number between 1 and 10, not 0")
    refused(scale_graph(scales, 11), "'t' must be a whole number between 1 and 10, not 11")
    refused(scale_graph(scales, 1:2), "'t'.*not an integer vector of length 2")
    refused(scale_graph(scales, 1.5), "'t'.*not 1.5")
    refused(scale_graph(scales, 1, alpha = 0), "'alpha' must be a finite number above 0, not 0")
    refused(scale_graph(scales, 1, alpha = -1), "'alpha'")
    refused(scale_graph(scales, 1, alpha = NA), "'alpha'")
    refused(scale_graph(scales, 1, alpha = Inf), "'alpha'")
    refused(laplacian(diag(3)), "'graph' must be a list with 'adjacency' and 'degree'.*3 x 3")
    refused(laplacian(list(adjacency = 1)), "'graph'")
    refused(laplacian_spectrum(scales, 2, k = 0), "'k' must be a whole number between 1 and 10, not 0")
    refused(laplacian_spectrum(scales, 2, k = 11), "'k'")
    refused(laplacian_spectrum(scales, 99), "'t'")
    scales$n_edges[10] <- 2^31
    refused(scale_graph(scales, 10), "'t' must be a scale with fewer than 2\\^31 edges.*knn")
})

test_that("scales have a number of edges per threshold, graphs, and positive weights or none", {
    scales <- persistence_scales(small_data(1))
    changed <- function(...) utils::modifyList(scales, list(...))
    expect_identical(assert_scales(scales, "scales"), scales)
    expect_refused(assert_scales(unclass(scales), "scales"), "'scales' must be")
    expect_refused(assert_scales(changed(threshold = numeric(), n_edges = numeric()), "scales"), "a number of edges")
    expect_refused(assert_scales(changed(threshold = letters[1:10]), "scales"), "a number of edges")
    expect_refused(assert_scales(changed(n_edges = 1:9), "scales"), "a number of edges")
    expect_null(assert_scales_to_compare(2L, "path"))
    expect_refused(assert_scales_to_compare(1L, "path"), "at least two scales to compare, not 1")
    expect_null(assert_graphs(scales, "path"))
    expect_null(assert_graphs(list(space = 1), "path"))
    expect_refused(assert_graphs(changed(edges = NULL), "path"), "must have the graphs of its scales")
    expect_null(assert_scale_weights(scales))
    expect_null(assert_scale_weights(changed(weight = NULL, gap = NULL)))
    expect_null(assert_scale_weights(changed(gap = c(NA, 2:10))))
    for (bad in list(c(1, 0, 1:8), 1:9, c(1:9, Inf), letters[1:10])) {
        expect_refused(assert_scale_weights(changed(weight = bad)), "a positive 'weight' and 'gap' for each of its 10")
        expect_refused(assert_scale_weights(changed(gap = bad)), "a positive 'weight' and 'gap'")
    }
})

test_that("without alpha, the graph of a path is the one that its fit used", {
    x <- simulate_circles(n_per_circle = 6, seed = 1)
    path <- pnmf(x, rank = 2, scales = 5, control = pnmf_control(max_outer = 1, tol = 0))
    expect_equal(path@parameters$alpha, 2)
    expect_identical(scale_graph(path, 4), scale_graph(path@scales, 4, alpha = 2))
    expect_identical(laplacian_spectrum(path, 4, 5), laplacian_spectrum(path@scales, 4, 5, alpha = 2))
    scales <- persistence_scales(x)
    expect_identical(scale_graph(scales, 20), scale_graph(scales, 20, alpha = 1.5))
    scales$alpha <- 3
    expect_identical(scale_graph(scales, 20), scale_graph(scales, 20, alpha = 3))
})
