# The clustering table: mean of ARI, NMI, purity and accuracy of k-means on the embeddings of the baselines, of the
# released code's arithmetic and of the default solver (finest scale; best scale, chosen with the labels; the scale
# that suggest_scale() finds without them).
# Rscript inst/experiments/clustering_table.R [output folder] [--full] [--data=FOLDER]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

metrics <- c("ari", "nmi", "purity", "accuracy")

single_row <- function(method, H, y) {
    scores <- embedding_scores(H, y)
    data.frame(method = method, t = 1, t(scores), average = mean(scores))
}

# The finest, the best and the suggested scale.
path_rows_of <- function(path, y) {
    scores <- score_path(path, y, n_start = 50, seed = 1)
    t <- c(1, which.max(scores$average), suggest_scale(path)$t)
    data.frame(method = paste("hals", c("t = 1", "best", "suggested")), t = t, scores[t, c(metrics, "average")])
}

rows_of_set <- function(name, set) {
    X <- set$X
    say("%s: %d features, %d cells, %d classes", name, nrow(X), ncol(X), length(unique(set$y)))
    fits <- baseline_fits(X)
    fits$`authors t = 1` <- fit_cells(X, settings, solver = "authors")
    say("%s: baselines and authors fitted", name)
    hals <- fit_cells(X, settings)
    say("%s: hals fitted", name)
    rows <- lapply(names(fits), function(method) single_row(method, embedding(fits[[method]]), set$y))
    rows <- data.frame(data = name, rbind(do.call(rbind, rows), path_rows_of(hals, set$y)), row.names = NULL)
    # A long run that is stopped leaves the results so far.
    utils::write.csv(rows, file.path(settings$folder, paste0("clustering_scores_", name, ".csv")), row.names = FALSE)
    rows
}

sets <- labelled_sets(settings)
results <- do.call(rbind, Map(rows_of_set, names(sets), sets))
results$data <- factor(results$data, names(sets))
results$method <- factor(results$method, unique(results$method))

wide <- as.data.frame.matrix(xtabs(average ~ data + method, results))
print_table(data.frame(data = rownames(wide), wide, check.names = FALSE), "clustering_table", settings)
save_figure(
    ggplot(results, aes(average, method)) +
        geom_segment(aes(x = 0, xend = average, yend = method), colour = "grey80") +
        geom_point(size = 2, colour = okabe_ito[1]) +
        facet_wrap(~data, nrow = 1) + scale_y_discrete(limits = rev) +
        labs(x = "mean of ARI, NMI, purity and accuracy", y = NULL) + theme_bw(base_size = 11),
    "clustering_table", settings, width = 3 + 2 * length(sets), height = 3.5
)
