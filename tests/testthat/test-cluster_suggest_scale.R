simulated_path <- function(...) {
    cells <- simulate_cells(seed = 1)
    suppressMessages(pnmf(normalize_counts(cells$counts, method = "paper"), rank = 6, scales = 12, ...))
}

test_that("the suggested scale has the recommended clusters, and the evidence shows them", {
    path <- simulated_path()
    found <- persistent_clusters(path)
    suggestion <- suggest_scale(path)
    expect_s3_class(suggestion, "scale_suggestion")
    expect_identical(suggestion$t, found$flat_scale)
    expect_identical(suggestion$k, found$flat_k)
    expect_identical(cluster_scores(found$clusters[[suggestion$t]], found$flat)[["ari"]], 1)
    evidence <- suggestion$evidence
    expect_identical(evidence$clusters, found$k)
    expect_identical(evidence$threshold, thresholds(path))
    expect_identical(which(evidence$suggested), suggestion$t)
    expect_identical(evidence$modularity, found$modularity)
    at_six <- suggest_scale(path, k = 6)
    expect_identical(evidence$clusters[at_six$t], 6L)
    # Between the numbers of two scales, the nearer one counts.
    expect_identical(scale_of_level(list(k = c(9L, 6L, 6L, 6L, 2L)), 5), 3L)
    expect_identical(scale_of_level(list(k = c(9L, 6L, 2L)), 2), 3L)
})

test_that("nothing but the path decides", {
    path <- simulated_path()
    start_stream(5)
    before <- .Random.seed
    first <- suggest_scale(path)
    expect_identical(.Random.seed, before)
    expect_identical(suggest_scale(path), first)
    expect_error(suggest_scale(path, n_start = 2), "unknown argument 'n_start'", class = "pnmf_error")
})

test_that("no scale stands out where there is no structure", {
    cloud <- with_random_state(1, matrix(stats::rnorm(5 * 150), 5))
    path <- pnmf(cloud - min(cloud), rank = 2, scales = 6, control = pnmf_control(max_outer = 2, tol = 0))
    suggestion <- suggest_scale(path)
    expect_identical(suggestion$t, NA_integer_)
    expect_output(print(suggestion), "no scale stands out")
    expect_s3_class(plot(suggestion), "ggplot")
    expect_false(any(suggestion$evidence$suggested))
})

test_that("it prints in a few lines and draws the evidence with the suggestion marked", {
    suggestion <- suggest_scale(simulated_path())
    printed <- capture.output(shown <- withVisible(print(suggestion)))
    expect_false(shown$visible)
    expect_match(printed[1], sprintf("suggested scale: %d of 12 .* effective cells", suggestion$t))
    expect_identical(suggestion$evidence$effective_cells, effective_cells(simulated_path()))
    expect_match(paste(printed, collapse = " "), "heuristic")
    drawing <- plot(suggestion)
    expect_equal(unique(ggplot2::ggplot_build(drawing)$data[[1]]$xintercept), suggestion$t)
})

test_that("it says if no scale has the number of clusters that was asked for", {
    evidence <- data.frame(t = 1:2, threshold = 1:2, clusters = c(7, 5), modularity = 0.5, suggested = c(FALSE, TRUE))
    suggestion <- structure(list(t = 2L, k = 6L, n_scales = 2L, evidence = evidence, resolution = "3 effective cells"),
                            class = "scale_suggestion")
    expect_output(print(suggestion), "no scale has 6 clusters; cut(persistent_clusters(path), k = 6) does",
                  fixed = TRUE)
})

test_that("bad arguments are refused with the argument named", {
    path <- simulated_path(control = pnmf_control(max_outer = 2, tol = 0))
    expect_error(suggest_scale(1), "'path' must be a pNMFPath", class = "pnmf_error")
    expect_error(suggest_scale(path, k = 1), "'k' must be", class = "pnmf_error")
    expect_error(suggest_scale(path, k = 46), "'k' must be at most 6", class = "pnmf_error")
    expect_error(suggest_scale(path, k = "two"), "'k' must be a whole number", class = "pnmf_error")
    expect_error(suggest_scale(path, wrong = 1), "unknown argument 'wrong'", class = "pnmf_error")
})
