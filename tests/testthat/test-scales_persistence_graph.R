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
            space <- as_distance_space(x, metric, 1L)
            space$local_scale <- local_scales(space, neighbors_in_space(space, 7L, FALSE)$distance)
            counted <- count_edges_cpp(space$x, space$metric, space$local_scale, scales$threshold, 2L)
            expect_identical(counted, scales$n_edges)
        }
    }
})
