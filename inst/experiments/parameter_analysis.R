# The 27 combinations of the three penalties, scored at the finest scale, as radar charts.
# Rscript inst/experiments/parameter_analysis.R [output folder] [--full] [--data=FOLDER] [--threads=N]
# The fits are independent: --threads=N distributes them over N workers, with one thread per fit.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
workers <- if (settings$threads == 1L) BiocParallel::SerialParam() else BiocParallel::SnowParam(settings$threads)

for (name in names(sets <- labelled_sets(settings, if (settings$full) real_sets else "none"))) {
    set <- sets[[name]]
    results <- parameter_analysis(set$X, set$y, scales = scales_of(set$X, settings, quick = 5), alpha = 1.5,
                                  BPPARAM = workers)
    writeLines(c("", paste("data set:", name)))
    print_table(results, paste0("parameter_analysis_", name), settings)
    effect <- lapply(c("lambda_graph", "lambda_smooth", "lambda_anchor"), function(penalty) {
        by_value <- stats::aggregate(list(average = results$average), list(value = results[[penalty]]), mean)
        data.frame(penalty = penalty, by_value)
    })
    writeLines("mean over the other two penalties:")
    print(do.call(rbind, effect), row.names = FALSE, digits = 3)
    save_figure(plot(results) + ggtitle(name), paste0("parameter_analysis_", name), settings, 9, 4.5)
}
