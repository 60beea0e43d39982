# Four nonnegative factors and noise, cut off at 0.
planted_factors <- function(features = 60, cells = 50, rank = 4, noise = 0.3) {
    with_random_state(3, {
        W <- matrix(stats::rexp(features * rank) * (stats::runif(features * rank) < 0.4), features)
        H <- matrix(stats::rexp(rank * cells) * (stats::runif(rank * cells) < 0.6), rank)
        pmax(W %*% H + noise * matrix(stats::rnorm(features * cells), features), 0)
    })
}
quick <- function() pnmf_control(max_outer = 30, tol = 0, threads = 1, verbose = FALSE)

# Nonnegative least squares of one cell: the best of the feasible solutions on every subset of the factors.
projected <- function(W, x) {
    best <- list(h = rep(0, ncol(W)), error = sum(x^2))
    for (subset in seq_len(2^ncol(W) - 1)) {
        on <- which(bitwAnd(subset, 2^(seq_len(ncol(W)) - 1)) > 0)
        h <- replace(rep(0, ncol(W)), on, qr.coef(qr(W[, on, drop = FALSE]), x))
        error <- sum((x - W %*% h)^2)
        if (all(h >= 0) && error < best$error) best <- list(h = h, error = error)
    }
    best$h
}
permutations_of_five <- unique(t(apply(expand.grid(rep(list(1:5), 5)), 1, identity)))
permutations_of_five <- permutations_of_five[apply(permutations_of_five, 1, anyDuplicated) == 0, ]

test_that("the planted number of factors is found, by held-out data and by reconstruction", {
    x <- planted_factors()
    # Five of 60 features x 50 cells is more than a percent of what there is to explain.
    suggestion <- suggest_rank(x, ranks = c(2:6, 8), scales = 2, n_repeats = 2, control = quick(), price = 0.03)
    expect_s3_class(suggestion, "rank_suggestion")
    expect_identical(suggestion$rank, 4L)
    expect_identical(suggestion$elbow, 4L)
    alone <- suggest_rank(x, ranks = c(2:6, 8), scales = 2, n_repeats = 0, control = quick(), price = 0.03)
    expect_identical(alone$rank, 4L)
})

test_that("other ranks in the comparison change neither the evidence of a rank nor the suggestion", {
    x <- planted_factors()
    compared <- function(ranks) suggest_rank(x, ranks, scales = 2, n_repeats = 1, control = quick())
    all <- compared(2:10)
    for (ranks in list(c(all$rank, 10), c(2, all$rank), c(3, all$rank, 7, 9), union(2:4, all$rank))) {
        some <- compared(ranks)
        expect_identical(some$rank, all$rank)
        columns <- setdiff(names(all$evidence), "suggested")
        expect_equal(some$evidence[columns], all$evidence[match(some$evidence$rank, 2:10), columns], ignore_attr = TRUE)
    }
})

test_that("the evidence has its definitions", {
    x <- planted_factors()
    evidence <- suggest_rank(x, ranks = c(2, 5), scales = 2, n_repeats = 1, seed = 8, control = quick())$evidence
    fitted_to <- function(x, rank) {
        quietly(pnmf(x, rank, scales = part_scales(NULL, x, 2L, quick()), control = quick()))
    }
    path <- fitted_to(x, 5)
    expect_identical(n_scales(path), 2L)
    expect_gt(min(path@scales$betti0), 1L)
    whole <- mean(vapply(1:2, function(t) sum((x - fitted(path, t))^2), numeric(1))) / sum((x - rowMeans(x))^2)
    expect_equal(evidence$error[2], whole, tolerance = 1e-8)
    split <- random_splits(x, 1L, 0.2, 8L)[[1]]
    rest <- fitted_to(x[, -split$cells], 5)
    W <- loading(rest, 1)
    # With fewer factors than were planted the place of a cell is well determined.
    few <- loading(fitted_to(x[, -split$cells], 2), 1)
    errors <- vapply(list(split$half, setdiff(1:60, split$half)), function(known) {
        unseen <- setdiff(1:60, known)
        predicted <- vapply(split$cells, function(i) {
            few[unseen, ] %*% projected(few[known, ], x[known, i])
        }, numeric(30))
        sum((x[unseen, split$cells] - predicted)^2) /
            sum((x[unseen, split$cells] - rowMeans(x[unseen, -split$cells]))^2)
    }, numeric(1))
    expect_equal(evidence$holdout_error[1], mean(errors), tolerance = 1e-8)
    cosine <- crossprod(sweep(loading(path, 1), 2, sqrt(colSums(loading(path, 1)^2)), "/"),
                        sweep(W, 2, sqrt(colSums(W^2)), "/"))
    best <- max(apply(permutations_of_five, 1, function(p) mean(cosine[cbind(1:5, p)])))
    expect_equal(evidence$stability[2], best, tolerance = 1e-8)
})

test_that("a further factor must be worth its price", {
    tasks <- rank_tasks(1:3, 1L)
    fits <- lapply(tasks, function(task) {
        list(W = diag(3)[, seq_len(task$rank), drop = FALSE], error = 1 / task$rank,
             holdout = c(0.5, 0.7, 0.2)[task$rank] + c(-0.1, 0.1))
    })
    chosen <- function(price) which(rank_evidence(1:3, tasks, fits, price)$suggested)
    expect_identical(chosen(0.1), 3L)
    expect_identical(chosen(0.2), 1L)
    expect_equal(rank_evidence(1:3, tasks, fits, 0.1)$score, c(0.6, 0.9, 0.5))
    expect_equal(rank_evidence(1:3, tasks, fits, 0.1)$holdout_se, rep(stats::sd(c(0.1, -0.1)) / sqrt(2), 3))
})

test_that("factors in another order count as the same", {
    W <- with_random_state(1, matrix(stats::runif(30), 10))
    expect_equal(factor_stability(W, list(2 * W[, c(3, 1, 2)], W)), 1)
    expect_lt(factor_stability(W, list(W[10:1, ])), 1)
    expect_true(is.na(factor_stability(W, list())))
    expect_equal(factor_stability(cbind(W, 0), list(cbind(W, 0))), 0.75)
})

test_that("data and seed decide, the session's random numbers are left alone, sparse input gives the same", {
    x <- planted_factors(30, 20)
    x[x < stats::quantile(x, 0.5)] <- 0
    set.seed(1)
    before <- .Random.seed
    first <- suggest_rank(x, 2:3, scales = 2, n_repeats = 1, seed = 4, control = quick())
    expect_identical(.Random.seed, before)
    expect_identical(suggest_rank(x, 2:3, scales = 2, n_repeats = 1, seed = 4, control = quick()), first)
    sparse <- suggest_rank(Matrix::Matrix(x, sparse = TRUE), 2:3, scales = 2, n_repeats = 1, seed = 4,
                           control = quick())
    expect_equal(sparse$evidence, first$evidence, tolerance = 1e-6)
    skip_if_not_installed("BiocParallel")
    spread <- suggest_rank(x, 2:3, scales = 2, n_repeats = 1, seed = 4, control = quick(),
                           BPPARAM = BiocParallel::SerialParam())
    expect_identical(spread, first)
})

test_that("ranks default to about eight that fit the data, and further arguments reach pnmf()", {
    x <- planted_factors(30, 25)
    ranks <- assert_ranks(NULL, x, random_splits(x, 1L, 0.2, NULL))
    expect_identical(range(ranks), c(2L, 10L))
    expect_lte(length(ranks), 8L)
    tiny <- x[1:3, 1:6]
    expect_lte(max(assert_ranks(NULL, tiny, random_splits(tiny, 1L, 0.2, NULL))), 3L)
    loose <- suggest_rank(x, 2:3, scales = 2, n_repeats = 0, control = quick(), lambda_anchor = 0)
    tight <- suggest_rank(x, 2:3, scales = 2, n_repeats = 0, control = quick(), lambda_anchor = 50)
    expect_gt(min(tight$evidence$error), max(loose$evidence$error))
})

test_that("it prints in a few lines and draws the evidence with the suggestion marked", {
    x <- planted_factors()
    held_out <- suggest_rank(x, 3:4, scales = 2, n_repeats = 1, control = quick())
    printed <- capture.output(shown <- withVisible(print(held_out)))
    expect_false(shown$visible)
    expect_match(printed[1], "suggested rank: 4 \\(of 3 4\\)")
    expect_match(paste(printed, collapse = " "), "largest rank tried.*heuristic")
    drawing <- plot(held_out)
    expect_s3_class(drawing, "ggplot")
    expect_identical(nlevels(drawing$data$measure), 3L)
    elbow <- suggest_rank(x, 1:3, scales = 2, n_repeats = 0, control = quick())
    expect_identical(levels(plot(elbow)$data$measure), "reconstruction error")
    expect_match(capture.output(print(elbow))[2], "by the reconstruction error")
})

test_that("bad arguments are refused with the argument named", {
    x <- planted_factors(10, 8)
    expect_error(suggest_rank("x"), "'x' must be a numeric matrix", class = "pnmf_error")
    expect_error(suggest_rank(-x), "'x' must be nonnegative", class = "pnmf_error")
    expect_error(suggest_rank(x, ranks = 3), "'ranks' must be at least two different ranks", class = "pnmf_error")
    expect_error(suggest_rank(x, ranks = c(2, 7)), "'ranks' must be whole numbers between 1 and 6, not 7",
                 class = "pnmf_error")
    expect_error(suggest_rank(x, ranks = 0:2), "'ranks' must be whole numbers", class = "pnmf_error")
    expect_error(suggest_rank(x, 1:2, n_repeats = -1), "'n_repeats'", class = "pnmf_error")
    expect_error(suggest_rank(x, 1:2, holdout = 0), "'holdout'", class = "pnmf_error")
    expect_error(suggest_rank(x, 1:2, holdout = 0.9), "'holdout' must leave at least two of the 8 cells",
                 class = "pnmf_error")
    expect_error(suggest_rank(x, 1:2, scales = 0), "'scales'", class = "pnmf_error")
    expect_error(suggest_rank(x, 1:2, seed = "a"), "'seed'", class = "pnmf_error")
    expect_error(suggest_rank(x, 1:2, scales = 2, n_repeats = 0, lambda = 3),
                 "further arguments must be lambda_graph, .*, not 'lambda'", class = "pnmf_error")
    expect_error(suggest_rank(x, 1:2, 3, 0, 0.2, NULL, quick(), NULL, 7), "not one without a name",
                 class = "pnmf_error")
})

test_that("features left out that are all zero have no error to predict", {
    x <- rbind(c(1, 2, 3), c(2, 4, 6), 0, 0)
    W <- cbind(c(1, 2, 0, 0))
    expect_identical(half_error(W, x, 1:2), 0)
    expect_equal(half_error(W, x, c(1, 3)), 0, tolerance = 1e-12) # the second feature is twice the first
})

test_that("real data need less time than ten fits", {
    skip_unless_slow()
    held <- new.env()
    utils::data("pbmc_sorted", package = "pNMF", envir = held)
    x <- normalize_counts(held$pbmc_sorted$counts, method = "paper")
    control <- pnmf_control(threads = 1, verbose = FALSE)
    fit <- system.time(quietly(pnmf(x, rank = 10, scales = 20, control = control)))[["user.self"]]
    suggestion <- system.time(
        found <- suggest_rank(x, control = pnmf_control(max_outer = 50, threads = 1, verbose = FALSE))
    )[["user.self"]]
    # About 1.3 fits; other work on the machine may double either.
    expect_lt(suggestion, 10 * fit)
    expect_lt(found$rank, 20)
})

test_that("the scales of expression data are those of pnmf()", {
    cells <- simulate_cells(n_cells = 60, n_genes = 150, seed = 1)
    x <- normalize_counts(cells$counts)
    few <- pnmf_control(max_outer = 3, tol = 0, verbose = FALSE)
    expect_s3_class(suggest_rank(x, ranks = 2:3, n_repeats = 0, control = few), "rank_suggestion")
    scales <- part_scales(NULL, x, 2L, complete_control(few, "hals"))
    expect_equal(thresholds(suppressMessages(pnmf(x, rank = 2, scales = 3, control = few)))[1:2], scales$threshold)
})
