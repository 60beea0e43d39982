pairwise_crossings <- function(m) {
    edges <- which(m > 0, arr.ind = TRUE)
    total <- 0
    for (i in seq_len(nrow(edges))) for (j in seq_len(nrow(edges))) {
        if (edges[i, 1] < edges[j, 1] && edges[i, 2] > edges[j, 2]) {
            total <- total + m[edges[i, 1], edges[i, 2]] * m[edges[j, 1], edges[j, 2]]
        }
    }
    unname(total)
}

test_that("crossings are counted as the sum over all pairs of edges", {
    with_random_state(1, for (round in 1:20) {
        m <- matrix(rpois(sample(2:6, 1) * 4, 1), ncol = 4)
        expect_equal(layer_crossings(m), pairwise_crossings(m))
    })
    expect_equal(layer_crossings(matrix(c(0, 3, 2, 0), 2)), 6)
    expect_equal(layer_crossings(diag(4)), 0)
})

test_that("permuted chains are untangled completely", {
    weights <- with_random_state(3, lapply(1:6, function(j) diag(5)[sample(5), sample(5)]))
    expect_equal(total_crossings(weights, ordered_layers(weights)), 0)
})

test_that("the order never crosses more than the given one, and every layer stays a permutation", {
    with_random_state(7, for (round in 1:10) {
        sizes <- sample(1:6, 4, replace = TRUE)
        weights <- lapply(1:3, function(j) matrix(rpois(sizes[j] * sizes[j + 1], 2) + 0.01, sizes[j], sizes[j + 1]))
        position <- ordered_layers(weights)
        expect_lte(total_crossings(weights, position), total_crossings(weights, lapply(sizes, seq_len)))
        for (j in 1:4) expect_identical(sort(position[[j]]), seq_len(sizes[j]))
    })
})

test_that("where no other order crosses less, the given one stays", {
    kept <- with_random_state(7, vapply(1:40, function(round) {
        sizes <- sample(2:4, 3, replace = TRUE)
        weights <- lapply(1:2, function(j) matrix(rpois(sizes[j] * sizes[j + 1], 1), sizes[j]))
        given <- lapply(sizes, seq_len)
        position <- ordered_layers(weights)
        if (total_crossings(weights, position) < total_crossings(weights, given)) return(NA)
        identical(position, given)
    }, logical(1)))
    expect_gt(sum(kept, na.rm = TRUE), 1)
    expect_true(all(kept, na.rm = TRUE))
})
