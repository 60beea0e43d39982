test_that("uniform and random scales are pairwise distances, the smallest and the largest among them", {
    x <- random_cells(25)
    lengths <- sort(persistence_scales(x)$edges$length)
    for (select in c("uniform", "random")) {
        scales <- persistence_scales(x, select)
        expect_length(scales$threshold, 25)
        expect_true(all(scales$threshold %in% lengths))
        expect_identical(range(scales$threshold), range(lengths))
        expect_false(is.unsorted(scales$threshold, strictly = TRUE))
    }
})

test_that("uniform scales are evenly spread by rank", {
    ranks <- match(uniform_thresholds(1:100 / 10, 10), 1:100 / 10)
    expect_equal(ranks, c(1, 12, 23, 34, 45, 56, 67, 78, 89, 100))
    expect_equal(uniform_thresholds(c(1, 2, 3), 5), c(1, 2, 3))
    expect_equal(uniform_thresholds(c(1, 2, 3), 1), 3)
})

test_that("random scales are drawn without repetition", {
    drawn <- with_random_state(1, random_thresholds(1:50 / 10, 20))
    expect_length(unique(drawn), 20)
    expect_identical(range(drawn), c(0.1, 5))
    expect_identical(random_thresholds(c(1, 2), 2), c(1, 2))
    expect_identical(random_thresholds(7, 3), 7)
})

test_that("one minimal scale lies in each canonical interval, so the components are the canonical ones", {
    x <- random_cells(25)
    canonical <- persistence_scales(x)
    for (seed in 1:20) {
        minimal <- persistence_scales(x, "minimal", seed = seed)
        expect_true(all(minimal$threshold > c(0, utils::head(canonical$threshold, -1))))
        expect_true(all(minimal$threshold <= canonical$threshold))
        expect_identical(minimal$betti0, canonical$betti0)
    }
})

test_that("minimal scales stay inside intervals too short to hold another number", {
    close <- c(1, 1 + .Machine$double.eps, 1 + 2 * .Machine$double.eps, 2)
    for (seed in 1:20) {
        drawn <- with_random_state(seed, minimal_thresholds(close))
        expect_true(all(drawn > c(0, close[-4]) & drawn <= close))
    }
    expect_identical(with_random_state(1, minimal_thresholds(c(0, 1)))[1], 0)
})

test_that("selections of data with ties and duplicates keep thresholds strictly ascending", {
    for (x in list(tied_cells(), matrix(1, 2, 5))) {
        for (select in c("canonical", "uniform", "random", "minimal")) {
            scales <- persistence_scales(x, select)
            expect_false(is.unsorted(scales$threshold, strictly = TRUE))
            expect_lte(length(scales$threshold), length(persistence_scales(x)$threshold))
        }
    }
})

test_that("thinning keeps the wanted number of scales, the finest and the coarsest among them", {
    x <- random_cells(40)
    all_scales <- persistence_scales(x)
    for (thin in c("index", "gap", "betti")) {
        for (n in c(2, 3, 7, 39, 40)) {
            scales <- persistence_scales(x, n_scales = n, thin = thin)
            kept <- match(scales$threshold, all_scales$threshold)
            expect_length(kept, n)
            expect_false(is.unsorted(kept, strictly = TRUE))
            expect_identical(range(kept), c(1L, 40L))
            expect_identical(scales$betti0, all_scales$betti0[kept])
            expect_identical(scales$n_edges, all_scales$n_edges[kept])
            expect_equal(sum(scales$multiplicity), 39)
        }
        expect_identical(persistence_scales(x, n_scales = 1, thin = thin)$threshold, all_scales$threshold[20])
    }
})

test_that("thinning by index is even, by gap keeps the longest intervals, by betti is even in log components", {
    expect_equal(kept_scales(list(threshold = 1:10), 4, "index"), c(1, 4, 7, 10))
    # intervals:               3     1    10   2     5     1
    threshold <- c(1, 4, 5, 15, 17, 22, 23)
    expect_equal(kept_scales(list(threshold = threshold), 4, "gap"), c(1, 4, 6, 7))
    scales <- list(threshold = 1:100, betti0 = 100:1)
    expect_equal(scales$betti0[kept_scales(scales, 3, "betti")], c(100, 10, 1))
    expect_equal(scales$betti0[kept_scales(scales, 5, "betti")], c(100, 32, 10, 3, 1))
})

test_that("a thinned path keeps the graphs of its scales", {
    x <- random_cells(30)
    whole <- persistence_scales(x)
    thinned <- persistence_scales(x, n_scales = 5)
    kept <- match(thinned$threshold, whole$threshold)
    for (t in seq_along(kept)) expect_identical(scale_graph(thinned, t), scale_graph(whole, kept[t]))
})

test_that("selections that need all pairs are refused for many cells", {
    space <- list(n = max_cells_for_pairs + 1L)
    expect_error(pairwise_lengths(space), "'select' must be \"canonical\" or \"minimal\"", class = "pnmf_error")
})

test_that("more scales than there are thresholds keep all, with a message", {
    expect_message(scales <- persistence_scales(matrix(1, 2, 5), n_scales = 3), "2 distinct thresholds",
                   class = "pnmf_message")
    expect_identical(scales$threshold, persistence_scales(matrix(1, 2, 5))$threshold)
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
