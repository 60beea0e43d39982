# The six variants of the ablation study: each drops penalties by setting their weights to 0.
# Rscript inst/experiments/ablations.R [output folder] [--full]   (--full adds the released code's arithmetic)
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
circles <- circles_data()
kept <- list(
    `Full` = c(1, 1, 1), `noGeom` = c(0, 1, 1), `noSmooth` = c(1, 0, 1), `noAnchor` = c(1, 1, 0),
    `GeomOnly` = c(1, 0, 0), `SmoothOnly` = c(0, 1, 0)
)

run_variants <- function(solver) {
    anchor <- if (solver == "hals") 0.1 else 1
    # hals is near its optimum after 40 sweeps; the released code has its own stopping rule.
    control <- if (solver == "hals") pnmf_control(max_outer = 40, tol = 0) else pnmf_control()
    lapply(kept, function(on) {
        fit_circles(circles$X, solver, NULL, 100 * on[1], 100 * on[2], anchor * on[3], control)
    })
}

variant_rows <- function(paths, solver) {
    do.call(rbind, lapply(names(paths), function(name) {
        path <- paths[[name]]
        jumps <- vapply(seq_len(n_scales(path))[-1], function(t) sqrt(sum((path@H[[t]] - path@H[[t - 1]])^2)), 0)
        data.frame(solver = solver, variant = name, coarse_to_fine = coarse_to_fine(path, circles$y),
                   largest_jump = max(jumps) / sqrt(sum(path@H[[1]]^2)),
                   in_order = all(diff(emergence(path, circles$y)) > 0))
    }))
}

solvers <- c("hals", if (settings$full) "authors")
variants <- lapply(stats::setNames(solvers, solvers), run_variants)
writeLines(c("coarse_to_fine: size of the picture at the coarsest scale as a share of the finest;",
             "largest_jump: |H_t - H_(t-1)| as a share of |H_1|;",
             "in_order: from coarse to fine, the circles appear from the outermost to the innermost"))
print_table(do.call(rbind, Map(variant_rows, variants, solvers)), "ablations", settings)
for (solver in solvers) {
    name <- if (solver == "hals") "ablations" else paste0("ablations_", solver)
    save_figure(path_rows(variants[[solver]], circles$y, nine_scales(ncol(circles$X))), name, settings, 11, 8)
}
