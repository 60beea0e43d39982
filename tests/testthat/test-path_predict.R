# Nonnegative least squares by trying every set of active factors: the best nonnegative solution among them.
exhaustive_nnls <- function(W, b) {
    best <- list(h = numeric(ncol(W)), error = sum(b^2))
    for (code in seq_len(2^ncol(W) - 1)) {
        active <- which(bitwAnd(code, 2^(seq_len(ncol(W)) - 1)) > 0)
        h <- numeric(ncol(W))
        h[active] <- qr.coef(qr(W[, active, drop = FALSE]), b)
        error <- sum((b - W %*% h)^2)
        if (!anyNA(h) && all(h >= 0) && error < best$error) best <- list(h = h, error = error)
    }
    best$h
}

named_data <- function(seed = 1, features = 15, cells = 8) {
    x <- small_data(seed, features, cells)
    dimnames(x) <- list(paste0("gene", seq_len(features)), paste0("c", seq_len(cells)))
    x
}

fit_named <- function(x = named_data(), ...) {
    pnmf(x, rank = 3, control = pnmf_control(max_outer = 30, tol = 0, threads = 1, ...))
}

test_that("without penalties, predict() solves nonnegative least squares for every cell", {
    path <- pnmf(named_data(), rank = 3, lambda_graph = 0, lambda_smooth = 0, lambda_anchor = 0,
                 control = pnmf_control(max_outer = 30, tol = 0, threads = 1))
    new <- small_data(2, 15, 20, groups = 7, zeros = 0.6)
    for (t in c(1, 4, n_scales(path))) {
        W <- loading(path, t)
        expected <- t(apply(new, 2, exhaustive_nnls, W = unname(W)))
        for (data in list(new, as_sparse(new))) {
            # Coordinate descent stops once a round moves less than 1e-10 of the coordinates.
            expect_equal(unname(predict(path, data, t = t)), expected, tolerance = 1e-7)
        }
    }
    expect_true(any(predict(path, new) == 0)) # constraints are active
})

test_that("projected cells satisfy the optimality conditions at many factors", {
    x <- small_data(3, 60, 40)
    path <- pnmf(x, rank = 12, scales = 2, lambda_graph = 0, lambda_smooth = 0, lambda_anchor = 0,
                 control = pnmf_control(max_outer = 10, tol = 0))
    new <- small_data(4, 60, 30)
    H <- t(predict(path, new, t = 2))
    W <- loading(path, 2)
    gradient <- t(W) %*% (W %*% H - new)
    expect_lt(max(abs(free_gradient(H, gradient))), 1e-6 * max(t(W) %*% new))
    expect_gte(min(H), 0)
})

# The graph of the fit as edges from cells to "new" cells at the same places.
edges_of_fit <- function(scales) {
    edges <- scale_edges(scales)
    list(i = c(edges$i, edges$j), j = c(edges$j, edges$i), length = c(edges$length, edges$length))
}

test_that("cells of the fit get their own embedding back, also as the solution of their own problem", {
    few <- small_data(6, 20, 40)
    many <- small_data(7, 150, 60)
    paths <- list(
        list(few, quietly(pnmf(few, rank = 3, scales = "paper", lambda_graph = 10, lambda_smooth = 10))),
        list(many, quietly(pnmf(many, rank = 4, scales = 5))),
        list(many, quietly(pnmf(many, rank = 4, scales = 5, metric = "local", n_neighbors = 6)))
    )
    for (case in paths) {
        x <- case[[1]]
        path <- case[[2]]
        bases <- lapply(path@W, unname)
        for (t in unique(round(seq(1, n_scales(path), length.out = 4)))) {
            H <- scale_embedding(path, t)
            expect_equal(unname(predict(path, x, t = t)), t(H), tolerance = 1e-12)
            solved <- solved_scales(path, bases, x, edges_of_fit(path@scales), t, 1L)
            # The fit itself stops where as many sweeps again move an embedding by 3% at most.
            expect_lt(sqrt(sum((solved - H)^2) / sum(H^2)), 0.02)
        }
    }
})

test_that("a new cell has the edges that it would have had as a cell of the fit", {
    x <- small_data(8, 150, 60)
    path <- quietly(pnmf(x, rank = 3, scales = 4, n_neighbors = 5, control = pnmf_control(max_outer = 3, tol = 0)))
    scales <- path@scales
    for (cell in c(3, 40)) {
        rest <- subset_cells(path, -cell)
        # The unit of the metric is the mean of all local scales.
        rest@scales$local_scale <- scales$local_scale[-cell] * mean(scales$local_scale) /
            mean(scales$local_scale[-cell])
        new <- x[, cell, drop = FALSE]
        places <- new_places(rest@scales, new, seq_len(150))
        found <- edges_to_new(rest, new, seq_len(150), places)
        all <- edges_of_fit(scales)
        tree <- paste(c(scales$mst$i, scales$mst$j), c(scales$mst$j, scales$mst$i))
        own <- all$j == cell & all$length < max(scales$threshold)
        expected <- setdiff(all$i[own & !(paste(all$i, all$j) %in% tree)], cell)
        expect_true(all(expected %in% setdiff(seq_len(60), cell)[found$i]))
        expect_lte(length(found$i), sum(own))
    }
})

test_that("every scale of a new cell minimises the model with everything else fixed", {
    x <- small_data(9, 150, 50)
    path <- quietly(pnmf(x[, 1:40], rank = 3, scales = 4))
    new <- x[, 41:50]
    edges <- edges_to_new(path, new, seq_len(150), new_places(path@scales, new, seq_len(150)))
    p <- path@parameters
    H <- lapply(1:4, function(t) t(predict(path, new, t = t)))
    for (t in 1:4) {
        A <- as.matrix(new_cell_graph(edges, path@scales, t, p$alpha, 10))
        W <- path@W[[t]]
        spring <- p$lambda_smooth / path@scales$gap / path@scales$weight[t]
        gradient <- crossprod(W, W %*% H[[t]] - new) + p$lambda_anchor * H[[t]] +
            p$lambda_graph * (H[[t]] %*% diag(colSums(A)) - path@H[[t]] %*% A)
        if (t > 1) gradient <- gradient + spring[t] * (H[[t]] - H[[t - 1]])
        if (t < 4) gradient <- gradient + spring[t + 1] * (H[[t]] - H[[t + 1]])
        expect_lt(max(abs(free_gradient(H[[t]], gradient))), 1e-5 * max(crossprod(W, new)))
    }
    expect_gt(length(edges$i), 10)
})

test_that("scores of cells of the same kind are evenly spread, those of other cells are low", {
    x <- small_data(10, 150, 300)
    path <- quietly(pnmf(x[, 1:200], rank = 3, scales = 3, control = pnmf_control(max_outer = 3, tol = 0)))
    score <- attr(predict(path, x[, 201:300], score = TRUE), "score")
    expect_named(score, cell_names_of(x[, 201:300]))
    # Three standard deviations of a share of 100 cells.
    expect_lt(max(abs(stats::quantile(score, c(0.25, 0.5, 0.75)) - c(0.25, 0.5, 0.75))), 0.15)
    other <- x[, 201:300]
    other[1:30, ] <- other[1:30, ] + 3 * max(x)
    expect_lt(median(attr(predict(path, other, score = TRUE), "score")), 0.01)
    expect_null(attr(predict(path, x[, 1:3]), "score"))
    expect_error(predict(path, x, score = NA), "'score' must be", class = "pnmf_error")
})

test_that("predict() names cells and factors and leaves the number of threads without effect", {
    x <- named_data()
    path <- fit_named(x)
    predicted <- predict(path, x[, c("c5", "c2")], t = 2)
    expect_identical(dimnames(predicted), list(c("c5", "c2"), paste0("factor", 1:3)))
    expect_identical(predict(path, x, threads = 1), predict(path, x, threads = 2))
    expect_identical(dim(predict(path, x[, 3, drop = FALSE])), c(1L, 3L))
    expect_identical(unname(predict(path, matrix(0, 15, 2))), matrix(0, 2, 3))
})

test_that("features and cells are matched by name where both sides have names", {
    x <- named_data()
    path <- fit_named(x)
    shuffled <- x[c(7:15, 1:6), c(5:8, 1:4)]
    extra <- rbind(other = 1, shuffled)
    expect_equal(predict(path, shuffled)[colnames(x), ], predict(path, x))
    expect_equal(predict(path, extra), predict(path, shuffled))
    expect_equal(residuals(path, extra), residuals(path, x))
    expect_equal(deviance(path, shuffled), deviance(path, x))
    expect_equal(predict(path, unname(x)), predict(path, x), ignore_attr = "dimnames")
    unnamed <- fit_named(unname(x))
    expect_equal(predict(unnamed, x), predict(path, x))
    expect_equal(unname(residuals(unnamed, x)), unname(residuals(path, x)))
})

test_that("repeated feature names are no obstacle to the data the path was fitted to", {
    x <- named_data()
    rownames(x)[2] <- "gene1"
    path <- fit_named(x)
    expect_equal(unname(residuals(path, x)), unname(x - fitted(path)))
})

test_that("fitted(), residuals() and deviance() are their formulas", {
    x <- named_data()
    path <- fit_named(x)
    for (data in list(x, as_sparse(x))) {
        error <- deviance(path, data)
        for (t in seq_len(n_scales(path))) {
            product <- path@W[[t]] %*% path@H[[t]]
            expect_equal(unname(fitted(path, t)), product)
            expect_identical(dimnames(fitted(path, t)), dimnames(x))
            expect_equal(unname(residuals(path, data, t)), unname(x) - product)
            expect_equal(error[t], sum((x - product)^2), tolerance = 1e-12)
        }
    }
})

test_that("unsuitable data and scales are refused with the argument's name", {
    x <- named_data()
    path <- fit_named(x)
    expect_error(predict(path), "'newdata' must be", class = "pnmf_error")
    expect_error(predict(path, x[-(1:8), ]), "'newdata' lacks 8 of the path's 15 features, the first is 'gene1'",
                 class = "pnmf_error")
    other <- `rownames<-`(x, paste0("ENSG", seq_len(nrow(x))))
    expect_error(predict(path, other), "Its first row is 'ENSG1': it may have other identifiers", class = "pnmf_error")
    expect_error(predict(path, unname(x)[-1, ]), "'newdata' must have the path's 15 features, not 14",
                 class = "pnmf_error")
    renamed <- `rownames<-`(x, paste0("other", 1:15))
    expect_error(predict(path, renamed), "'newdata' lacks 15", class = "pnmf_error")
    expect_error(predict(path, -x), "'newdata' must be nonnegative", class = "pnmf_error")
    expect_error(predict(path, x * NA), "'newdata' must be finite", class = "pnmf_error")
    expect_error(predict(path, "x"), "'newdata' must be a numeric matrix", class = "pnmf_error")
    for (t in list(0, 1.5, n_scales(path) + 1, NA, "1", 1:2)) {
        expect_error(predict(path, x, t = t), "'t' must be", class = "pnmf_error")
        expect_error(fitted(path, t = t), "'t' must be", class = "pnmf_error")
    }
    expect_error(predict(path, x, threads = 0), "'threads'", class = "pnmf_error")
    expect_error(residuals(path), "'x' must be", class = "pnmf_error")
    expect_error(residuals(path, x[, -1]), "'x' lacks 1 of the path's 8 cells", class = "pnmf_error")
    expect_error(residuals(path, unname(x)[, -1]), "'x' must have the path's 8 cells, not 7", class = "pnmf_error")
    expect_error(deviance(path), "'x' must be the data", class = "pnmf_error")
})

test_that("cells that lack some features are placed by the others, and a message says how many", {
    x <- named_data()
    path <- fit_named(x)
    expect_message(placed <- predict(path, x[-(1:3), ], t = 2), "lacks 3 of the path's 15 features \\(20%\\)",
                   class = "pnmf_message")
    fewer <- path
    fewer@W <- lapply(path@W, function(W) W[-(1:3), ])
    fewer@feature_names <- path@feature_names[-(1:3)]
    expect_equal(placed, predict(fewer, x[-(1:3), ], t = 2))
    expect_no_message(predict(path, rbind(extra = 1, x[15:1, ])))
})

test_that("objects give and take cells: features are found by name", {
    skip_if_not_installed("Seurat")
    skip_if_not_installed("SingleCellExperiment")
    for (object in list(seurat_with_path(), sce_with_path())) {
        path <- PNMFPath(object)
        x <- host_data(object, path, path_name(object))
        new <- object[rev(rownames(object)), 11:30]
        expect_equal(predict(object, new, t = 2), predict(path, x[, 11:30], t = 2), tolerance = 1e-8)
        expect_equal(predict(at_scale(object, 3), x[, 1:5]), predict(path, x[, 1:5], t = 3))
    }
    sce <- sce_with_path()
    few <- sce[setdiff(rownames(sce), rownames(PNMFPath(sce))[1:6]), ]
    expect_message(predict(sce, few), "lacks 6 of the path's 60 features \\(10%\\)", class = "pnmf_message")
    strange <- sce
    rownames(strange) <- paste0("x", seq_len(nrow(sce)))
    expect_error(predict(sce, strange), "'newdata' must have features of the path", class = "pnmf_error")
})
