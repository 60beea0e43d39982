skip_without_report_packages()

small_view <- function(...) report_view(report_path(), ..., suggested = 2, n_start = 2)

test_that("thresholds stand at their scale's place, and distances between them in order", {
    limits <- c(2, 3, 7)
    expect_equal(place_of_distance(limits, limits), 1:3)
    expect_equal(place_of_distance(c(0, 1, 5, 99), limits), c(0.5, 0.75, 2.5, 3))
    expect_equal(place_of_distance(c(0, 0), 0), c(1, 1))
    expect_equal(place_of_distance(c(1, 4), 4), c(0.625, 1))
})

test_that("at each scale's line as many bars are left as there are components", {
    view <- small_view()
    ruler <- ruler_figure(view)
    ends <- unlist(lapply(ruler$data[1:2], function(trace) unclass(trace$x)[c(FALSE, TRUE, FALSE)]))
    # 60 cells: every bar is drawn. A component that merges at a threshold still counts there.
    left <- vapply(seq_along(view$scales), function(s) sum(ends >= s - 1e-9), integer(1))
    expect_identical(left, view$path@scales$betti0[view$scales])
    expect_identical(as.integer(ruler$data[[3]]$y), view$path@scales$betti0[view$scales])
    # The components are drawn below the bars, and the two do not overlap.
    expect_false(is.unsorted(c(0, ruler$layout$yaxis2$domain, ruler$layout$yaxis$domain, 1)))
})

test_that("every chart of scales has the current scale's line first, then the suggested one", {
    figures <- report_figures(small_view(report_cells()$type))
    for (name in c("ruler", "tree", "scores")) {
        expect_identical(vapply(figures[[name]]$layout$shapes, `[[`, 1L, "x0"), 1:2)
        expect_identical(figures[[name]]$layout$xaxis$range, c(0.5, 6.5))
    }
    expect_length(report_figures(report_view(report_path(), suggested = NA))$ruler$layout$shapes, 1L)
})

test_that("tree edges join their nodes, and carry every cell unless they are weak", {
    view <- small_view(report_cells()$type)
    tree <- tree_figure(view)
    nodes <- tree$data[[length(tree$data)]]
    expect_identical(length(nodes$x), nrow(view$tree$nodes))
    places <- paste(nodes$x, nodes$y)
    for (trace in tree$data[-length(tree$data)]) {
        ends <- !is.na(trace$x)
        expect_true(all(paste(trace$x, trace$y)[ends] %in% places))
    }
})

test_that("labels reach plotly escaped", {
    labels <- rep(c("<script>x</script>", "a & b"), each = 30)
    tree <- tree_figure(small_view(labels))
    texts <- tree$data[[length(tree$data)]]$text
    expect_false(any(grepl("<script", texts, fixed = TRUE)))
    expect_true(any(grepl("mostly &lt;script&gt;x&lt;/script&gt;", texts, fixed = TRUE)))
    expect_true(any(grepl("mostly a &amp; b", texts, fixed = TRUE)))
})

test_that("many cells are drawn with WebGL", {
    view <- list(shown = 1:3000, layout = list(x = matrix(runif(10)), y = matrix(runif(10)), axes = c("a", "b")))
    expect_identical(cells_figure(view)$data[[1]]$type, "scattergl")
    view$shown <- 1:100
    expect_identical(cells_figure(view)$data[[1]]$type, "scatter")
})

test_that("one scale has a ruler and no tree", {
    figures <- report_figures(report_view(report_path()[3], suggested = NA))
    expect_null(figures$tree)
    expect_identical(figures$ruler$layout$xaxis$range, c(0.5, 1.5))
})
