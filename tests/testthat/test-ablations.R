# The variants of the paper's ablation study: each drops penalties by setting their weights to 0.

# Each variant is fitted once.
fitted_variants <- new.env()

fit_variant <- function(x, solver, graph = TRUE, smooth = TRUE, anchor = TRUE) {
    key <- paste(solver, graph, smooth, anchor)
    if (is.null(fitted_variants[[key]])) {
        weight <- if (solver == "hals") 0.1 else 1
        # hals is near its optimum after 40 sweeps; the released code has its own rule.
        limits <- if (solver == "hals") list(max_outer = 40, tol = 0) else list()
        weights <- list(graph = 100 * graph, smooth = 100 * smooth, anchor = weight * anchor)
        fitted_variants[[key]] <- do.call(fit_circles, c(list(x, solver), weights, limits))
    }
    fitted_variants[[key]]
}

shows_scales <- function(path, ring) {
    radii <- ring_radii(path, ring)
    all(diff(emergence(radii)) > 0) && all(radii[n_scales(path), ] < 0.05 * radii[1, ])
}

test_that("noGeom and SmoothOnly collapse all scales into the finest picture of the full model", {
    circles <- shared_data("concentric_circles")
    for (solver in c("hals", "authors")) {
        full <- fit_variant(circles$X, solver)
        for (anchor in c(TRUE, FALSE)) {
            path <- fit_variant(circles$X, solver, graph = FALSE, anchor = anchor)
            radii <- ring_radii(path, circles$y)
            relative <- sweep(radii, 2, radii[1, ], "/")
            # The released code stops early and keeps a few percent of drift along the scales.
            slack <- if (solver == "hals") 1e-3 else 0.1
            expect_lt(max(abs(relative - 1)), slack)
            expect_identical(share_outside(embedding(path, n_scales(path)), circles$y), c(1, 1, 1))
            expect_lt(max(embedding_jumps(path)), 0.2 * max(embedding_jumps(full)))
        }
        path <- fit_variant(circles$X, solver, graph = FALSE)
        expect_lt(norm(path@H[[1]] - full@H[[1]], "F"), 0.1 * norm(full@H[[1]], "F"))
    }
})

test_that("noSmooth makes the path jump between neighbouring scales", {
    circles <- shared_data("concentric_circles")
    for (solver in c("hals", "authors")) {
        full <- fit_variant(circles$X, solver)
        path <- fit_variant(circles$X, solver, smooth = FALSE)
        expect_gt(max(embedding_jumps(path)), 4 * max(embedding_jumps(full)))
        expect_gt(sum(embedding_jumps(path)^2), 10 * sum(embedding_jumps(full)^2))
    }
})

test_that("noAnchor and GeomOnly still show the circles one after the other, outermost first", {
    circles <- shared_data("concentric_circles")
    for (solver in c("hals", "authors")) {
        expect_true(shows_scales(fit_variant(circles$X, solver), circles$y))
        expect_true(shows_scales(fit_variant(circles$X, solver, anchor = FALSE), circles$y))
        expect_true(shows_scales(fit_variant(circles$X, solver, smooth = FALSE, anchor = FALSE), circles$y))
    }
})

test_that("every variant runs with the paper's algorithm, and its objective falls", {
    x <- shared_data("concentric_circles")$X
    for (weights in list(c(0, 100, 1), c(100, 0, 1), c(100, 100, 0), c(100, 0, 0), c(0, 100, 0))) {
        path <- fit_circles(x, "mu", weights[1], weights[2], weights[3], max_outer = 5, tol = 0)
        expect_lte(largest_rise(objective(path)$objective), 0)
    }
})
