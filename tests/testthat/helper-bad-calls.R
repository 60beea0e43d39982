# Calls that must give an error, by function. The names are the arguments that the message must mention. The calls are
# evaluated in call_fixtures(). NULL values that are documented defaults are not included.

bad_fit_calls <- function() {
    bad_calls(
        pnmf = list(
            x = pnmf(), x = pnmf(NULL), x = pnmf("a"), x = pnmf(list(1, 2)), x = pnmf(1:10), x = pnmf(mean),
            x = pnmf(matrix("a", 2, 2)), x = pnmf(matrix(1i, 2, 2)), x = pnmf(x[0, ]), x = pnmf(x[, 0]),
            x = pnmf(x[, 1, drop = FALSE]), x = pnmf(0 * x), x = pnmf(-x), x = pnmf(with_entry(x, NA)),
            x = pnmf(with_entry(x, NaN)), x = pnmf(with_entry(x, Inf)), x = pnmf(with_entry(sparse, -1)),
            x = pnmf(with_entry(sparse, Inf)), x = pnmf(x * 1e150), x = pnmf(x * 1e-150), x = pnmf(iris),
            x = pnmf(array(1, c(2, 2, 2))), x = pnmf(path), x = pnmf(quote(x)), x = pnmf(Sys.Date()),
            x = pnmf(`rownames<-`(x, c(NA, 2:12))), x = pnmf(`colnames<-`(x, c("a", rep("", 14)))),
            rank = pnmf(x, rank = 0), rank = pnmf(x, rank = -1), rank = pnmf(x, rank = 1.5), rank = pnmf(x, rank = NA),
            rank = pnmf(x, rank = Inf), rank = pnmf(x, rank = "2"), rank = pnmf(x, rank = 1:2),
            rank = pnmf(x, rank = 1000), rank = pnmf(x, rank = TRUE), rank = pnmf(x, rank = list(2)),
            rank = pnmf(x, rank = factor(2)), rank = pnmf(x, rank = numeric()), rank = pnmf(x, rank = 2^40),
            scales = pnmf(x, scales = "all"), scales = pnmf(x, scales = 0), scales = pnmf(x, scales = 2.5),
            scales = pnmf(x, scales = NA), scales = pnmf(x, scales = list()),
            scales = pnmf(x, scales = path), scales = pnmf(x[, -1], scales = scales),
            scales = pnmf(x, scales = unsorted_scales), scales = pnmf(x, scales = renamed_scales),
            scales = pnmf(x, scales = repeated_scales), lambda_graph = pnmf(1e100 * x, lambda_graph = 1e100),
            lambda_graph = pnmf(x, lambda_graph = -1), lambda_graph = pnmf(x, lambda_graph = Inf),
            coarsest = pnmf(x, coarsest = 1e6), coarsest = pnmf(x, coarsest = 5, lambda_graph = 1),
            lambda_smooth = pnmf(x, lambda_smooth = "1"),
            lambda_smooth = pnmf(x, lambda_smooth = c(1, 1)), lambda_anchor = pnmf(x, lambda_anchor = NA),
            lambda_anchor = pnmf(x, lambda_anchor = 1e300), alpha = pnmf(x, alpha = 0), alpha = pnmf(x, alpha = -1),
            alpha = pnmf(x, alpha = 0), solver = pnmf(x, solver = "als"), solver = pnmf(x, solver = 1),
            solver = pnmf(x, solver = c("mu", "hals")), solver = pnmf(x, solver = NA_character_),
            control = pnmf(x, control = list(tol = 1)), control = pnmf(x, control = NULL),
            max_outer = pnmf(x, max_outer = 3),
            control = pnmf(x, 2, NULL, 1, NULL, 1, 1.5, "mu", pnmf_control(), NULL, NULL, 1),
            "start$W" = pnmf(x, rank = 2, control = pnmf_control(start = list(W = x, H = x))),
            "start$W" = pnmf(x, rank = 2, control = pnmf_control(start = list(W = -start$W, H = start$H))),
            start = pnmf(x, rank = 2, control = pnmf_control(start = list(W = start$W, H = 1))),
            start = pnmf(x, rank = 3, control = pnmf_control(start = path)),
            resume = pnmf(x, resume = 1), resume = pnmf(x, resume = "no/such/file"),
            resume = pnmf(x, resume = table_file), resume = pnmf(x, resume = empty_file),
            checkpoint = pnmf(x, control = pnmf_control(checkpoint = "no/such/folder/file"))
        ),
        pnmf_control = list(
            max_outer = pnmf_control(max_outer = 0), max_outer = pnmf_control(max_outer = 1e10),
            max_inner = pnmf_control(max_inner = "a"), tol = pnmf_control(tol = -1), tol = pnmf_control(tol = NaN),
            threads = pnmf_control(threads = 0), threads = pnmf_control(threads = NULL),
            seed = pnmf_control(seed = -1), seed = pnmf_control(seed = "a"), verbose = pnmf_control(verbose = NA),
            verbose = pnmf_control(verbose = "yes"),
            record = pnmf_control(record = 1), start = pnmf_control(start = "svd"), start = pnmf_control(start = 1),
            checkpoint = pnmf_control(checkpoint = 1), checkpoint = pnmf_control(checkpoint = character()),
            every = pnmf_control(every = 0), time_limit = pnmf_control(time_limit = -1),
            time_limit = pnmf_control(time_limit = NA), start = pnmf_control(start = list(W = 1)),
            extrapolate = pnmf_control(extrapolate = NULL)
        ),
        nndsvda = list(
            x = nndsvda("a", 2), x = nndsvda(0 * x, 2), x = nndsvda(-x, 2), x = nndsvda(with_entry(x, NA), 2),
            rank = nndsvda(x, 0), rank = nndsvda(x, 100), rank = nndsvda(x, NULL)
        ),
        fit_nmf = list(
            x = fit_nmf("a"), x = fit_nmf(-x), x = fit_nmf(0 * x), rank = fit_nmf(x, 0), rank = fit_nmf(x, 100),
            start = fit_nmf(x, 2, start = 1), "start$W" = fit_nmf(x, 2, start = list(W = 1, H = 1)),
            max_steps = fit_nmf(x, 2, max_steps = 0), tol = fit_nmf(x, 2, tol = -1),
            threads = fit_nmf(x, 2, threads = 0), solver = fit_nmf(x, 2, solver = "als")
        ),
        fit_gnmf = list(
            n_neighbors = fit_gnmf(x, 2, n_neighbors = 0), n_neighbors = fit_gnmf(x, 2, n_neighbors = ncol(x)),
            lambda = fit_gnmf(x, 2, n_neighbors = 3, lambda = -1),
            lambda = fit_gnmf(x, 2, n_neighbors = 3, lambda = 1e300), x = fit_gnmf(list(), 2)
        ),
        fit_tnmf = list(
            weights = fit_tnmf(x, 2, 3, weights = 0), weights = fit_tnmf(x, 2, 3, weights = "a"),
            weights = fit_tnmf(x, 2, 3, weights = c(1, NA)), n_neighbors = fit_tnmf(x, 2, n_neighbors = 2.5)
        ),
        fit_ktnmf = list(
            weights = fit_ktnmf(x, 2, weights = rep(1, ncol(x))), weights = fit_ktnmf(x, 2, weights = numeric()),
            lambda = fit_ktnmf(x, 2, weights = 1, lambda = NA), x = fit_ktnmf(NULL)
        ),
        suggest_rank = list(
            x = suggest_rank("a"), ranks = suggest_rank(x, ranks = 2), ranks = suggest_rank(x, ranks = 0:2),
            n_repeats = suggest_rank(x, n_repeats = -1), holdout = suggest_rank(x, holdout = 0),
            holdout = suggest_rank(x, holdout = 0.99), scales = suggest_rank(x, ranks = 2:3, scales = 0),
            control = suggest_rank(x, ranks = 2:3, control = list()), seed = suggest_rank(x, ranks = 2:3, seed = "a"),
            BPPARAM = suggest_rank(x, ranks = 2:3, BPPARAM = 2), rank = suggest_rank(x, ranks = 2:3, rank = 2)
        ),
        parameter_analysis = list(
            x = parameter_analysis(NULL, group), truth = parameter_analysis(x, group[-1]),
            truth = parameter_analysis(x, rep(1, ncol(x))), lambdas = parameter_analysis(x, group, lambdas = -1),
            lambdas = parameter_analysis(x, group, lambdas = list(a = 1)), t = parameter_analysis(x, group, t = 100),
            k = parameter_analysis(x, group, k = 100), tolerance = parameter_analysis(x, group, tolerance = 1),
            control = parameter_analysis(x, group, control = 1)
        )
    )
}

bad_scale_calls <- function() {
    bad_calls(
        persistence_scales = list(
            x = persistence_scales("a"), x = persistence_scales(x[, 1, drop = FALSE]),
            x = persistence_scales(with_entry(x, NA)), x = persistence_scales(with_entry(sparse, Inf)),
            x = persistence_scales(x * 1e200), x = persistence_scales(structure(c(1, 2), Size = 4L, class = "dist")),
            x = persistence_scales(-stats::dist(t(x))), x = persistence_scales(stats::dist(t(x[, 1]))),
            x = persistence_scales(0 * x, metric = "cosine"),
            metric = persistence_scales(stats::dist(t(x)), metric = "cosine"),
            graph = persistence_scales(stats::dist(t(x)), graph = "knn"),
            select = persistence_scales(x, select = "all"), thin = persistence_scales(x, thin = NULL),
            metric = persistence_scales(x, metric = "manhattan"), graph = persistence_scales(x, graph = TRUE),
            n_scales = persistence_scales(x, n_scales = 0), n_scales = persistence_scales(x, n_scales = 1.5),
            n_neighbors = persistence_scales(x, graph = "knn", n_neighbors = 0),
            n_neighbors = persistence_scales(x, graph = "knn", n_neighbors = ncol(x)),
            seed = persistence_scales(x, seed = 0.5),
            threads = persistence_scales(x, threads = -1), tree = persistence_scales(x, tree = "approximate"),
            tree = persistence_scales(x, tree = NA), tree = persistence_scales(x, graph = "knn", tree = "fast"),
            graph = persistence_scales(stats::dist(t(x)), graph = "knn", tree = "approximate")
        ),
        scale_graph = list(
            scales = scale_graph(1, 1), t = scale_graph(scales, 0),
            t = scale_graph(scales, 1e3), t = scale_graph(scales, NULL), t = scale_graph(scales, 1:2),
            alpha = scale_graph(scales, 1, alpha = 0), scales = scale_graph(fake("persistence_scales"), 1)
        ),
        laplacian = list(
            graph = laplacian(1), graph = laplacian(list()), graph = laplacian(list(adjacency = 1, degree = 1)),
            graph = laplacian(list(adjacency = sparse, degree = 1:2))
        ),
        laplacian_spectrum = list(
            scales = laplacian_spectrum(x, 1), t = laplacian_spectrum(scales, 1e3),
            k = laplacian_spectrum(scales, 1, 0), k = laplacian_spectrum(scales, k = 1e3),
            alpha = laplacian_spectrum(scales, alpha = -1),
            k = laplacian_spectrum(scales, 1, 1e3), alpha = laplacian_spectrum(scales, 1, alpha = "a")
        ),
        eigenvalue_paths = list(
            scales = eigenvalue_paths(NULL), k = eigenvalue_paths(scales, k = 1e3), t = eigenvalue_paths(scales, t = 0),
            alpha = eigenvalue_paths(scales, alpha = -1)
        ),
        laplacian_lipschitz = list(
            scales = laplacian_lipschitz(1), scales = laplacian_lipschitz(path[1]),
            alpha = laplacian_lipschitz(scales, alpha = NA), threads = laplacian_lipschitz(scales, threads = 0)
        )
    )
}

# list(pnmf = list(x = quote(...), ...), ...) -> one row per call
bad_calls <- function(...) {
    table <- as.list(substitute(list(...)))[-1]
    rows <- Map(function(calls, name) {
        calls <- as.list(calls)[-1]
        Map(function(call, argument) list(fun = name, argument = argument, call = call), calls, names(calls))
    }, table, names(table))
    unname(unlist(lapply(rows, unname), recursive = FALSE))
}

all_bad_calls <- function() {
    c(bad_fit_calls(), bad_scale_calls(), bad_path_calls(), bad_cluster_calls(), bad_plot_calls(), bad_data_calls(),
      bad_container_calls(), bad_seurat_calls(), bad_sce_calls())
}

expect_refused <- function(call, message) expect_error(call, message, class = "pnmf_error")
