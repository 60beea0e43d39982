test_that("distances may be measured in other coordinates of the cells", {
    x <- small_data(31)
    colnames(x) <- paste0("c", seq_len(ncol(x)))
    fit <- function(...) suppressMessages(pnmf(x, rank = 2, control = pnmf_control(max_outer = 2, tol = 0), ...))
    components <- stats::prcomp(t(x))$x[, 1:2]
    default <- function(...) {
        persistence_scales(t(components), metric = "adaptive", graph = "knn", thin = "effective", ...)
    }
    expected <- default(n_neighbors = 9)$threshold
    expect_identical(thresholds(fit(space = components)), expected)
    expect_identical(thresholds(fit(space = components[rev(seq_len(ncol(x))), ])), expected)
    expect_identical(thresholds(fit(space = as.data.frame(components))), expected)
    expect_identical(thresholds(fit(space = components, scales = 3)),
                     default(n_neighbors = 9, n_scales = 3)$threshold)
    expect_identical(thresholds(fit(space = components, metric = "euclidean", graph = "full", thin = "index",
                                    scales = 4)),
                     persistence_scales(t(components), n_scales = 4, thin = "index")$threshold)
    expect_identical(fit(space = components, n_neighbors = 3)@scales$n_edges,
                     default(n_neighbors = 3)$n_edges)
})

test_that("options(pNMF.progress = FALSE) silences the message of a fit, and verbose = TRUE is stronger", {
    old <- options(pNMF.progress = FALSE, knitr.in.progress = TRUE) # no bar in either case
    on.exit(options(old))
    x <- with_random_state(4, matrix(stats::rexp(150 * 60), 150))
    expect_silent(pnmf(x, 2, scales = 2, control = pnmf_control(max_outer = 1, tol = 0)))
    expect_message(pnmf(x, 2, scales = 2, control = pnmf_control(max_outer = 1, tol = 0, verbose = TRUE)),
                   "^pnmf: 150 features")
})

test_that("verbose = FALSE silences the message of a fit", {
    x <- with_random_state(4, matrix(stats::rexp(150 * 60), 150))
    expect_silent(pnmf(x, 2, scales = 2, control = pnmf_control(max_outer = 1, tol = 0, verbose = FALSE)))
    expect_message(pnmf(x, 2, scales = 2, control = pnmf_control(max_outer = 1, tol = 0)), "^pnmf: 150 features")
})

test_that("expression data are measured on principal components, and a message says so", {
    x <- with_random_state(4, matrix(stats::rexp(150 * 60), 150))
    control <- pnmf_control(max_outer = 2, tol = 0)
    expect_message(path <- pnmf(x, 2, control = control),
                   "^pnmf: 150 features; 12 scales from 60 to 3.0 .*; distances on 20 principal components \\(adaptive",
                   class = "pnmf_message")
    components <- stats::prcomp(t(x))$x[, 1:20]
    expected <- persistence_scales(t(components), metric = "adaptive", graph = "knn", thin = "effective")
    expect_equal(thresholds(path), expected$threshold, tolerance = 1e-8)
    expect_equal(path@parameters$lambda_graph, expected$lambda_graph, tolerance = 1e-8)
    expect_identical(path@scales$betti0, expected$betti0)
    expect_identical(path@parameters$alpha, 2)
    expect_no_message(paper <- pnmf(x, 2, scales = "paper", control = control), class = "pnmf_message")
    expect_identical(thresholds(paper), persistence_scales(x)$threshold)
    expect_identical(paper@parameters$alpha, 1.5)
    authors <- pnmf(x, 2, solver = "authors", control = pnmf_control(max_outer = 1, max_inner = 1))
    expect_identical(thresholds(authors), persistence_scales(x)$threshold)
    few <- pnmf(x[1:100, ], 2, control = control)
    expect_identical(thresholds(few), persistence_scales(x[1:100, ])$threshold)
})

test_that("data with few features keep all scales up to 100 cells, up to 500 with the solvers of the paper", {
    planned <- function(cells, solver) scale_plan(matrix(0, 2, cells), NULL, solver, NULL, list())
    expect_null(planned(100, "hals")$n_scales)
    expect_identical(planned(100, "hals")$graph, "full")
    expect_identical(planned(101, "hals")[c("where", "n_scales", "thin", "graph")],
                     list(where = "features", n_scales = 12L, thin = "effective", graph = "knn"))
    expect_null(planned(500, "mu")$n_scales)
    expect_identical(planned(501, "mu")$n_scales, 12L)
})

test_that("settings of the scales that make no sense are refused", {
    x <- small_data(34)
    refused <- function(pattern, ...) expect_error(pnmf(x, 2, ...), pattern, class = "pnmf_error")
    refused("'thin' must be one of", thin = "some")
    refused("'metric' must be one of", metric = "manhattan")
    refused("'graph' must be one of", graph = TRUE)
    refused("'n_neighbors' must be a whole number", n_neighbors = 0, graph = "knn")
    refused("'metric' must be NULL when 'scales'", metric = "local", scales = persistence_scales(x))
    refused("unknown argument 'tree'", tree = "exact")
})

test_that("the path of c times the data is the path with embeddings times c", {
    cells <- simulate_cells(n_cells = 60, n_genes = 160, seed = 2)
    x <- normalize_counts(cells$counts, method = "paper")
    fit <- function(x) suppressMessages(pnmf(x, rank = 4, scales = 8, control = pnmf_control(max_outer = 30, tol = 0)))
    for (data in list(x, as.matrix(x))) {
        one <- fit(data)
        for (c in c(1e-4, 7, 1000)) {
            scaled <- fit(c * data)
            expect_identical(scaled@scales$betti0, one@scales$betti0)
            expect_equal(effective_cells(scaled), effective_cells(one), tolerance = 1e-8)
            expect_equal(thresholds(scaled), c * thresholds(one), tolerance = 1e-10)
            for (t in 1:8) expect_equal(embedding(scaled, t), c * embedding(one, t), tolerance = 1e-8)
        }
    }
})

test_that("coordinates of one dimension find their cells by name", {
    x <- matrix(0, 2, 3, dimnames = list(NULL, c("a", "b", "c")))
    line <- matrix(c(3, 1, 2), dimnames = list(c("c", "a", "b"), NULL))
    expect_identical(cells_in_coordinates(line, x), matrix(c(1, 2, 3), 1, dimnames = list(NULL, c("a", "b", "c"))))
})

test_that("coordinates that do not fit are refused", {
    x <- small_data(32)
    colnames(x) <- paste0("c", seq_len(ncol(x)))
    expect_error(pnmf(x, 2, space = x[1, ]), "'space' must be a numeric matrix, cells x dim", class = "pnmf_error")
    expect_error(pnmf(x, 2, space = matrix(1, 3, 2)), "'space' must have one row for each of the 10 cells, not 3",
                 class = "pnmf_error")
    named <- matrix(1:4, 2, dimnames = list(c("c1", "c2"), NULL))
    expect_error(pnmf(x, 2, space = named), "'space' lacks 8 of the 10 cells; the first is 'c3'", class = "pnmf_error")
    expect_error(pnmf(x, 2, space = t(x), scales = persistence_scales(x)), "'space' must be NULL when 'scales'",
                 class = "pnmf_error")
    expect_error(pnmf(x, 2, space = t(x) * NA), "^'space' must be finite, but .* are NA", class = "pnmf_error")
    expect_error(pnmf(x, 2, space = matrix(NA, 10, 3)), "'space' must be a numeric .* a 10 x 3 logical matrix",
                 class = "pnmf_error")
})

test_that("the number of scales does not depend on memory, and a path beyond it is refused", {
    x <- small_data(33)
    control <- pnmf_control(max_outer = 2, tol = 0)
    all <- pnmf(x, 2, control = control)
    one <- scale_bytes(x, list(rank = 2))
    expect_identical(one, 8 * 2 * (3 * nrow(x) + 4 * ncol(x)))
    control$memory <- 4.5 * one
    expect_error(pnmf(x, 2, control = control), "a path of 10 scales at rank 2 needs about .* more than 'memory'",
                 class = "pnmf_error")
    expect_error(pnmf(x, 2, scales = 6, control = control), "a path of 6 scales .* fewer 'scales' or a lower 'rank'",
                 class = "pnmf_error")
    expect_identical(pnmf(x, 2, scales = 4, control = control)@H,
                     pnmf(x, 2, scales = 4, control = pnmf_control(max_outer = 2, tol = 0))@H)
    control$memory <- 10 * one
    expect_no_condition(same <- pnmf(x, 2, control = control), class = "pnmf_message")
    expect_identical(same@H, all@H)
})

test_that("beyond the reach of the exact tree the approximate one is used, and a message says so", {
    control <- pnmf_control()
    expect_no_message(expect_identical(default_tree(max_cells_for_exact_tree, control), "exact"))
    many <- max_cells_for_exact_tree + 1L
    expect_message(tree <- default_tree(many, control), "50001 cells.*approximate spanning tree",
                   class = "pnmf_message")
    expect_identical(tree, "approximate")
    expect_silent(default_tree(many, pnmf_control(verbose = FALSE)))
})

test_that("distances from a corrected space remove a known batch effect from the clusters, not from the factors", {
    cells <- shared_data("DC1")
    x <- as.matrix(cells$X)
    shift <- with_random_state(1, 0.15 * stats::rbinom(nrow(x), 1, 0.2) * stats::runif(nrow(x)))
    both <- cbind(x, x + shift)
    colnames(both) <- paste0(rep(c("a", "b"), each = ncol(x)), seq_len(ncol(x)))
    batch <- rep(1:2, each = ncol(x))
    type <- rep(cells$y, 2)
    components <- stats::prcomp(t(both), rank. = 10)$x
    # An added shift is a shift of the components, which their means undo.
    corrected <- apply(components, 2, function(component) component - stats::ave(component, batch))
    figures <- vapply(list(components, corrected), function(space) {
        path <- suppressWarnings(suppressMessages(
            pnmf(both, rank = 6, scales = 10, space = space,
                 control = pnmf_control(max_outer = 20, tol = 0, threads = 1))
        ))
        flat <- persistent_clusters(path)$flat
        usage <- embedding(path, 1) / rowSums(embedding(path, 1))
        tree <- path@scales$mst
        c(types = cluster_scores(type, flat)[["ari"]], batches = cluster_scores(batch, flat)[["ari"]],
          mixed = mean(batch[tree$i] != batch[tree$j]), factor = max(stats::cor(usage, batch)^2))
    }, numeric(4))
    # Found: types 0.47 and 0.84, batches 0.30 and 0.00, edges between batches 0.2% and 80%, the batch's factor 0.95.
    expect_gt(figures["types", 2], figures["types", 1] + 0.2)
    expect_gt(figures["batches", 1], 0.2)
    expect_lt(abs(figures["batches", 2]), 0.05)
    expect_lt(figures["mixed", 1], 0.05)
    expect_gt(figures["mixed", 2], 0.5)
    expect_gt(min(figures["factor", ]), 0.9)
})
