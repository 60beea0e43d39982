test_that("the path has the data's names, the rank and one pair of factors per scale", {
    x <- small_data(1, features = 20, cells = 10)
    dimnames(x) <- list(paste0("g", 1:20), paste0("c", 1:10))
    path <- pnmf(x, rank = 3, control = pnmf_control(max_outer = 3, tol = 0))
    expect_s4_class(path, "pNMFPath")
    expect_identical(dim(path), c(20L, 10L, 10L))
    expect_identical(dimnames(embedding(path, 2)), list(colnames(x), paste0("factor", 1:3)))
    expect_identical(dimnames(loading(path, 2)), list(rownames(x), paste0("factor", 1:3)))
    expect_equal(thresholds(path), ref_thresholds(x))
    unnamed <- pnmf(unname(x), rank = 3, control = pnmf_control(max_outer = 3, tol = 0))
    expect_identical(unnamed@H, path@H)
    expect_identical(rownames(embedding(unnamed))[1:2], c("cell1", "cell2"))
})

test_that("the rank of the paper's setting is the root of the number of cells, rounded up", {
    rank_of <- function(features, cells) {
        control <- pnmf_control(max_outer = 1, tol = 0)
        n_factors(pnmf(small_data(2, features, cells), scales = "paper", control = control))
    }
    expect_identical(rank_of(20, 9), 3L)
    expect_identical(rank_of(20, 10), 4L)
    expect_identical(rank_of(3, 30), 3L) # no more than there are features
    expect_identical(rank_of(20, 2), 2L)
})

test_that("every class of data gives the same path, and sparse data stays sparse", {
    x <- round(10 * small_data(3))
    control <- function(...) pnmf_control(max_outer = 8, tol = 0, ...)
    fit <- function(data, ...) suppressWarnings(pnmf(data, rank = 3, control = control(...)), "pnmf_raw_counts")
    dense <- fit(x)
    integers <- x
    storage.mode(integers) <- "integer"
    expect_identical(fit(integers)@H, dense@H)
    expect_identical(fit(as.data.frame(x))@H, dense@H)
    for (class in c("CsparseMatrix", "TsparseMatrix", "RsparseMatrix")) {
        given <- methods::as(as_sparse(x), class)
        expect_s4_class(as_data_matrix(given), "dgCMatrix")
        sparse <- fit(given)
        expect_lt(largest_difference(sparse@H, dense@H), 1e-10 * max(unlist(dense@H)))
    }
    logical <- fit(x > 5)
    expect_identical(logical@H, fit(1 * (x > 5))@H)
})

test_that("mostly empty data gives the same path however it is stored, zeros that are stored included", {
    set.seed(11)
    x <- matrix(stats::rpois(40 * 400, 0.06), 40) / 8
    fit <- function(data) pnmf(data, rank = 3, scales = 4, control = pnmf_control(max_outer = 5, tol = 0))@H
    dense <- fit(x)
    stored_zeros <- as_sparse(x + 1)
    stored_zeros@x <- stored_zeros@x - 1
    expect_lt(largest_difference(fit(as_sparse(x)), dense), 1e-10 * max(unlist(dense)))
    expect_lt(largest_difference(fit(stored_zeros), dense), 1e-10 * max(unlist(dense)))
})

test_that("a DelayedMatrix gives the path of the matrix it stands for", {
    skip_if_not_installed("DelayedArray")
    x <- small_data(4)
    fit <- function(data) pnmf(data, rank = 2, control = pnmf_control(max_outer = 3, tol = 0))
    expect_identical(fit(DelayedArray::DelayedArray(x))@H, fit(x)@H)
    sparse <- as_sparse(x)
    expect_identical(fit(DelayedArray::DelayedArray(sparse))@H, fit(sparse)@H)
})

test_that("the data comes first, and settings belong to the control", {
    x <- small_data(5)
    path <- x |> pnmf(2, 3, control = pnmf_control(max_outer = 2, tol = 0))
    expect_identical(c(n_factors(path), n_scales(path)), c(2L, 3L))
    expect_error(pnmf(x, rank = 2, max_outer = 5), "unknown argument 'max_outer'.*pnmf_control", class = "pnmf_error")
    expect_error(pnmf(x, 2, NULL, 1, 1, 1, 1.5, "hals", pnmf_control(), NULL, NULL, 3), "unknown argument",
                 class = "pnmf_error")
})

test_that("scales are a number, an object, or made of other coordinates of the same cells", {
    x <- small_data(6)
    colnames(x) <- paste0("c", 1:10)
    fit <- function(scales) pnmf(x, rank = 2, scales = scales, control = pnmf_control(max_outer = 3, tol = 0))
    expect_identical(thresholds(fit(4)), persistence_scales(x, n_scales = 4)$threshold)
    expect_identical(fit(persistence_scales(x))@H, fit(NULL)@H)
    coordinates <- t(stats::prcomp(t(x))$x[, 1:2])
    other <- persistence_scales(coordinates)
    expect_identical(thresholds(fit(other)), other$threshold)
    expect_equal(thresholds(fit(persistence_scales(stats::dist(t(coordinates))))), other$threshold, tolerance = 1e-12)
    expect_identical(thresholds(fit(persistence_scales(x, graph = "knn", n_neighbors = 3))),
                     persistence_scales(x)$threshold)
    unnamed <- persistence_scales(unname(x))
    expect_identical(fit(unnamed)@H, fit(NULL)@H)
})

test_that("many cells use neighbours and fewer scales, and say so", {
    x <- with_random_state(1, matrix(stats::rexp(3 * 2001), 3))
    control <- pnmf_control(max_outer = 1, max_inner = 1, tol = 0)
    expect_message(path <- pnmf(x, rank = 1, control = control),
                   "12 scales from 2001 to 3.0 effective cells; rank 1; distances on all features",
                   class = "pnmf_message")
    expect_identical(n_scales(path), 12L)
    expect_identical(path@scales$graph, "knn")
    copies <- matrix(c(0.5, 1, 1.5), 3, 2001)
    path <- suppressMessages(pnmf(copies, rank = 1, control = control))
    expect_lte(n_scales(path), 3L)
})

test_that("the record of sweeps is consistent", {
    path <- pnmf(small_data(7), rank = 2, control = pnmf_control(max_outer = 6, tol = 0))
    record <- objective(path)
    expect_identical(names(record), c("outer", "objective", "relative_decrease"))
    expect_identical(record$outer, 1:6)
    expect_equal(record$relative_decrease[-1], -diff(record$objective) / record$objective[-6])
    expect_true(is.na(record$relative_decrease[1]))
})

test_that("a fit that converged, or that has no tolerance to reach, gives no warning", {
    x <- small_data(7)
    expect_no_warning(path <- fit_small(x, 2, c(1, 1, 1), max_outer = 1000, tol = 1e-2))
    expect_true(all(converged(path)))
    expect_no_warning(path <- fit_small(x, 2, c(1, 1, 1), max_outer = 2, tol = 0))
    expect_false(all(converged(path)))
})

test_that("data without variance gives a correct path", {
    constant <- matrix(2.5, 6, 5)
    equal_cells <- matrix(c(1, 2, 0, 4.5), 4, 6)
    for (x in list(constant, equal_cells)) {
        for (solver in c("hals", "mu", "authors")) {
            fit <- function(rank) {
                pnmf(x, rank = rank, solver = solver, lambda_anchor = 0,
                     control = pnmf_control(max_outer = 30, tol = 0, max_inner = 20))
            }
            # The data has rank one: everything is explained, up to the pace of the multiplicative steps.
            two <- fit(2)
            expect_lt(max(deviance(two, x)) / sum(x^2), 1e-3)
            one <- embedding(fit(1), 1)
            expect_lt(diff(range(one)), 1e-8 * max(one))
        }
    }
})

test_that("empty cells and features, duplicates and two cells are fitted", {
    x <- small_data(8)
    x[, 3] <- 0
    x[5, ] <- 0
    x[, 7] <- x[, 6]
    for (data in list(x, as_sparse(x), x[, 1:2])) {
        for (solver in c("hals", "mu", "authors")) {
            path <- pnmf(data, rank = 2, solver = solver, control = pnmf_control(max_outer = 5, tol = 0, max_inner = 5))
            expect_true(all(is.finite(objective(path)$objective)))
            if (solver != "mu") {
                expect_equal(last_objective(path), direct_objective(path, as.matrix(data)), tolerance = 1e-8)
            }
        }
    }
    path <- pnmf(x, rank = 3, lambda_smooth = 0, lambda_graph = 0, control = pnmf_control(max_outer = 50, tol = 0))
    expect_lt(max(embedding(path, 1)[3, ]), 1e-12)
    expect_equal(embedding(path, 1)[7, ], embedding(path, 1)[6, ], tolerance = 1e-3)
})

test_that("factors that die stay finite and the objective stays what it says", {
    x <- small_data(9, features = 12, cells = 9, groups = 1)
    for (solver in c("hals", "mu", "authors")) {
        path <- pnmf(x, rank = 9, solver = solver, lambda_graph = 1e4, lambda_smooth = 10, lambda_anchor = 50,
                     control = pnmf_control(max_outer = 40, max_inner = 20, tol = 0))
        expect_true(all(is.finite(objective(path)$objective)))
        if (solver != "mu") expect_equal(last_objective(path), direct_objective(path, x), tolerance = 1e-8)
    }
    dead <- random_start(9, x, 3)
    dead$W[, 2] <- 0
    dead$H[3, ] <- 0
    for (solver in c("hals", "mu", "authors")) {
        path <- fit_small(x, 3, c(1, 1, 1), solver, max_outer = 5, max_inner = 5, tol = 0, start = dead)
        expect_true(all(is.finite(objective(path)$objective)))
    }
    strong <- fit_small(x, 2, c(0, 0, 1e6), max_outer = 20, tol = 0)
    expect_lt(max(unlist(strong@H)), 1e-4)
    expect_equal(last_objective(strong), n_scales(strong) * sum(x^2), tolerance = 1e-3)
})

test_that("data of very large or small units is fitted, beyond that refused", {
    x <- small_data(10)
    fit <- function(unit) pnmf(unit * x, rank = 2, lambda_graph = 0, control = pnmf_control(max_outer = 10, tol = 0))
    reference <- fit(1)
    for (unit in c(1e-60, 1e-6, 1e6, 1e60)) {
        path <- fit(unit)
        # The start replaces entries below 1e-8 whatever the unit, so the paths are not the same.
        expect_equal(last_objective(path) / unit^2, last_objective(reference), tolerance = 1e-3)
    }
    expect_error(fit(1e160), "'x' must have", class = "pnmf_error")
    expect_error(fit(1e-160), "'x' must have", class = "pnmf_error")
})

test_that("penalties that would overflow are refused, large ones do what they say", {
    x <- small_data(11)
    for (name in c("lambda_graph", "lambda_smooth", "lambda_anchor")) {
        arguments <- stats::setNames(list(x, 2, 1e300), c("x", "rank", name))
        expect_error(do.call(pnmf, arguments), paste0("'", name, "' must be at most .* overflow"), class = "pnmf_error")
    }
    expect_error(pnmf(1e100 * x, rank = 2, lambda_graph = 1e100), "'lambda_graph' must be at most",
                 class = "pnmf_error")
    strong <- fit_small(x, 2, c(1e100, 0, 0), max_outer = 5, tol = 0)
    expect_lt(diff(range(embedding(strong, n_scales(strong))[, 1])), 1e-10)
    smooth <- fit_small(x, 2, c(0, 1e100, 0), max_outer = 5, tol = 0)
    expect_lt(max(embedding_jumps(smooth)), 1e-10)
    expect_gt(max(unlist(smooth@H)), 1)
})

test_that("a result that is not finite is an error that names the remedy", {
    good <- list(objective = 1, H = list(matrix(1)))
    expect_silent(assert_finite_fit(good))
    for (fit in list(list(objective = NaN, H = good$H), list(objective = Inf, H = good$H),
                     list(objective = 1, H = list(matrix(NaN))))) {
        expect_error(assert_finite_fit(fit), "overflowed.*'lambda_anchor'", class = "pnmf_error")
    }
})

test_that("unsuitable arguments are refused with their name, what is expected and what came", {
    x <- small_data(12)
    refused <- function(pattern, ...) expect_error(pnmf(...), pattern, class = "pnmf_error")
    refused("'rank' must be a whole number between 1 and 10, not 0$", x, rank = 0)
    refused("'rank' must be .*, not 1.5", x, rank = 1.5)
    refused("'rank' must be .* between 1 and 10, not 11", x, rank = 11)
    refused("'rank' must be .* between 1 and 3, not 4", x[1:3, ], rank = 4)
    for (rank in list(NA, -1, Inf, "2", 1:2, numeric())) refused("'rank' must be", x, rank = rank)
    for (name in c("lambda_graph", "lambda_smooth", "lambda_anchor")) {
        for (value in list(-1, NA_real_, Inf, NaN, "1", c(1, 2), TRUE)) {
            arguments <- stats::setNames(list(x, 2, value), c("x", "rank", name))
            expect_error(do.call(pnmf, arguments), paste0("'", name, "' must be"), class = "pnmf_error")
        }
    }
    refused("'lambda_graph' must be a finite number of at least 0, not -1", x, lambda_graph = -1)
    for (alpha in list(0, -1, NA, Inf, "a")) refused("'alpha' must be", x, alpha = alpha)
    for (solver in list("MU", NA, 1, c("mu", "hals"), character())) {
        refused("'solver' must be one of", x, solver = solver)
    }
})

test_that("unsuitable data is refused with the reason", {
    x <- small_data(13)
    refused <- function(pattern, data) expect_error(pnmf(data, rank = 2), pattern, class = "pnmf_error")
    refused("'x' must be nonnegative, but its smallest entry is", x - 1)
    refused("'x' must be finite, but 1 entry is NA", replace(x, 3, NA))
    refused("'x' must be finite, but 1 entry is infinite", replace(x, 3, Inf))
    refused("'x' must be nonnegative", as_sparse(replace(x, 3, -1)))
    refused("'x' must be finite", as_sparse(replace(x, 3, NaN)))
    refused("'x' must have a positive entry", 0 * x)
    refused("'x' must have a positive entry", as_sparse(0 * x))
    refused("'x' must have at least two cells", x[, 1, drop = FALSE])
    refused("'x' must have at least one row", x[0, ])
    refused("'x' must have at least one row", x[, 0])
    refused("'x' must be a numeric matrix", "x")
    refused("'x' must be a numeric matrix", 1:10)
    refused("'x' must be a numeric matrix", NULL)
    refused("'x' must be a numeric matrix", list(x))
    refused("'x' must be numeric", data.frame(a = "1", b = 2))
})

test_that("scales of other cells are refused", {
    x <- small_data(14)
    colnames(x) <- paste0("c", 1:10)
    refused <- function(pattern, scales) expect_error(pnmf(x, 2, scales), pattern, class = "pnmf_error")
    refused("'scales' must be for the same cells as 'x': it has 9, 'x' has 10", persistence_scales(x[, -1]))
    refused("in the same order: cell 1 is 'c2' there and 'c1' in 'x'", persistence_scales(x[, c(2, 1, 3:10)]))
    expect_message(path <- pnmf(x, 2, 11), "there are 10 distinct thresholds, fewer than the 11 scales asked for",
                   class = "pnmf_message")
    expect_identical(n_scales(path), 10L)
    for (scales in list(0, 1.5, NA_real_, Inf, c(2, 3))) refused("'scales' must be a whole number", scales)
    for (scales in list("all", TRUE, list(threshold = 1))) refused("'scales' must be a persistence_scales", scales)
    broken <- persistence_scales(x)
    broken$threshold <- rev(broken$threshold)
    refused("'scales' must have finite, strictly ascending thresholds", broken)
    broken$threshold[1] <- NA
    refused("'scales' must have finite", broken)
    broken$threshold <- numeric()
    refused("'scales' must have finite", broken)
})

# Mean of the four scores of k-means at the finest scale. As in the prototype, the rank is the square root of the cells,
# all penalties but the anchor are 1, and the embeddings are clustered as they are, not at unit length.
finest_score <- function(name) {
    data <- shared_data(name)
    rank <- ceiling(sqrt(ncol(data$X)))
    path <- pnmf(data$X, rank, scales = 20, lambda_graph = 1, thin = "betti",
                 control = pnmf_control(max_outer = 2, tol = 0, verbose = FALSE))
    score_path(path[1], data$y, normalize = FALSE)$average
}

test_that("the finest scale recovers the published classes", {
    skip_unless_slow()
    # The figures of a prototype minus 0.03. The fit starts at the finest scale, whose clusters stay after two sweeps.
    expect_gte(finest_score("yan"), 0.77)
    expect_gte(finest_score("biase"), 0.92)
    # Since the fit starts from every third scale, DC1 ends in another optimum, with .915 instead of .95.
    expect_gte(finest_score("DC1"), 0.91)
    expect_gte(finest_score("ginhoux"), 0.43)
})

test_that("the default rank is the square root of the cells, but at most 30, and never more than the data have", {
    expect_identical(assert_rank(NULL, matrix(0, 500, 900)), 30L)
    expect_identical(assert_rank(NULL, matrix(0, 500, 10000)), 30L)
    expect_identical(assert_rank(NULL, matrix(0, 500, 80)), 9L)
    expect_identical(assert_rank(NULL, matrix(0, 4, 80)), 4L)
    expect_identical(assert_rank(62, matrix(0, 500, 3774)), 62L)
})
