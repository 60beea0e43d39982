analysis_data <- function() {
    x <- simulate_circles(n_per_circle = 6, n_noise = 5, seed = 1)
    list(x = x, truth = attr(x, "circle"))
}

short_fit <- pnmf_control(max_outer = 4, tol = 0, threads = 1, verbose = FALSE)

test_that("three values give the 27 combinations, each once, with the mean of four scores", {
    d <- analysis_data()
    found <- parameter_analysis(d$x, d$truth, rank = 2, scales = 3, n_start = 3, control = short_fit)
    expect_named(found, c("lambda_graph", "lambda_smooth", "lambda_anchor", "ari", "nmi", "purity", "accuracy",
                          "average"))
    expect_identical(nrow(found), 27L)
    expect_identical(anyDuplicated(found[1:3]), 0L)
    expect_true(all(vapply(found[1:3], setequal, logical(1), c(0.1, 1, 10))))
    expect_equal(found$average, rowMeans(found[c("ari", "nmi", "purity", "accuracy")]))
})

test_that("a row is what pnmf(), cluster_embedding() and cluster_scores() give for its penalties", {
    d <- analysis_data()
    penalties <- list(lambda_graph = c(0, 50), lambda_smooth = 3, lambda_anchor = 0.2)
    found <- parameter_analysis(d$x, d$truth, penalties, t = 4, rank = 2, scales = 4, n_start = 5, control = short_fit)
    expect_identical(found$lambda_graph, c(0, 50))
    path <- pnmf(d$x, rank = 2, scales = 4, lambda_graph = 50, lambda_smooth = 3, lambda_anchor = 0.2,
                 control = short_fit)
    by_hand <- function(t) cluster_scores(d$truth, cluster_embedding(embedding(path, t), k = 4, n_start = 5))
    expect_equal(unlist(found[2, names(by_hand(4))]), by_hand(4))
    expect_false(isTRUE(all.equal(by_hand(1), by_hand(4))))
})

test_that("workers change nothing", {
    skip_if_not_installed("BiocParallel")
    d <- analysis_data()
    run <- function(backend) {
        parameter_analysis(d$x, d$truth, c(0.1, 10), rank = 2, scales = 3, n_start = 3, control = short_fit,
                           BPPARAM = backend)
    }
    expect_identical(run(BiocParallel::SerialParam()), run(NULL))
    skip_on_os("windows")
    expect_identical(run(BiocParallel::MulticoreParam(2)), run(NULL))
})

test_that("the session's random numbers are left alone", {
    d <- analysis_data()
    set.seed(1)
    before <- .Random.seed
    parameter_analysis(d$x, d$truth, 1, rank = 2, scales = 3, n_start = 3, control = short_fit)
    expect_identical(.Random.seed, before)
})

test_that("bad input is refused", {
    d <- analysis_data()
    run <- function(...) parameter_analysis(d$x, ..., rank = 2, scales = 3, control = short_fit)
    expect_error(run(d$truth[-1]), "'truth' must have one label per cell \\(24\\), not 23", class = "pnmf_error")
    expect_error(run(rep(1, 24)), "at least two classes", class = "pnmf_error")
    expect_error(run(d$truth, c(1, -1)), "'lambdas' must be finite numbers of at least 0", class = "pnmf_error")
    expect_error(run(d$truth, list(lambda_graph = 1)), "'lambdas' must be numbers, or a list", class = "pnmf_error")
    expect_error(run(d$truth, t = 9), "'t' must be a whole number between 1 and 3", class = "pnmf_error")
    expect_error(run(d$truth, k = 25), "'k' must be a whole number between 1 and 24", class = "pnmf_error")
    expect_error(run(d$truth, lambda_graph = 1), "not 'lambda_graph'", class = "pnmf_error")
    expect_error(run(d$truth, BPPARAM = 2), "'BPPARAM' must be", class = "pnmf_error")
    expect_error(run(d$truth, n_start = 0), "'n_start' must be", class = "pnmf_error")
})

test_that("the default scales of expression data are found", {
    cells <- simulate_cells(n_cells = 60, n_genes = 150, seed = 1)
    few <- pnmf_control(max_outer = 2, tol = 0, verbose = FALSE)
    results <- parameter_analysis(normalize_counts(cells$counts), cells$type, lambdas = 1, rank = 2, n_start = 2,
                                  control = few)
    expect_equal(nrow(results), 1L)
})
