# References that share no code with the package: all pairs of cells, all matchings, entropies by definition.
pairwise_ari <- function(a, b) {
    pairs <- utils::combn(length(a), 2L)
    same_a <- a[pairs[1, ]] == a[pairs[2, ]]
    same_b <- b[pairs[1, ]] == b[pairs[2, ]]
    n11 <- sum(same_a & same_b)
    n10 <- sum(same_a & !same_b)
    n01 <- sum(!same_a & same_b)
    n00 <- sum(!same_a & !same_b)
    2 * (n11 * n00 - n10 * n01) / ((n11 + n10) * (n10 + n00) + (n11 + n01) * (n01 + n00))
}

defined_nmi <- function(a, b) {
    joint <- prop.table(table(a, b))
    independent <- outer(rowSums(joint), colSums(joint))
    information <- sum(ifelse(joint > 0, joint * log(joint / independent), 0))
    entropy <- function(p) -sum(p * log(p))
    information / mean(c(entropy(rowSums(joint)), entropy(colSums(joint))))
}

permutations_of <- function(v) {
    if (length(v) <= 1L) return(list(v))
    do.call(c, lapply(seq_along(v), function(i) lapply(permutations_of(v[-i]), function(p) c(v[i], p))))
}

exhaustive_accuracy <- function(a, b) {
    size <- max(length(unique(a)), length(unique(b)))
    counts <- matrix(0, size, size)
    observed <- unclass(table(a, b))
    counts[seq_len(nrow(observed)), seq_len(ncol(observed))] <- observed
    best <- vapply(permutations_of(seq_len(size)), function(p) sum(counts[cbind(seq_len(size), p)]), numeric(1))
    max(best) / length(a)
}

counted_purity <- function(truth, predicted) {
    majority <- vapply(unique(predicted), function(g) max(table(truth[predicted == g])), numeric(1))
    sum(majority) / length(truth)
}

test_that("the scores equal their definitions on random labels with unequal numbers of clusters", {
    with_random_state(11, for (round in 1:40) {
        n <- sample(5:30, 1)
        truth <- sample(sample(2:5, 1), n, replace = TRUE)
        predicted <- sample(sample(2:6, 1), n, replace = TRUE)
        if (length(unique(truth)) < 2 || length(unique(predicted)) < 2) next
        expected <- c(ari = pairwise_ari(truth, predicted), nmi = defined_nmi(truth, predicted),
                      purity = counted_purity(truth, predicted), accuracy = exhaustive_accuracy(truth, predicted))
        expect_equal(cluster_scores(truth, predicted), expected, tolerance = 1e-12)
    })
})

test_that("a worked example gives the scores counted by hand", {
    # classes a a a b b b, clusters {a a b} {a b b}: 4 of 6 on the matching; pairs: n11 = 2, n10 = 4, n01 = 4, n00 = 5
    scores <- cluster_scores(c("a", "a", "a", "b", "b", "b"), c(1, 1, 2, 1, 2, 2))
    expect_equal(scores[["ari"]], 2 * (2 * 5 - 4 * 4) / (6 * 9 + 6 * 9), tolerance = 1e-14)
    expect_equal(scores[["purity"]], 4 / 6)
    expect_equal(scores[["accuracy"]], 4 / 6)
    mutual <- log(2) - (-(1 / 3) * log(1 / 3) - (2 / 3) * log(2 / 3))
    expect_equal(scores[["nmi"]], mutual / log(2), tolerance = 1e-14)
})

test_that("only the partition counts: types, names and unused levels of the labels do not", {
    truth <- c(1, 1, 2, 2, 3, 3, 3)
    predicted <- c(2, 2, 2, 1, 1, 3, 3)
    reference <- cluster_scores(truth, predicted)
    expect_identical(cluster_scores(factor(truth, levels = 5:1), predicted), reference)
    expect_identical(cluster_scores(letters[truth], factor(letters[predicted])), reference)
    expect_identical(cluster_scores(as.integer(truth), 100L - as.integer(predicted)), reference)
    expect_identical(cluster_scores(rev(truth), rev(predicted)), reference)
    expect_identical(cluster_scores(truth > 1, predicted), cluster_scores(1L + (truth > 1), predicted))
})

test_that("ari, nmi and accuracy are symmetric, purity is 1 for singletons", {
    truth <- c(1, 1, 2, 2, 2, 3)
    predicted <- c(1, 2, 2, 2, 4, 4)
    symmetric <- c("ari", "nmi", "accuracy")
    expect_equal(cluster_scores(truth, predicted)[symmetric], cluster_scores(predicted, truth)[symmetric])
    expect_identical(cluster_scores(truth, seq_along(truth))[["purity"]], 1)
})

test_that("identical partitions score 1 everywhere", {
    expect_equal(cluster_scores(c("x", "y", "y", "z"), c(3, 1, 1, 2)),
                 c(ari = 1, nmi = 1, purity = 1, accuracy = 1), tolerance = 1e-14)
})

test_that("a single cluster on one side scores 0, on both sides 1", {
    one_sided <- c(ari = 0, nmi = 0, purity = 0.5, accuracy = 0.5)
    expect_equal(cluster_scores(c(1, 1, 2, 2), rep("all", 4)), one_sided)
    expect_equal(cluster_scores(rep("all", 4), c(1, 1, 2, 2)), replace(one_sided, "purity", 1))
    trivial <- c(ari = 1, nmi = 1, purity = 1, accuracy = 1)
    expect_equal(cluster_scores(rep(7, 5), rep("all", 5)), trivial)
    expect_equal(cluster_scores("a", 1L), trivial)
    expect_equal(cluster_scores(1:4, 4:1), trivial)
    expect_equal(cluster_scores(1:4, rep(1, 4))[c("ari", "nmi")], c(ari = 0, nmi = 0))
})

test_that("independent labels have an ari near 0 and never an nmi outside 0 to 1", {
    with_random_state(3, {
        truth <- sample(4, 2e4, replace = TRUE)
        predicted <- sample(5, 2e4, replace = TRUE)
    })
    scores <- cluster_scores(truth, predicted)
    # the standard deviation of the index is of order 1 / n
    expect_lt(abs(scores[["ari"]]), 1e-3)
    expect_gte(scores[["nmi"]], 0)
    expect_lt(scores[["nmi"]], 1e-2)
})

test_that("a great many clusters do not overflow", {
    labels <- rep(seq_len(300), length.out = 9e4)
    expect_equal(cluster_scores(labels, labels)[["ari"]], 1)
})

test_that("bad labels are refused with the argument named", {
    expect_error(cluster_scores(1:3, 1:4), "'predicted' must have as many labels as 'truth' \\(3\\), not 4",
                 class = "pnmf_error")
    expect_error(cluster_scores(c(1, NA, 2), 1:3), "'truth' must have no missing labels, but 1 of 3",
                 class = "pnmf_error")
    expect_error(cluster_scores(1:3, c("a", NA, "b")), "'predicted' must have no missing", class = "pnmf_error")
    expect_error(cluster_scores(factor(c("a", NA)), 1:2), "'truth' must have no missing", class = "pnmf_error")
    expect_error(cluster_scores(c(0.5, 1), 1:2), "'truth' must be whole numbers .* not 0.5", class = "pnmf_error")
    expect_error(cluster_scores(c(Inf, 1), 1:2), "'truth' must be whole numbers", class = "pnmf_error")
    expect_error(cluster_scores(integer(0), integer(0)), "'truth' must have at least one label", class = "pnmf_error")
    expect_error(cluster_scores(list(1, 2), 1:2), "'truth' must be labels", class = "pnmf_error")
    expect_error(cluster_scores(NULL, 1:2), "'truth' must be labels .* not NULL", class = "pnmf_error")
    expect_error(cluster_scores(1:4, matrix(1:4, 2)), "'predicted' must be a vector", class = "pnmf_error")
    expect_error(cluster_scores(data.frame(a = 1:2), 1:2), "'truth' must be labels", class = "pnmf_error")
})

test_that("labels of every kind score alike", {
    labels <- c(1, 1, 2, 2, 3, 3)
    truth <- c(1, 1, 1, 2, 2, 2)
    expected <- cluster_scores(truth, labels)
    kinds <- list(as.integer(labels), as.character(labels), factor(labels), structure(labels, class = "membership"))
    for (kind in kinds) expect_identical(cluster_scores(truth, kind), expected)
    expect_identical(cluster_scores(truth == 1, labels), expected)
    expect_error(cluster_scores(truth, c(NA, labels[-1])), "1 of 6 are NA: leave these cells out", class = "pnmf_error")
    skip_if_not_installed("S4Vectors")
    expect_identical(cluster_scores(truth, S4Vectors::Rle(labels)), expected)
    skip_if_not_installed("igraph")
    graph <- igraph::make_full_graph(3) + igraph::make_full_graph(3)
    found <- igraph::membership(igraph::cluster_louvain(graph))
    expect_identical(cluster_scores(c(1, 1, 1, 2, 2, 2), found)[["ari"]], 1)
})
