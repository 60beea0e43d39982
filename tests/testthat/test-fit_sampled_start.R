# Data of a few hundred cells are fitted as if they had many.
as_many <- function(frame = parent.frame()) {
    set_namespace_value("max_cells_without_sample", 300L, frame)
    set_namespace_value("sampled_cells", 150L, frame)
}

some_cells <- function(n_cells, n_genes = 200) {
    cells <- simulate_cells(n_cells = n_cells, n_genes = n_genes, n_activities = 1)
    normalize_counts(cells$counts)[, with_random_state(1, sample(n_cells))]
}

fit_sweeps <- function(x, sweeps, ...) {
    suppressMessages(suppressWarnings(pnmf(x, rank = 6, control = pnmf_control(tol = 0, max_outer = sweeps, ...))))
}

test_that("the start from a sample is nearly as good as that from all cells", {
    x <- some_cells(600)
    all_cells <- objective(fit_sweeps(x, 30))$objective
    as_many()
    sampled <- objective(fit_sweeps(x, 30))$objective
    expect_false(isTRUE(all.equal(sampled[1], all_cells[1], tolerance = 1e-9)))
    expect_lt(sampled[5], 1.03 * all_cells[30])
    expect_lt(sampled[30], 1.001 * all_cells[30])
})

test_that("embeddings of the start are smooth where the graph is", {
    x <- some_cells(400)
    as_many()
    path <- fit_sweeps(x, 1)
    scales <- path@scales
    parameters <- c(path@parameters, sharded = FALSE)
    start <- sampled_start(x, scales, parameters, list(begun = proc.time()[["elapsed"]]))
    expect_length(start$W, 12L)
    expect_identical(dim(start$near), c(400L, 5L))
    expect_true(all(vapply(start$H, is_finite_nonnegative, logical(1))))
    spread <- vapply(start$H, function(H) sum(apply(H, 1, stats::var)), numeric(1))
    expect_lt(spread[12], 0.7 * spread[1])
})

test_that("a sample whose graph cannot be smoothed as far is a start all the same", {
    points <- with_random_state(1, matrix(stats::rnorm(800), 2))
    scales <- persistence_scales(points, graph = "knn", thin = "effective", metric = "adaptive")
    parameters <- list(alpha = 2, control = pnmf_control(threads = 1))
    chosen <- seq(1, 400, by = 2)
    expect_equal(min(sampled_scales(scales, chosen, parameters)$effective_cells), 3, tolerance = 0.05)
    scales$effective_cells[12] <- 0.5
    near <- sampled_scales(scales, chosen, parameters)
    expect_lt(min(near$effective_cells), 1.1)
    expect_error(solved_lambda(near, 0.5, 2, effective_measure(near, 2, 1)), "cannot be reached", class = "pnmf_error")
})

test_that("a fit that begins with a sample depends neither on threads nor on the session's numbers, and can go on", {
    x <- some_cells(400)
    as_many()
    set.seed(3)
    before <- .Random.seed
    file <- tempfile(fileext = ".ckpt")
    on.exit(unlink(file))
    one <- fit_sweeps(x, 6, threads = 1)
    expect_identical(.Random.seed, before)
    expect_identical(fit_sweeps(x, 6, threads = 2)@H, one@H)
    control <- pnmf_control(tol = 0, max_outer = 6)
    for (stopped in c(1, 2, 5)) {
        fit_sweeps(x, stopped, checkpoint = file)
        continued <- suppressMessages(suppressWarnings(pnmf(x, rank = 6, control = control, resume = file)))
        expect_identical(continued@H, one@H)
        unlink(file)
    }
})

test_that("the first sweeps over all cells visit one scale after the other, those beyond the default number do not", {
    x <- some_cells(400)
    as_many()
    usual <- objective(fit_sweeps(x, 7))$objective
    set_namespace_value("sweeps_after_sample", 7L)
    plain <- objective(fit_sweeps(x, 7))$objective
    expect_identical(usual[1], plain[1])
    expect_false(usual[2] == plain[2])
    expect_lt(usual[7], plain[7])
})

test_that("the objective after the first sweep is that of its factors, and residuals are measured from the second on", {
    x <- some_cells(400)
    as_many()
    one <- fit_sweeps(x, 1)
    parameters <- one@parameters
    laplacians <- lapply(seq_len(n_scales(one)), function(t) {
        graph <- scale_graph(one@scales, t, alpha = parameters$alpha)
        diag(graph$degree) - as.matrix(graph$adjacency)
    })
    expect_equal(objective(one)$objective,
                 ref_objective(as.matrix(x), one@W, one@H, laplacians, parameters$lambda_graph,
                               parameters$lambda_smooth, parameters$lambda_anchor, one@scales$weight, one@scales$gap))
    expect_true(all(is.na(one@convergence$scales$residual)))
    expect_true(all(fit_sweeps(x, 2)@convergence$scales$residual > 0))
})

test_that("other scales, shards and small data begin with all cells", {
    x <- some_cells(400)
    as_many()
    path <- fit_sweeps(x, 1)
    parameters <- c(path@parameters, sharded = FALSE)
    expect_true(begins_with_sample(x, path@scales, parameters))
    expect_false(begins_with_sample(x[, 1:300], path@scales, parameters))
    expect_false(begins_with_sample(x, path@scales, utils::modifyList(parameters, list(sharded = TRUE))))
    canonical <- persistence_scales(t(stats::prcomp(t(as.matrix(x)), rank. = 5)$x), n_scales = 6, graph = "knn")
    expect_false(begins_with_sample(x, canonical, parameters))
})

test_that("more cells get fewer sweeps: one after a sample, otherwise enough to converge", {
    sweeps <- function(n_cells, sampled = FALSE, ...) with_sweeps(pnmf_control(...), sampled, n_cells)$max_outer
    expect_identical(vapply(c(10, 5000, 25000, 1e6), sweeps, integer(1)), c(1000L, 500L, 100L, 18L))
    expect_identical(sweeps(1e6, sampled = TRUE), 1L)
    expect_identical(sweeps(1e6, sampled = TRUE, max_outer = 7), 7L)
    expect_identical(complete_control(pnmf_control(), "mu")$max_outer, 100L)
})

test_that("a fit says that it started from a sample, without a warning", {
    x <- some_cells(400)
    as_many()
    expect_no_warning(said <- testthat::capture_messages(path <- pnmf(x, rank = 6)))
    expect_match(said, "started from a fit of 150 cells and made one sweep", fixed = TRUE, all = FALSE)
    expect_match(said, "use control = pnmf_control(max_outer = 500)", fixed = TRUE, all = FALSE)
    expect_identical(nrow(objective(path)), 1L)
    expect_false(any(converged(path)))
    expect_identical(path@parameters$sampled, 150L)
    expect_output(print(path), "after 1 sweep; started from a fit of 150 cells, by design not run", fixed = TRUE)
    expect_output(print(fit_sweeps(x, 2)), "after 2 sweeps; 0 of 12 scales converged", fixed = TRUE)
    given <- pnmf_control(max_outer = 12)
    expect_warning(suppressMessages(pnmf(x, rank = 6, control = given)), "not converged", class = "pnmf_warning")
})
