fit_sweeps <- function(x, sweeps, ...) {
    suppressMessages(pnmf(x, rank = 6, scales = 12, control = pnmf_control(tol = 0, max_outer = sweeps, ...)))
}

without_projection <- function(env = parent.frame()) set_namespace_value("directions_per_factor", 1e6L, env)

test_that("the start from the projected data saves most of the sweeps", {
    x <- normalize_counts(simulate_cells(n_cells = 150, n_genes = 400, seed = 2)$counts, method = "paper")
    projected <- objective(fit_sweeps(x, 60))$objective
    # What the fit without a projection reaches in 60 sweeps.
    local({
        without_projection()
        chained <<- objective(fit_sweeps(x, 60))$objective
    })
    goal <- chained[60] * (1 + 1e-5)
    expect_lte(projected[60], chained[60] * (1 + 1e-6))
    expect_lte(5 * which(projected <= goal)[1], which(chained <= goal)[1])
})

test_that("the projection on all directions is the data themselves", {
    x <- as.matrix(normalize_counts(simulate_cells(n_cells = 40, n_genes = 60, seed = 1)$counts, method = "paper"))
    scales <- persistence_scales(x, n_scales = 4)
    parameters <- list(rank = 3, lambda_graph = 1, lambda_smooth = 1, lambda_anchor = 0.1, alpha = 2, solver = "hals",
                       control = complete_control(pnmf_control(), "hals"), sharded = FALSE)
    start <- shared_start(nndsvda(x, 3))
    svd <- svd(x)
    whole <- list(U = svd$u, UtX = t(svd$v) * svd$d)
    scales <- with_edges(scales)
    projected <- fit_projection(whole, x, scales, start, parameters)
    parameters$control[c("tol", "max_outer")] <- list(0.3, 100L)
    direct <- suppressWarnings(fit_path(x, scales, start, parameters))
    expect_false(projected$chain)
    expect_equal(projected$H, direct$H, tolerance = 1e-8)
    expect_equal(projected$W, direct$W, tolerance = 1e-8)
})

test_that("the start depends neither on 'max_outer' nor on 'time_limit'", {
    x <- normalize_counts(simulate_cells(n_cells = 60, n_genes = 100, seed = 1)$counts, method = "paper")
    starts <- list()
    set_namespace_value("fit_path_cpp", (function(real) function(x, ...) {
        fit <- real(x, ...)
        if (is.list(x)) starts[[length(starts) + 1]] <<- fit[c("W", "H", "objective")]
        fit
    })(fit_path_cpp))
    suppressWarnings({
        fit_sweeps(x, 1)
        fit_sweeps(x, 3)
        fit_sweeps(x, 3, time_limit = 1e-9)
    })
    expect_gt(length(starts[[1]]$objective), 3)
    expect_identical(starts[[2]], starts[[1]])
    expect_identical(starts[[3]], starts[[1]])
})

test_that("data with few rows or columns, and large bases, start without a projection", {
    parameters <- list(rank = 5)
    expect_true(is_projectable(matrix(0, 30, 40), 10, parameters))
    expect_false(is_projectable(matrix(0, 29, 40), 10, parameters))
    expect_false(is_projectable(matrix(0, 40, 29), 10, parameters))
    expect_true(is_projectable(matrix(0, 1000, 30), 6710, parameters))
    expect_false(is_projectable(matrix(0, 1000, 30), 6720, parameters))
})

test_that("the start of cells of unit length is that of nndsvda()", {
    x <- normalize_counts(simulate_cells(n_cells = 30, n_genes = 50, seed = 1)$counts, method = "paper")
    expect_equal(typical_length(x), 1, tolerance = 1e-12)
    expect_equal(typical_length(7 * x), 7, tolerance = 1e-12)
})
