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

test_that("duplicate cells are at distance exactly zero, dense or sparse, also far from the origin", {
    x <- random_cells(15) + 1e6
    x <- cbind(x, x[, c(3, 3, 8)], x[, 1] + c(1e-5, 0, 0, 0, 0))
    for (input in list(x, methods::as(x, "CsparseMatrix"))) {
        scales <- persistence_scales(input)
        expect_identical(scales$threshold[1], 0)
        expect_identical(scales$multiplicity[1], 3L)
        expect_equal(scales$betti0[1:2], c(19, 16))
        # The near duplicate is found by direct differences: products would lose it among rounding errors.
        expect_equal(scales$threshold[2], 1e-5, tolerance = 1e-4)
        expect_true(all(is.finite(scales$threshold)) && all(is.finite(scale_graph(scales, 2)$adjacency@x)))
    }
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

test_that("two cells and one feature are enough", {
    expect_equal(persistence_scales(matrix(c(1, 4), 1))$threshold, c(3, 3 * (1 + 1e-9)))
    expect_equal(persistence_scales(matrix(c(5, 1, 2, 9), 1))$threshold, c(1, 3, 4, 8 * (1 + 1e-9)))
})

test_that("zero features and zero cells change nothing", {
    x <- random_cells(12)
    expect_equal(persistence_scales(rbind(x, 0, 0))$threshold, persistence_scales(x)$threshold, tolerance = 1e-13)
    with_origin <- persistence_scales(cbind(x, 0, 0))
    expect_identical(with_origin$threshold[1], 0)
    expect_equal(with_origin$betti0[1], 14)
})

test_that("sparse and dense input give the same scales", {
    x <- random_sparse(50, 40)
    for (metric in c("euclidean", "cosine", "local")) {
        sparse <- persistence_scales(x, metric = metric)
        dense <- persistence_scales(as.matrix(x), metric = metric)
        # |x|^2 + |y|^2 - 2 x.y against direct differences
        expect_equal(sparse$threshold, dense$threshold, tolerance = 1e-11)
        expect_equal(sparse[c("betti0", "n_edges", "multiplicity")], dense[c("betti0", "n_edges", "multiplicity")])
        expect_equal(own_distances(sparse), own_distances(dense), tolerance = 1e-11)
    }
})

test_that("a dist object gives the scales of its coordinates", {
    x <- random_cells(25)
    colnames(x) <- paste0("c", 1:25)
    from_dist <- persistence_scales(dist(t(x)))
    expect_equal(from_dist[c("threshold", "betti0", "n_edges", "cell_names", "n_cells")],
                 persistence_scales(x)[c("threshold", "betti0", "n_edges", "cell_names", "n_cells")],
                 tolerance = 1e-13)
    expect_equal(persistence_scales(stats::as.dist(matrix(c(0L, 2L, 2L, 0L), 2)))$threshold, c(2, 2 * (1 + 1e-9)))
    ultrametric <- stats::cophenetic(hclust(dist(t(x)), "single"))
    expect_equal(persistence_scales(ultrametric)$mst$length, sort(hclust(dist(t(x)), "single")$height),
                 tolerance = 1e-13)
})

test_that("cosine distances are 1 - cos", {
    x <- random_cells(20)
    unit <- sweep(x, 2, sqrt(colSums(x^2)), "/")
    d <- 1 - crossprod(unit)
    expect_equal(persistence_scales(x, metric = "cosine")$mst$length,
                 sort(hclust(stats::as.dist(d), "single")$height), tolerance = 1e-12)
    # The length of a cell does not matter: powers of two change no bit, and no length is too short to be divided by.
    expect_identical(persistence_scales(x * rep(2^(1:20), each = 5), metric = "cosine")$threshold,
                     persistence_scales(x, metric = "cosine")$threshold)
    short <- cbind(x[, 1:10], 1e-170 * x[, 11:20])
    for (input in list(short, methods::as(short, "CsparseMatrix"))) {
        expect_equal(persistence_scales(input, metric = "cosine")$threshold,
                     persistence_scales(x, metric = "cosine")$threshold, tolerance = 1e-12)
    }
})

test_that("local distances are d_ij / sqrt(s_i s_j) mean(s), s_i the distance to the 7th neighbour", {
    x <- random_cells(25) * rep(c(1, 10), c(60, 65))
    d <- ref_distances(x)
    s <- apply(d, 1, function(row) sort(row)[8])
    local <- d / sqrt(outer(s, s)) * mean(s)
    scales <- persistence_scales(x, metric = "local")
    expect_equal(scales$mst$length, sort(hclust(stats::as.dist(local), "single")$height), tolerance = 1e-12)
    expect_equal(scales$edges$length, sort(local[upper.tri(local)]), tolerance = 1e-12)
    few <- persistence_scales(x[, 1:4], metric = "local")
    expect_equal(few$betti0, 4:1)
})

test_that("local distances survive cells with seven duplicates", {
    x <- cbind(random_cells(10), matrix(1, 5, 9))
    scales <- persistence_scales(x, metric = "local")
    expect_identical(scales$threshold[1], 0)
    expect_identical(scales$multiplicity[1], 8L)
    expect_true(all(is.finite(scales$edges$length)))
})

test_that("neighbours and tree together have the components of the full filtration at every threshold", {
    for (x in list(random_cells(25), tied_cells())) {
        for (metric in c("euclidean", "cosine", "local")) {
            if (metric == "cosine") x <- x + 1
            full <- persistence_scales(x, metric = metric)
            knn <- persistence_scales(x, metric = metric, graph = "knn", n_neighbors = 2)
            expect_identical(knn$threshold, full$threshold)
            expect_identical(knn$betti0, full$betti0)
            expect_lt(length(knn$edges$i), length(full$edges$i))
            components <- function(edges, eps) {
                below <- edges$length < eps
                edge_components(edges$i[below], edges$j[below], ncol(x))
            }
            same <- vapply(unique(c(full$edges$length, 2 * max(full$edges$length))), function(eps) {
                identical(components(knn$edges, eps), components(full$edges, eps))
            }, logical(1))
            expect_true(all(same))
        }
    }
})

test_that("the kNN graph is the union of every cell's nearest neighbours and the tree", {
    x <- random_cells(30) * rep(1:30, each = 5)
    for (metric in c("euclidean", "cosine")) {
        d <- own_distances(persistence_scales(x, metric = metric))
        knn <- persistence_scales(x, metric = metric, graph = "knn", n_neighbors = 4)
        near <- ref_nearest(d, 4)
        wanted <- near | t(near)
        wanted[cbind(knn$mst$i, knn$mst$j)] <- TRUE
        pairs <- which(wanted & upper.tri(wanted), arr.ind = TRUE)
        expect_setequal(paste(knn$edges$i, knn$edges$j), paste(pairs[, 1], pairs[, 2]))
        expect_false(is.unsorted(knn$edges$length))
        expect_equal(knn$n_edges[30], nrow(pairs))
        expect_identical(knn$edges$length, d[cbind(knn$edges$i, knn$edges$j)])
    }
})

test_that("exact searches agree, whoever makes them", {
    skip_if_not_installed("BiocNeighbors")
    x <- random_sparse(30, 50)
    for (metric in c("euclidean", "cosine", "local")) {
        for (search in list(BiocNeighbors::KmknnParam(), BiocNeighbors::VptreeParam())) {
            theirs <- persistence_scales(x, metric = metric, graph = "knn", n_neighbors = 6, BNPARAM = search)
            ours <- persistence_scales(x, metric = metric, graph = "knn", n_neighbors = 6)
            expect_equal(theirs$threshold, ours$threshold, tolerance = 1e-11)
            expect_equal(own_distances(theirs), own_distances(ours), tolerance = 1e-11)
        }
    }
})

test_that("approximate neighbours change the edges only: scales and components stay exact", {
    skip_if_not_installed("BiocNeighbors")
    x <- random_cells(60, p = 10)
    knn <- persistence_scales(x, graph = "knn", n_neighbors = 5, BNPARAM = BiocNeighbors::AnnoyParam(ntrees = 2))
    expect_identical(knn$threshold, persistence_scales(x)$threshold)
    expect_identical(knn$betti0, 60:1)
})

test_that("beyond 2,000 cells edges are counted without being stored, and made when asked for", {
    x <- rbind(random_cells(2005, p = 2), 0)
    lengths <- sort(dist(t(x)))
    for (input in list(x, methods::as(x, "CsparseMatrix"))) {
        scales <- persistence_scales(input)
        expect_null(scales$edges)
        # The tree's own lengths are thresholds: rounding may not move an edge across.
        slack <- 1 + 1e-9
        expect_true(all(scales$n_edges <= findInterval(scales$threshold * slack, lengths, left.open = TRUE)))
        expect_true(all(scales$n_edges >= findInterval(scales$threshold / slack, lengths, left.open = TRUE)))
        stored <- with_edges(scales)
        expect_null(stored$space)
        expect_equal(stored$n_edges, findInterval(stored$threshold, stored$edges$length, left.open = TRUE))
        for (t in c(1, 2, 700, 1995)) {
            expect_identical(edges_at(scales, t), edges_at(stored, t))
            expect_length(edges_at(scales, t)$i, scales$n_edges[t])
        }
    }
})

test_that("counting without storing agrees with the stored list for every selection and metric", {
    x <- tied_cells() + 1
    for (metric in c("euclidean", "cosine", "local")) {
        for (select in c("canonical", "uniform", "random", "minimal")) {
            scales <- persistence_scales(x, select, metric = metric)
            space <- as_distance_space(x, metric, assert_search(NULL), 1L)
            counted <- count_edges_cpp(space$x, space$metric, space$local_scale, scales$threshold, 2L)
            expect_identical(counted, scales$n_edges)
        }
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

test_that("the session's random numbers are untouched, and seeds decide", {
    skip_if_not_installed("BiocNeighbors")
    x <- random_cells(30)
    set.seed(42)
    before <- session_seed()
    for (select in c("random", "minimal")) {
        first <- persistence_scales(x, select, seed = 5, graph = "knn", n_neighbors = 3)
        expect_identical(persistence_scales(x, select, seed = 5)$threshold, first$threshold)
        expect_false(identical(persistence_scales(x, select, seed = 6)$threshold, first$threshold))
        expect_identical(persistence_scales(x, select), persistence_scales(x, select))
    }
    persistence_scales(x, metric = "local", graph = "knn", n_neighbors = 3, BNPARAM = BiocNeighbors::AnnoyParam())
    expect_identical(session_seed(), before)
})

test_that("any numeric input works: integers, logicals, data frames, other Matrix classes", {
    x <- matrix(c(0, 3, 1, 0, 2, 2, 5, 1, 0, 0, 1, 7), 3)
    wanted <- persistence_scales(x)$threshold
    integers <- x
    storage.mode(integers) <- "integer"
    for (input in list(integers, as.data.frame(x), methods::as(x, "TsparseMatrix"), methods::as(x, "RsparseMatrix"),
                       Matrix::Matrix(x, sparse = FALSE))) {
        expect_equal(persistence_scales(input)$threshold, wanted)
    }
    expect_equal(persistence_scales(x > 1)$betti0, persistence_scales((x > 1) + 0)$betti0)
})

test_that("more scales than there are thresholds keep all, with a message", {
    expect_message(scales <- persistence_scales(matrix(1, 2, 5), n_scales = 3), "2 distinct thresholds",
                   class = "pnmf_message")
    expect_identical(scales$threshold, persistence_scales(matrix(1, 2, 5))$threshold)
})

test_that("the adaptive metric divides by the larger distance to the 7th neighbour", {
    x <- random_cells(40)
    d <- as.matrix(stats::dist(t(x)))
    s <- apply(d, 1, function(row) sort(row)[8])
    expected <- d / outer(s, s, pmax) * mean(s)
    scales <- persistence_scales(x, metric = "adaptive")
    tree <- stats::hclust(stats::as.dist(expected), "single")
    expect_equal(scales$mst$length, tree$height, tolerance = 1e-12)
    sparse <- persistence_scales(as(x, "CsparseMatrix"), metric = "adaptive")
    expect_equal(sparse$mst$length, tree$height, tolerance = 1e-10)
    # Eight copies of every cell leave no distance to a 7th neighbour.
    copies <- x[, rep(1:5, each = 8)]
    expect_identical(persistence_scales(copies, metric = "adaptive")$mst$length,
                     persistence_scales(copies)$mst$length)
})

test_that("kept scales stand for those left out", {
    x <- random_cells(50)
    all <- persistence_scales(x)
    expect_identical(all$weight, rep(1, 50))
    expect_identical(all$gap, rep(1, 50))
    few <- persistence_scales(x, n_scales = 8)
    expect_equal(sum(few$weight), 50)
    expect_identical(few$gap[-1], as.numeric(diff(match(few$threshold, all$threshold))))
    expect_true(all(diff(few$weight[-1]) <= 0))
})

test_that("twenty scales of many cells never jump from many components to one", {
    x <- random_cells(3000)
    scales <- persistence_scales(x, graph = "knn", n_scales = 20)
    expect_lt(max(-diff(log(scales$betti0))), 0.75)
})

test_that("scales print themselves in a few lines", {
    out <- capture.output(result <- print(persistence_scales(random_cells(30))))
    expect_lte(length(out), 5)
    expect_match(out[1], "30 cells: 30 \\(canonical")
    expect_s3_class(result, "persistence_scales")
})

test_that("bad input is refused by name", {
    x <- random_cells(20)
    refused <- function(pattern, ...) expect_error(persistence_scales(...), pattern, class = "pnmf_error")
    refused("'x' must be finite, but 1 entry is NA", replace(x, 3, NA))
    refused("'x' must be finite, but 2 entries are infinite", replace(x, 3:4, -Inf))
    refused("'x' must be a numeric matrix.*character matrix", matrix("a", 2, 2))
    refused("'x' must be a numeric matrix", 1:10)
    refused("'x' must be a numeric matrix.*NULL", NULL)
    refused("'x' must be numeric, but the data.frame", data.frame(a = letters))
    refused("'x' must have at least one row", matrix(0, 0, 5))
    refused("'x' must have at least one row", matrix(0, 5, 0))
    refused("'x' must have at least two cells \\(columns\\), not 1", matrix(1, 5, 1))
    refused("'x' must have a largest entry", x * 1e160)
    refused("'x' must have a largest entry", x * 1e-170)
    refused("'x' has 1 cell.*cosine", cbind(x, 0), metric = "cosine")
    refused("'n_neighbors' must be a whole number between 1 and 19, not 20", x, graph = "knn", n_neighbors = 20)
    refused("'n_neighbors' must be a whole number between 1 and 9, not 15", x[, 1:10], graph = "knn")
    refused("'n_neighbors'", x, graph = "knn", n_neighbors = 0)
    refused("'n_scales'.*not 0", x, n_scales = 0)
    refused("'n_scales'.*not 2.5", x, n_scales = 2.5)
    refused("'n_scales' must be a whole number", x, n_scales = 0)
    refused("'select' must be one of .*not \"fine\"", x, select = "fine")
    refused("'thin' must be one of", x, thin = 3)
    refused("'metric' must be one of", x, metric = "manhattan")
    refused("'graph' must be one of", x, graph = NA)
    refused("'seed' must be a whole number", x, seed = "a")
    refused("'threads' must be a whole number", x, threads = 0)
    refused("'BNPARAM' must be", x, graph = "knn", n_neighbors = 2, BNPARAM = "kmknn")
})

test_that("bad dist objects are refused by name", {
    refused <- function(pattern, ...) expect_error(persistence_scales(...), pattern, class = "pnmf_error")
    d <- dist(t(random_cells(5)))
    refused("'x' must be finite", replace(d, 2, NA))
    refused("'x' must have nonnegative distances, not -1", replace(d, 2, -1))
    refused("'x' must have at least two cells", dist(1))
    refused("'x' must be a complete dist", structure(d[-1], class = "dist", Size = 5L))
    refused("'metric' must be \"euclidean\"", d, metric = "cosine")
    refused("'graph' must be \"full\"", d, graph = "knn")
})

test_that("nearly equal sparse cells are as far apart as their few differences say", {
    # Norms minus products would leave nothing of 1e-12: the entries that only one of the two has must be looked up.
    x <- small_data(2, features = 12, cells = 5, zeros = 0.2) + 1
    x[1:3, ] <- 0
    x[, 2] <- x[, 1]
    x[1, 1] <- 1e-6
    x[2, 2] <- 2e-6
    expect_equal(persistence_scales(as_sparse(x))$mst$length[1], sqrt(5) * 1e-6, tolerance = 1e-12)
    expect_equal(persistence_scales(x)$mst$length[1], sqrt(5) * 1e-6, tolerance = 1e-12)
})
