named_data <- function() {
    x <- with_random_state(1, matrix(stats::rexp(60), 6, 10))
    dimnames(x) <- list(paste0("gene", 1:6), paste0("barcode", 1:10))
    x
}

test_that("embedding is cells x rank and loading features x rank, with the names of the data", {
    x <- named_data()
    fit <- fit_gnmf(x, 2, n_neighbors = 3)
    expect_identical(embedding(fit), structure(t(fit$H), dimnames = list(colnames(x), c("factor1", "factor2"))))
    expect_identical(loading(fit), structure(fit$W, dimnames = list(rownames(x), c("factor1", "factor2"))))
    expect_identical(n_factors(fit), 2L)
    expect_true(converged(fit))
    expect_identical(rownames(embedding(fit_nmf(unname(x), 2)))[1:2], c("cell1", "cell2"))
})

test_that("a fit at a single scale has no other scale", {
    fit <- fit_nmf(named_data(), 2)
    expect_error(embedding(fit, 2), "'t' must be 1, not 2", class = "pnmf_error")
    expect_error(loading(fit, "a"), "'t' must be 1", class = "pnmf_error")
    expect_identical(embedding(fit, 1L), embedding(fit))
})

test_that("the result keeps what it was made with, but not the start", {
    x <- named_data()
    fit <- fit_tnmf(x, 2, n_neighbors = 3, weights = c(2, 1), lambda = 0.5, start = nndsvda(x, 2))
    expect_s3_class(fit, "nmf_fit")
    expect_identical(names(fit), c("W", "H", "loss", "steps", "converged", "graph", "method", "parameters", "names"))
    expect_identical(fit$method, "TNMF")
    expect_identical(fit$parameters[c("rank", "lambda", "n_neighbors", "weights", "start", "solver")],
                     list(rank = 2L, lambda = 0.5, n_neighbors = 3L, weights = c(2, 1), start = "given", solver = "mu"))
    expect_null(fit_nmf(x, 2)$graph)
})

test_that("new cells made from the basis are found again, whatever the order of their features", {
    x <- named_data()
    fit <- fit_nmf(x, 2)
    h <- matrix(c(1, 2, 0.5, 0, 3, 1), 2)
    made <- loading(fit) %*% h
    expect_equal(unname(predict(fit, made)), t(h), tolerance = 1e-6)
    expect_equal(predict(fit, made[6:1, ]), predict(fit, made))
    expect_error(predict(fit, made[-1, ]), "'newdata' lacks 1", class = "pnmf_error")
    expect_error(predict(fit), "'newdata' must be a features x cells matrix", class = "pnmf_error")
    expect_error(predict(fit, -made), "'newdata' must be nonnegative", class = "pnmf_error")
})

test_that("printing names method, size, graph, loss and convergence", {
    x <- named_data()
    shown <- capture.output(print(fit_ktnmf(x, 2, weights = c(2, 1))))
    expect_match(shown[1], "k-TNMF fit: 6 features x 10 cells, rank 2")
    expect_match(shown[2], "graph: [0-9]+ edges, lambda 1, weights 2 1")
    expect_match(shown[3], "loss: .* after [0-9]+ steps of \"mu\"; converged")
    expect_match(capture.output(print(fit_nmf(x, 2, tol = 0, max_steps = 1)))[2], "after 1 steps .* not converged")
})
