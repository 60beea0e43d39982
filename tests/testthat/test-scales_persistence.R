test_that("the scales are the minimum spanning tree's edge lengths and one threshold above every distance", {
    for (seed in 1:5) {
        x <- random_cells(n = 10 * seed, p = seed, seed = seed)
        scales <- persistence_scales(x)
        # Sums of squares in another order: a few units in the last place.
        expect_equal(scales$threshold, ref_thresholds(x), tolerance = 1e-13)
        expect_equal(scales$mst$length, sort(hclust(dist(t(x)), "single")$height), tolerance = 1e-13)
        expect_false(is.unsorted(scales$threshold, strictly = TRUE))
        expect_gt(max(scales$threshold), max(dist(t(x))))
    }
})

test_that("the tree spans all cells and its lengths are the distances of its cells", {
    x <- random_cells(40)
    mst <- persistence_scales(x)$mst
    d <- ref_distances(x)
    expect_named(mst, c("i", "j", "length"))
    expect_equal(nrow(mst), 39)
    expect_true(all(mst$i < mst$j))
    expect_equal(mst$length, d[cbind(mst$i, mst$j)], tolerance = 1e-13)
    tree <- matrix(Inf, 40, 40)
    tree[cbind(mst$i, mst$j)] <- tree[cbind(mst$j, mst$i)] <- 0
    expect_equal(max(ref_components(tree, 1)), 1)
})

test_that("scale t of n distinct deaths has n - t + 1 components", {
    for (n in c(2, 3, 17, 60)) {
        scales <- persistence_scales(random_cells(n, seed = n))
        expect_equal(scales$betti0, n:1)
        expect_equal(scales$multiplicity, c(rep(1L, n - 1), 0L))
    }
})

test_that("betti0 and n_edges describe the graph of pairs strictly closer than the threshold", {
    for (x in list(random_cells(30), tied_cells())) {
        d <- own_distances(persistence_scales(x))
        expect_equal(d, ref_distances(x), tolerance = 1e-13)
        for (select in c("canonical", "uniform", "random", "minimal")) {
            scales <- persistence_scales(x, select)
            expect_equal(scales$betti0, ref_betti0(d, scales$threshold))
            expect_equal(scales$n_edges, vapply(scales$threshold, function(e) sum(d[upper.tri(d)] < e), numeric(1)))
        }
    }
})

test_that("the canonical set is sufficient: every graph of the filtration has its components at a scale", {
    for (x in list(random_cells(20), tied_cells(), matrix(c(1, 1, 1, 2, 4, 8), 1))) {
        scales <- persistence_scales(x)
        d <- own_distances(scales)
        at_scales <- lapply(scales$threshold, ref_components, d = d)
        represented <- vapply(all_thresholds(d), function(eps) {
            scale <- min(which(scales$threshold >= eps), length(scales$threshold))
            identical(ref_components(d, eps), at_scales[[scale]])
        }, logical(1))
        expect_true(all(represented))
    }
})

test_that("the canonical set is minimal and canonical: no scale repeats another, each ends its interval", {
    for (x in list(random_cells(20), tied_cells())) {
        scales <- persistence_scales(x)
        d <- own_distances(scales)
        expect_true(all(diff(scales$betti0) < 0))
        middle <- scales$threshold - diff(c(0, scales$threshold)) / 2
        expect_equal(ref_betti0(d, middle), scales$betti0)
        beyond <- utils::head(scales$threshold, -1) * (1 + 1e-12)
        expect_equal(ref_betti0(d, pmax(beyond, 1e-12)), scales$betti0[-1])
    }
})

test_that("equal deaths give one scale with their multiplicity", {
    square <- matrix(c(0, 0, 0, 1, 1, 0, 1, 1), 2)
    scales <- persistence_scales(square)
    expect_equal(scales$threshold, c(1, sqrt(2) * (1 + 1e-9)))
    expect_equal(scales$betti0, c(4, 1))
    expect_equal(scales$multiplicity, c(3L, 0L))
    expect_equal(scales$n_edges, c(0, 6))
    tied <- persistence_scales(tied_cells())
    expect_equal(sum(tied$multiplicity), ncol(tied_cells()) - 1)
    expect_equal(tied$betti0[-1], ncol(tied_cells()) - cumsum(tied$multiplicity)[-length(tied$threshold)])
})

test_that("cells that are all equal have two scales: all apart and all together", {
    for (x in list(matrix(3, 4, 6), Matrix::Matrix(0, 4, 6, sparse = TRUE))) {
        scales <- persistence_scales(x)
        expect_equal(scales$threshold, c(0, 1))
        expect_equal(scales$betti0, c(6, 1))
        expect_equal(scales$n_edges, c(0, 15))
        expect_equal(scales$multiplicity, c(5L, 0L))
        expect_equal(scale_graph(scales, 2)$degree, rep(5, 6))
    }
})

test_that("1, 2 and 4 threads give identical scales", {
    for (x in list(random_cells(700, p = 300), random_sparse(500, 700, 0.5))) {
        one <- persistence_scales(x, threads = 1)
        expect_identical(persistence_scales(x, threads = 2), one)
        expect_identical(persistence_scales(x, threads = 4), one)
    }
})

test_that("the numbers of the paper's simulation come out", {
    x <- shared_data("concentric_circles.rds")$X
    scales <- persistence_scales(x)
    expect_equal(scales$threshold[c(1, 79, 80)], c(11.40049296, 33.0343757, 102.0473686), tolerance = 1e-9)
    expect_equal(scales$n_edges[c(1, 2, 11, 41, 71, 79, 80)], c(0, 1, 10, 87, 864, 1699, 3160))
    expect_equal(scales$betti0, 80:1)
})

test_that("simulated circles have one scale per point, from no edge to all pairs", {
    scales <- persistence_scales(simulate_circles(seed = 3))
    expect_length(scales$threshold, 80)
    expect_equal(scales$betti0, 80:1)
    expect_equal(scales$n_edges[c(1, 2, 80)], c(0, 1, 3160))
})

test_that("moving, scaling and permuting the cells does what it should", {
    x <- random_cells(30)
    scales <- persistence_scales(x)
    expect_equal(persistence_scales(x + 7)$threshold, scales$threshold, tolerance = 1e-12)
    expect_identical(persistence_scales(x * 4)$threshold, scales$threshold * 4)
    expect_equal(persistence_scales(x * 1e-140)$threshold, scales$threshold * 1e-140, tolerance = 1e-12)
    expect_equal(persistence_scales(x * 1e140)$threshold, scales$threshold * 1e140, tolerance = 1e-12)
    expect_identical(persistence_scales(x[, 30:1])$threshold, scales$threshold)
})

test_that("some of the scales that are even in effective cells count once each, as all of them do", {
    scales <- persistence_scales(random_cells(40), graph = "knn", thin = "effective", n_scales = 6)
    part <- subset_scales(scales, c(1, 3, 6))
    expect_identical(part[c("weight", "gap")], list(weight = rep(1, 3), gap = rep(1, 3)))
    expect_identical(part$effective_cells, scales$effective_cells[c(1, 3, 6)])
})

test_that("few cells may all be neighbours, and the approximate tree is then the exact one", {
    x <- random_cells(12)
    scales <- function(tree) persistence_scales(x, graph = "knn", n_neighbors = 11, tree = tree)
    expect_equal(scales("approximate")$mst, scales("exact")$mst, tolerance = 1e-13)
    expect_identical(scales("approximate")$n_edges[12], 66)
})

test_that("the session's random numbers are untouched, and seeds decide", {
    x <- random_cells(30)
    set.seed(42)
    before <- session_seed()
    for (select in c("random", "minimal")) {
        first <- persistence_scales(x, select, seed = 5, graph = "knn", n_neighbors = 3)
        expect_identical(persistence_scales(x, select, seed = 5)$threshold, first$threshold)
        expect_false(identical(persistence_scales(x, select, seed = 6)$threshold, first$threshold))
        expect_identical(persistence_scales(x, select), persistence_scales(x, select))
    }
    expect_identical(session_seed(), before)
})

test_that("scales print themselves in a few lines", {
    out <- capture.output(result <- print(persistence_scales(random_cells(30))))
    expect_lte(length(out), 5)
    expect_match(out[1], "30 cells: 30 \\(canonical")
    expect_s3_class(result, "persistence_scales")
})
