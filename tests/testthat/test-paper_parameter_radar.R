some_results <- function() {
    results <- expand.grid(lambda_graph = c(0.1, 1, 10), lambda_smooth = c(0.1, 1), lambda_anchor = c(1, 10))
    results[c("ari", "nmi", "purity", "accuracy", "average")] <- seq(0.1, 0.9, length.out = nrow(results))
    results$ari <- 1 - results$nmi
    results
}

polygons_of <- function(plot) {
    polygons <- vapply(plot$layers, function(layer) inherits(layer$geom, "GeomPolygon"), logical(1))
    ggplot2::layer_data(plot, which(polygons))
}

test_that("there is one five-cornered polygon per combination, in the panel of its lambda_graph", {
    results <- some_results()
    plot <- plot.parameter_analysis(results)
    expect_s3_class(plot, "ggplot")
    drawn <- polygons_of(plot)
    expect_identical(nrow(drawn), 5L * nrow(results))
    expect_true(all(table(drawn$group) == 5))
    panel <- tapply(as.integer(drawn$PANEL), drawn$group, unique)
    expect_equal(as.vector(panel), match(results$lambda_graph, c(0.1, 1, 10)))
    expect_identical(length(unique(drawn$colour)), 2L)
    expect_identical(length(unique(drawn$linetype)), 2L)
    expect_true(all(ggplot2::ggplot_build(plot)$layout$layout$ROW == 1))
})

test_that("a corner's distance from the centre is its score, the first one straight up", {
    results <- some_results()
    drawn <- polygons_of(plot.parameter_analysis(results))
    drawn <- drawn[order(drawn$group), ]
    scores <- as.vector(t(as.matrix(results[c("ari", "nmi", "purity", "accuracy", "average")])))
    # sqrt(sin^2 + cos^2) is 1 to rounding
    expect_equal(sqrt(drawn$x^2 + drawn$y^2), scores, tolerance = 1e-12)
    first <- drawn[!duplicated(drawn$group), ]
    expect_equal(first$x, rep(0, nrow(results)))
    expect_equal(first$y, results$ari)
})

test_that("scores below zero are drawn at the centre, and nothing is dropped with a warning", {
    results <- some_results()
    results$ari[1] <- -0.2
    plot <- plot.parameter_analysis(results)
    expect_no_warning(ggplot2::ggplot_build(plot))
    first <- subset(polygons_of(plot), group == 1)[1, ]
    expect_identical(c(first$x, first$y), c(0, 0))
})

test_that("bad input is refused", {
    results <- some_results()
    expect_error(plot.parameter_analysis(3), "'x' must be a data frame", class = "pnmf_error")
    expect_error(plot.parameter_analysis(results[0, ]), "'x' must be a data frame", class = "pnmf_error")
    expect_error(plot.parameter_analysis(results[-4]), "it lacks ari", class = "pnmf_error")
    results$nmi[2] <- NA
    expect_error(plot.parameter_analysis(results), "'x\\$nmi' must be finite numbers", class = "pnmf_error")
})

test_that("results of a parameter analysis have all columns, as finite numbers", {
    results <- as.data.frame(as.list(stats::setNames(1:8 / 8, c(penalty_names, radar_scores))))
    expect_identical(assert_parameter_results(results), results)
    expect_refused(assert_parameter_results(results[0, ]), "'results' must be a data frame")
    expect_refused(assert_parameter_results(as.list(results)), "'results' must be a data frame")
    expect_refused(assert_parameter_results(results[-(4:5)]), "it lacks ari, nmi")
    expect_refused(assert_parameter_results(utils::modifyList(results, list(nmi = "high"))),
            "'results\\$nmi' must be finite numbers, not \"high\"")
    expect_refused(assert_parameter_results(utils::modifyList(results, list(ari = NaN, nmi = Inf))),
            "'results\\$ari' must be finite numbers, not NaN")
})
