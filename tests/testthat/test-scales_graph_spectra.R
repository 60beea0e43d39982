few_scales <- function(...) persistence_scales(simulate_circles(n_per_circle = 6, n_noise = 4, seed = 1), ...)

test_that("eigenvalues are those of the dense Laplacians, smallest first", {
    scales <- few_scales()
    n <- scales$n_cells
    found <- laplacian_spectrum(scales, k = n)
    expect_identical(names(found), c("t", "index", "eigenvalue"))
    wanted <- lapply(seq_len(n), function(t) {
        rev(eigen(as.matrix(laplacian(scale_graph(scales, t))), symmetric = TRUE, only.values = TRUE)$values)
    })
    expect_equal(found$eigenvalue, unlist(wanted), tolerance = 1e-10)
    expect_identical(found$t, rep(seq_len(n), each = n))
    expect_identical(found$index, rep(seq_len(n), n))
})

test_that("there is one zero per component, and no eigenvalue falls", {
    scales <- few_scales()
    values <- matrix(laplacian_spectrum(scales, k = scales$n_cells)$eigenvalue, scales$n_cells)
    expect_equal(colSums(values == 0), scales$betti0)
    expect_gte(min(values[, -1] - values[, -ncol(values)]), -1e-12)
})

test_that("k and t choose a part of the ten smallest of all scales, and a path brings its own alpha", {
    scales <- few_scales()
    all <- laplacian_spectrum(scales)
    expect_identical(max(all$index), 10L)
    for (t in c(20, 24)) {
        expect_equal(laplacian_spectrum(scales, t, k = 4), all$eigenvalue[all$t == t & all$index <= 4],
                     tolerance = 1e-10)
    }
    path <- pnmf(simulate_circles(n_per_circle = 6, n_noise = 4, seed = 1), rank = 2, alpha = 2, scales = 5,
                 control = pnmf_control(max_outer = 1, tol = 0))
    expect_equal(laplacian_spectrum(path, k = 3), laplacian_spectrum(path@scales, k = 3, alpha = 2))
})

test_that("large components go through the sparse solver with the same result", {
    x <- with_random_state(1, matrix(stats::rexp(5 * 520), 5))
    scales <- persistence_scales(x, graph = "knn", n_neighbors = 4)
    t <- length(scales$threshold)
    wanted <- rev(eigen(as.matrix(laplacian(scale_graph(scales, t))), symmetric = TRUE, only.values = TRUE)$values)[1:6]
    expect_equal(laplacian_spectrum(scales, t, 6), wanted, tolerance = 1e-8)
})

test_that("bad input is refused", {
    refused <- function(expr, message) expect_error(expr, message, class = "pnmf_error")
    scales <- few_scales()
    refused(laplacian_spectrum(scales, k = 25), "'k' must be a whole number between 1 and 24")
    refused(laplacian_spectrum(scales, t = 25), "'t' must be a whole number between 1 and 24")
    refused(laplacian_spectrum(list()), "'scales' must be a persistence_scales object")
    scales["edges"] <- list(NULL)
    refused(laplacian_spectrum(scales), "'scales' must have the graphs of its scales")
})
