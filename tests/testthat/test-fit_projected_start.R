fit_sweeps <- function(x, sweeps, ...) {
    suppressMessages(pnmf(x, rank = 6, scales = 12, control = pnmf_control(tol = 0, max_outer = sweeps, ...)))
}

some_cells <- function(n_cells, n_genes, seed = 1) {
    normalize_counts(simulate_cells(n_cells = n_cells, n_genes = n_genes, seed = seed)$counts, method = "paper")
}

test_that("the start from fewer scales saves most of the sweeps", {
    x <- some_cells(150, 400, seed = 2)
    default <- objective(fit_sweeps(x, 60))$objective
    # One scale for all is as good a start as the chain.
    one <- suppressMessages(suppressWarnings(pnmf(x, rank = 6, scales = 1)))
    copied <- list(W = rep(list(loading(one, 1)), 12), H = rep(list(t(embedding(one, 1))), 12))
    other <- objective(fit_sweeps(x, 60, start = lapply(copied, lapply, unname)))$objective
    goal <- other[60] * (1 + 1e-5)
    expect_lte(default[60], other[60] * (1 + 1e-6))
    expect_lte(2 * which(default <= goal)[1], which(other <= goal)[1])
})

test_that("the start does not depend on 'max_outer', and a fit goes on from it", {
    x <- some_cells(60, 100)
    file <- tempfile(fileext = ".ckpt")
    on.exit(unlink(file))
    whole <- suppressWarnings(fit_sweeps(x, 3))
    suppressWarnings(fit_sweeps(x, 1, checkpoint = file))
    control <- pnmf_control(tol = 0, max_outer = 3)
    resumed <- suppressMessages(suppressWarnings(pnmf(x, rank = 6, scales = 12, control = control, resume = file)))
    expect_identical(resumed@H, whole@H)
})

test_that("a checkpoint begins before the start: a fit that is stopped within it starts anew", {
    x <- some_cells(60, 100)
    file <- tempfile(fileext = ".ckpt")
    on.exit(unlink(file))
    expect_warning(path <- fit_sweeps(x, 3, time_limit = 1e-9, checkpoint = file), "time_limit")
    expect_identical(nrow(objective(path)), 1L)
    expect_false(read_checkpoint_cpp(file)$started)
    control <- pnmf_control(tol = 0, max_outer = 3)
    again <- suppressMessages(suppressWarnings(pnmf(x, rank = 6, scales = 12, control = control, resume = file)))
    expect_identical(again@H, suppressWarnings(fit_sweeps(x, 3))@H)
})

test_that("the start of cells of unit length is that of nndsvda()", {
    x <- some_cells(30, 50)
    expect_equal(typical_length(x), 1, tolerance = 1e-12)
    expect_equal(typical_length(7 * x), 7, tolerance = 1e-12)
})
