# The four ways to select scales: the canonical ones (pNMF), uniform (UDS), random (RDS) and minimal sets (MSS).
# Rscript inst/experiments/scale_selection.R [output folder]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
circles <- circles_data()
select <- c(pNMF = "canonical", `pNMF-UDS` = "uniform", `pNMF-RDS` = "random", `pNMF-MSS` = "minimal")
paths <- lapply(select, function(rule) {
    fit_circles(circles$X, scales = persistence_scales(circles$X, select = rule, seed = 1))
})

# The number of scales with more than one component, at which there is something to separate.
rows <- lapply(names(paths), function(name) {
    path <- paths[[name]]
    seen <- emergence(path, circles$y)
    data.frame(
        selection = name, scales = n_scales(path), several_components = sum(path@scales$betti0 > 1),
        distinct_counts = length(unique(path@scales$betti0)), coarse_to_fine = coarse_to_fine(path, circles$y),
        t(stats::setNames(seen, paste0("seen_", seq_along(seen))))
    )
})
writeLines("seen_k: the coarsest scale at which circle k, innermost first, has half of its finest radius")
print_table(do.call(rbind, rows), "scale_selection", settings)
shown <- nine_scales(min(vapply(paths, n_scales, numeric(1))))
save_figure(path_rows(paths, circles$y, shown), "scale_selection", settings, width = 11, height = 6)
