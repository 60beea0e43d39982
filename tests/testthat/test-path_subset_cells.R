fitted_path <- function(...) {
    x <- simulate_circles(seed = 2)
    colnames(x) <- paste0("cell", seq_len(ncol(x)))
    pnmf(x, rank = 2, scales = persistence_scales(x, n_scales = 8, ...), control = quick_control())
}

test_that("the chosen cells keep their embeddings, in the order asked for", {
    path <- fitted_path()
    cells <- c("cell30", "cell2", "cell77")
    part <- subset_cells(path, cells)
    expect_identical(part@cell_names, cells)
    for (t in c(1, 8)) {
        expect_identical(embedding(part, t), embedding(path, t)[cells, ])
        expect_identical(loading(part, t), loading(path, t))
    }
    expect_identical(thresholds(part), thresholds(path))
    expect_identical(objective(part), objective(path))
})

test_that("names, positions, negative positions and logicals choose alike", {
    path <- fitted_path()
    chosen <- subset_cells(path, 1:78)
    expect_identical(subset_cells(path, path@cell_names[1:78]), chosen)
    expect_identical(subset_cells(path, -c(79, 80)), chosen)
    expect_identical(subset_cells(path, -80), subset_cells(path, 1:79))
    expect_identical(subset_cells(path, rep(c(TRUE, FALSE), c(78, 2))), chosen)
    expect_identical(subset_cells(path, 1:80), path)
})

test_that("on the full graph, the scales are what the kept cells have at the same thresholds", {
    x <- simulate_circles(seed = 2)
    colnames(x) <- paste0("cell", seq_len(ncol(x)))
    kept <- c(60:31, 1:10)
    part <- subset_cells(fitted_path(), kept)@scales
    # 1e-12: lengths are computed once from other neighbours in memory, so the last bit may differ
    alone <- persistence_scales(x[, kept])
    expect_equal(part$mst$length, alone$mst$length, tolerance = 1e-12)
    distance <- as.matrix(dist(t(x[, kept])))
    for (t in seq_along(part$threshold)) {
        # The threshold is a length too, and dist() may give it another last bit.
        close <- distance < part$threshold[t] * (1 - 1e-12)
        expect_equal(part$n_edges[t], sum(close[upper.tri(close)]))
        pieces <- length(unique(cutree(hclust(as.dist(distance), "single"), h = part$threshold[t] * (1 - 1e-12))))
        expect_equal(part$betti0[t], pieces)
        expect_equal(unname(as.matrix(scale_graph(part, t)$adjacency > 0)), unname(close & !diag(length(kept)) > 0))
    }
    expect_identical(part$cell_names, paste0("cell", kept))
})

test_that("reordering all cells only renumbers the graphs", {
    path <- fitted_path()
    order <- with_random_state(3, sample(80))
    moved <- subset_cells(path, order)
    expect_identical(moved@scales$betti0, path@scales$betti0)
    expect_identical(moved@scales$mst$length, path@scales$mst$length)
    expect_equal(scale_graph(moved@scales, 6)$adjacency,
                 Matrix::forceSymmetric(scale_graph(path@scales, 6)$adjacency[order, order]), ignore_attr = TRUE)
    expect_identical(subset_cells(moved, path@cell_names)@H, path@H)
})

test_that("on the neighbour graph, the kept graph is a part of the old one", {
    path <- fitted_path(graph = "knn", n_neighbors = 5)
    part <- subset_cells(path, 11:50)
    old <- scale_graph(path@scales, 8)$adjacency[11:50, 11:50]
    expect_equal(as.matrix(scale_graph(part@scales, 8)$adjacency), as.matrix(old))
    expect_identical(part@scales$betti0[8], max(graph_components(old)))
})

test_that("one cell is a path too", {
    part <- subset_cells(fitted_path(), "cell5")
    expect_identical(dim(part), c(100L, 1L, 8L))
    expect_equal(part@scales$betti0, rep(1, 8))
})

test_that("the spanning forest is that of Kruskal's rule, ties included", {
    edges <- list(i = c(1L, 2L, 1L, 3L, 4L, 1L, 6L), j = c(2L, 3L, 3L, 4L, 5L, 5L, 7L),
                  length = c(1, 1, 1, 2, 2, 2, 3))
    expect_identical(spanning_forest_cpp(7L, edges$i, edges$j)$edges, c(1L, 2L, 4L, 5L, 7L))
    expect_identical(spanning_forest_cpp(3L, integer(), integer())$edges, integer(0))
})

test_that("unusable cells are named", {
    path <- fitted_path()
    expect_error(subset_cells(path, c("cell1", "nobody")), "1 of 2 are not; the first is 'nobody'",
                 class = "pnmf_error")
    expect_error(subset_cells(path, c(1, 1)), "'cell1' is repeated", class = "pnmf_error")
    expect_error(subset_cells(path, 81), "'cells' must be whole numbers between 1 and 80, not 81", class = "pnmf_error")
    expect_error(subset_cells(path, -81), "^'-cells' must be whole numbers between 1 and 80", class = "pnmf_error")
    # Only finite negative positions drop cells; anything else is named as it was given.
    for (cells in list(c(-1, 2), 0, c(-1, 0), c(-1, -Inf), c(-1, NA), numeric(0))) {
        expect_error(subset_cells(path, cells), "^'cells' must be whole numbers between 1 and 80", class = "pnmf_error")
    }
    expect_error(subset_cells(path, rep(FALSE, 80)), "at least one cell", class = "pnmf_error")
    expect_error(subset_cells(path, character(0)), "at least one cell", class = "pnmf_error")
    expect_error(subset_cells(path, NULL), "not NULL", class = "pnmf_error")
    expect_error(subset_cells(list(), 1), "'path' must be a pNMFPath", class = "pnmf_error")
})
