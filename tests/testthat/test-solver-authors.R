test_that("the published path of the simulation and its objectives come out", {
    circles <- shared_data("concentric_circles")
    path <- fit_circles(circles$X, "authors", threads = 1)
    published <- lapply(seq_len(dim(circles$H)[3]), function(t) circles$H[, , t])
    # Entries reach 112; the last threshold's convention alone moves them by 2.5e-8.
    expect_lt(largest_difference(path@H, published), 1e-6)
    objectives <- c(50264219.59, 50017074.59, 49646603.67, 49727608.00, 49555488.75, 49532599.05, 49446458.29,
                    49448174.11, 49392727.75, 49388445.03)
    expect_identical(nrow(objective(path)), 10L)
    expect_lt(max(abs(objective(path)$objective - objectives)), 0.01)
    expect_equal(last_objective(path), direct_objective(path, circles$X), tolerance = 1e-10)
})

test_that("the increments of the published path correlate as in the paper", {
    path <- fit_circles(shared_data("concentric_circles")$X, "authors", threads = 1)
    jumps <- function(matrices) mapply(function(a, b) sqrt(sum((a - b)^2)), matrices[-1], matrices[-length(matrices)])
    d_threshold <- diff(thresholds(path))
    d_laplacian <- jumps(path_laplacians(path))
    d_embedding <- jumps(path@H)
    expect_equal(stats::cor(d_threshold, d_laplacian), 0.9995, tolerance = 5e-5)
    expect_equal(stats::cor(d_laplacian, d_embedding), 0.5700, tolerance = 1e-4)
    expect_equal(stats::cor(d_threshold, d_embedding), 0.5571, tolerance = 1e-4)
    p_value <- function(a, b) stats::cor.test(a, b)$p.value
    # Given to three digits; a change of r by 1e-7 moves the first one by 3%.
    expect_equal(p_value(d_threshold, d_laplacian), 5.57e-118, tolerance = 1e-2)
    expect_equal(p_value(d_laplacian, d_embedding), 4.17e-8, tolerance = 5e-3)
    expect_equal(p_value(d_threshold, d_embedding), 9.71e-8, tolerance = 5e-3)
})

test_that("the C++ path equals the plain-R arithmetic, dense and sparse", {
    for (cells in c(8, 11, 15)) {
        x <- small_data(cells, cells = cells)
        reference <- ref_authors(x, 3, 2, 3, 1, max_outer = 3)
        for (data in list(x, as_sparse(x))) {
            path <- fit_small(data, 3, c(2, 3, 1), "authors", max_outer = 3)
            expect_lt(path_difference(path, reference), 1e-8) # hundreds of steps amplify rounding
            expect_equal(objective(path)$objective, reference$objective, tolerance = 1e-10)
        }
    }
})

test_that("cells of unit length with weights of 1 follow the same arithmetic", {
    x <- normalize_counts(10 * small_data(21, features = 40, cells = 12), method = "paper")
    expect_equal(unname(colSums(x^2)), rep(1, 12))
    reference <- ref_authors(x, 4, 1, 1, 1)
    path <- fit_small(x, 4, c(1, 1, 1), "authors")
    expect_lt(path_difference(path, reference), 1e-8)
    expect_equal(objective(path)$objective, reference$objective, tolerance = 1e-10)
    lengths <- vapply(path@W, function(W) sqrt(colSums(W^2)), numeric(4))
    expect_equal(lengths, matrix(1, 4, n_scales(path)), tolerance = 1e-12)
})

test_that("a start whose loss is within tol of 1e9 is left as it is, as in the released code", {
    x <- small_data(22, cells = 8)
    # Scales so that the coarsest fit starts from a loss of 1e9; distances and weights change with x.
    factor <- stats::uniroot(function(s) {
        y <- s * x
        chain_start <- ref_nndsvda(y, 2)
        L <- ref_laplacian(utils::tail(ref_adjacencies(y), 1)[[1]])
        ref_fit(y, chain_start$W, chain_start$H) + ref_roughness(chain_start$H, L) - 1e9
    }, c(1, 1e7), tol = 1e-8)$root
    reference <- ref_authors(factor * x, 2, 1, 1, 1, max_outer = 2)
    path <- fit_small(factor * x, 2, c(1, 1, 1), "authors", max_outer = 2)
    expect_lt(path_difference(path, reference), 1e-8)
})

test_that("max_inner and max_outer limit the steps and the sweeps", {
    x <- small_data(23, cells = 8)
    reference <- ref_authors(x, 2, 1, 1, 1, max_outer = 2, max_inner = 3)
    path <- fit_small(x, 2, c(1, 1, 1), "authors", max_outer = 2, max_inner = 3)
    expect_lt(path_difference(path, reference), 1e-10)
    expect_identical(nrow(objective(path)), 2L)
    expect_true(all(path@convergence$scales$steps <= 3))
    exact <- fit_small(x, 2, c(1, 1, 1), "authors", max_outer = 2, max_inner = 5, tol = 0)
    expect_true(all(exact@convergence$scales$steps == 5))
})

test_that("the defaults are the released code's", {
    path <- pnmf(small_data(24, cells = 9), rank = 2, solver = "authors")
    expect_identical(path@parameters$lambda_anchor, 1)
    control <- path@parameters$control
    expect_identical(c(control$max_outer, control$max_inner), c(10L, 1000L))
    expect_identical(control$tol, 1e-3)
})
