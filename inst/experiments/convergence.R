# Convergence on the simulation: (a) objective by sweep, (b) its relative decrease, (c) objective by single update,
# for the default solver, the paper's algorithm and the released code's arithmetic.
# Rscript inst/experiments/convergence.R [output folder] [--full]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
circles <- circles_data()
# At full size every solver follows its own stopping rule.
limit <- function(sweeps) {
    if (settings$full) pnmf_control(record = TRUE) else pnmf_control(sweeps, tol = 0, record = TRUE)
}
limits <- list(hals = limit(40), mu = limit(20), authors = pnmf_control(record = TRUE))
paths <- Map(function(solver, control) fit_circles(circles$X, solver, control = control), names(limits), limits)

# A rise counts when it is more than rounding, 1e-10 of the objective.
rises <- function(value) sum(diff(value) > 1e-10 * value[-length(value)])
rows <- lapply(names(paths), function(solver) {
    sweeps <- objective(paths[[solver]])$objective
    updates <- paths[[solver]]@convergence$updates$objective
    data.frame(solver = solver, sweeps = length(sweeps), first = sweeps[1], last = sweeps[length(sweeps)],
               rises_by_sweep = rises(sweeps), updates = length(updates), rises_by_update = rises(updates),
               coarse_to_fine = round(coarse_to_fine(paths[[solver]], circles$y), 4))
})
print_table(do.call(rbind, rows), "convergence", settings, digits = 8)
print(format(objective(paths$authors), digits = 10), row.names = FALSE)

records <- do.call(rbind, lapply(names(paths), function(solver) {
    record <- plot(paths[[solver]], "objective")$data
    letters <- c("objective by sweep" = "(a)", "log10 relative decrease by sweep" = "(b)",
                 "objective by update" = "(c)")
    data.frame(solver = solver, record, title = paste(solver, letters[as.character(record$panel)], record$panel))
}))
records$title <- factor(records$title, unique(records$title))
save_figure(
    ggplot(records, aes(step, value)) + geom_line(colour = okabe_ito[1]) +
        facet_wrap(~title, scales = "free", ncol = 3) + labs(x = NULL, y = NULL) + theme_bw(base_size = 10),
    "convergence", settings, width = 10, height = 7
)
