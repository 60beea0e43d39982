test_that("old names warn, name the new one, and return what it returns", {
    x <- simulate_circles(n_per_circle = 8, seed = 1)
    path <- pnmf(x, rank = 2, scales = 5, control = pnmf_control(max_outer = 3, tol = 0))
    scores <- score_path(path, attr(x, "circle"), n_start = 2)
    same <- function(old, new, advice) {
        expect_warning(value <- old, advice, fixed = TRUE, class = "deprecatedWarning")
        if (inherits(new, "ggplot")) {
            value <- ggplot2::ggplot_build(value)$data
            new <- ggplot2::ggplot_build(new)$data
        }
        expect_identical(value, new)
    }
    same(SetPNMFScale(path, 3), at_scale(path, 3), "use active_scale(object) <- t")
    same(update_path(path), path, "use BiocGenerics::updateObject(path)")
    same(plot_overview(path, suggested = NA), plot(path, suggested = NA), "use plot(path)")
    same(plot_objective(path), plot(path, "objective"), "use plot(path, \"objective\")")
    same(plot_barcode(path), plot(path, "barcode"), "use plot(scales)")
    same(plot_scores(scores), plot(scores), "use plot(scores)")
    same(plot_increments(path), plot(increments(path)), "use plot(increments(path))")
    same(plot_spectrum(path, k = 30), plot(eigenvalue_paths(path, k = 30)), "use plot(eigenvalue_paths(scales))")
})
