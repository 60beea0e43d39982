# t-SNE and UMAP of the data and of the embeddings: NMF, GNMF, TNMF, k-TNMF, pNMF at its finest and suggested scale.
# Rscript inst/experiments/maps.R [output folder] [--full] [--data=FOLDER]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

# x: cells x dimensions. The seed is set here because Rtsne draws from the session's generator.
maps_of <- function(x) {
    perplexity <- min(30, floor((nrow(x) - 1) / 3) - 1)
    set.seed(1)
    list(
        `t-SNE` = if (requireNamespace("Rtsne", quietly = TRUE)) {
            Rtsne::Rtsne(x, perplexity = perplexity, check_duplicates = FALSE, pca = ncol(x) > 50,
                         max_iter = if (settings$full) 1000 else 600)$Y
        },
        UMAP = if (requireNamespace("uwot", quietly = TRUE)) {
            uwot::umap(x, n_neighbors = min(15, nrow(x) - 1), n_threads = 1, n_sgd_threads = 0)
        }
    )
}

# Share of the five nearest neighbours of a cell in a map that have its label.
neighbour_purity <- function(map, y) {
    distance <- as.matrix(stats::dist(map))
    diag(distance) <- Inf
    mean(vapply(seq_along(y), function(i) mean(y[order(distance[i, ])[1:5]] == y[i]), numeric(1)))
}

for (name in names(sets <- labelled_sets(settings, if (settings$full) real_sets else "none"))) {
    set <- sets[[name]]
    path <- fit_cells(set$X, settings)
    t <- suggest_scale(path)$t
    ours <- list(`pNMF t = 1` = embedding(path, 1))
    if (!is.na(t)) ours[[paste0("pNMF suggested (", t, ")")]] <- embedding(path, t)
    views <- c(list(X = t(as.matrix(set$X))), lapply(baseline_fits(set$X), embedding), ours)
    drawn <- unlist(lapply(views, maps_of), recursive = FALSE)
    drawn <- Filter(Negate(is.null), drawn)
    kind <- sub("^.*\\.", "", names(drawn))
    view <- sub("\\.[^.]*$", "", names(drawn))
    writeLines(c("", paste("data set:", name), "share of the 5 nearest neighbours in the map with a cell's own label:"))
    print_table(data.frame(map = kind, of = view, purity = vapply(drawn, neighbour_purity, numeric(1), y = set$y)),
                paste0("maps_", name), settings)
    points <- do.call(rbind, Map(function(map, kind, view) {
        data.frame(map = kind, view = factor(view, names(views)), x = map[, 1], y = map[, 2], label = factor(set$y))
    }, drawn, kind, view))
    save_figure(
        ggplot(points, aes(x, y, colour = label)) + geom_point(size = 0.7) +
            facet_wrap(~ map + view, scales = "free", nrow = 2, labeller = label_wrap_gen(multi_line = FALSE)) +
            labs(x = NULL, y = NULL, colour = NULL, title = name) + plain_theme() +
            theme(axis.text = element_blank(), axis.ticks = element_blank()),
        paste0("maps_", name), settings, width = 13, height = 4.8
    )
}
