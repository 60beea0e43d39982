test_that("distances may be measured in other coordinates of the cells", {
    x <- small_data(31)
    colnames(x) <- paste0("c", seq_len(ncol(x)))
    fit <- function(...) pnmf(x, rank = 2, control = pnmf_control(max_outer = 2, tol = 0), ...)
    components <- stats::prcomp(t(x))$x[, 1:2]
    expected <- persistence_scales(t(components))$threshold
    expect_identical(thresholds(fit(space = components)), expected)
    expect_identical(thresholds(fit(space = components[rev(seq_len(ncol(x))), ])), expected)
    expect_identical(thresholds(fit(space = as.data.frame(components))), expected)
    expect_identical(thresholds(fit(space = components, scales = 3)),
                     persistence_scales(t(components), n_scales = 3)$threshold)
})

test_that("coordinates that do not fit are refused", {
    x <- small_data(32)
    colnames(x) <- paste0("c", seq_len(ncol(x)))
    expect_error(pnmf(x, 2, space = x[1, ]), "'space' must be a matrix, cells x dimensions", class = "pnmf_error")
    expect_error(pnmf(x, 2, space = matrix(1, 3, 2)), "'space' must have one row for each of the 10 cells, not 3",
                 class = "pnmf_error")
    named <- matrix(1:4, 2, dimnames = list(c("c1", "c2"), NULL))
    expect_error(pnmf(x, 2, space = named), "'space' lacks 8 of the 10 cells; the first is 'c3'", class = "pnmf_error")
    expect_error(pnmf(x, 2, space = t(x), scales = persistence_scales(x)), "'space' must be NULL when 'scales'",
                 class = "pnmf_error")
    expect_error(pnmf(x, 2, space = t(x) * NA), "must be finite", class = "pnmf_error")
})

test_that("scales are kept as far as the path fits into the memory it may take", {
    x <- small_data(33)
    control <- pnmf_control(max_outer = 2, tol = 0)
    all <- pnmf(x, 2, control = control)
    one <- scale_bytes(x, list(rank = 2, solver = "hals", control = list(keep = "all")))
    expect_identical(one, 8 * 2 * (nrow(x) + 3 * ncol(x)))
    control$memory <- 4.5 * one
    expect_message(path <- pnmf(x, 2, control = control),
                   "keeping 4 of the 10 canonical scales.*'memory' of pnmf_control", class = "pnmf_message")
    expect_identical(thresholds(path), persistence_scales(x, n_scales = 4)$threshold)
    expect_warning(pnmf(x, 2, scales = 6, control = control), "a path of 6 scales needs about", class = "pnmf_warning")
    expect_warning(pnmf(x, 2, scales = persistence_scales(x), control = control), "10 scales needs",
                   class = "pnmf_warning")
    control$memory <- 10 * one
    expect_no_condition(same <- pnmf(x, 2, control = control), class = "pnmf_message")
    expect_identical(same@H, all@H)
    control$memory <- 1
    expect_identical(n_scales(suppressMessages(pnmf(x, 2, control = control))), 1L)
})

test_that("beyond the reach of the exact tree the approximate one is used, and a message says so", {
    expect_no_message(expect_identical(default_tree(max_cells_for_exact_tree), "exact"))
    expect_message(tree <- default_tree(max_cells_for_exact_tree + 1L), "50001 cells.*approximate spanning tree",
                   class = "pnmf_message")
    expect_identical(tree, "approximate")
})
