# Multi-scale embeddings of the simulation: the circles in their three dimensions, then nine scales, coarse to fine.
# Rscript inst/experiments/visualisation.R [output folder]
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
circles <- circles_data()
path <- fit_circles(circles$X)
shown <- nine_scales(n_scales(path))

# Orthographic view of the three dimensions that hold the circles, from a little above.
turn <- 0.6
tilt <- 0.45
view <- rbind(c(cos(turn), sin(turn), 0), c(-sin(turn) * sin(tilt), cos(turn) * sin(tilt), cos(tilt)))
seen <- t(view %*% (circles$X[1:3, ] - rowMeans(circles$X[1:3, ])))
titles <- c("the circles (3-D)", sprintf("t = %d (components: %d)", shown, path@scales$betti0[shown]))
panels <- c(list(seen), lapply(shown, function(t) embedding(path, t)))
points <- do.call(rbind, Map(function(xy, title) {
    data.frame(panel = factor(title, titles), x = xy[, 1], y = xy[, 2], circle = ring_names(circles$y))
}, panels, titles))
# All embeddings on the axes of the finest, so that sizes are comparable.
frame <- points[points$panel == titles[length(titles)], c("x", "y")]
frame <- merge(data.frame(panel = factor(titles[-1], titles)), frame, by = NULL)

radii <- ring_radii(path, circles$y)[shown, ]
colnames(radii) <- paste0("radius_", seq_len(ncol(radii)))
writeLines(paste("points:", circles$source))
print_table(data.frame(t = shown, threshold = thresholds(path)[shown], components = path@scales$betti0[shown], radii),
            "visualisation", settings)
writeLines(paste("coarsest scale at which each circle has half its size, innermost first:",
                 paste(emergence(path, circles$y), collapse = " ")))
save_figure(
    ggplot(points, aes(x, y, colour = circle)) + geom_point(size = 1) +
        geom_blank(data = frame, aes(x, y), inherit.aes = FALSE) +
        facet_wrap(~panel, nrow = 2, scales = "free") + labs(x = NULL, y = NULL, colour = NULL) + plain_theme() +
        theme(axis.text = element_text(size = 7), legend.position = "bottom"),
    "visualisation", settings, width = 11, height = 5.5
)
