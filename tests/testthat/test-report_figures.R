skip_without_report_packages()

# Clusters with genes at the page's tree, in its order.
notes_of <- function(view) first_nodes(view$tree$nodes, view$branches)$cluster

small_view <- function(...) report_view(report_path(), ..., suggested = 2)

test_that("the tree has the line of the current scale first, then the suggested one", {
    tree <- report_figures(small_view(report_cells()$type))$tree
    expect_identical(vapply(tree$layout$shapes, `[[`, 1L, "x0"), 1:2)
    expect_identical(tree$layout$xaxis$range, c(0.5, 6.5))
    expect_length(report_figures(report_view(report_path(), suggested = NA))$tree$layout$shapes, 1L)
})

test_that("the axis of the tree has the effective cells, or the scales of a path without them", {
    view <- small_view()
    view$path@scales$effective_cells <- c(60, 31.234, 12, 8, 5, 2)
    expect_identical(axis_text(view), c("60", "31", "12", "8.0", "5.0", "2.0"))
    expect_match(scale_readouts(view)[2], "^Scale 2 of 6: 31 effective cells, [0-9]+ cluster")
    view$path@scales$effective_cells <- NULL
    expect_identical(axis_text(view), as.character(1:6))
    expect_match(scale_readouts(view)[2], "^Scale 2 of 6: threshold [0-9.]+, [0-9]+ component")
})

test_that("tree edges join their nodes, and carry every cell unless they are weak", {
    view <- small_view(report_cells()$type)
    tree <- tree_figure(view)
    nodes <- tree$data[[length(tree$data)]]
    expect_identical(length(nodes$x), nrow(view$tree$nodes))
    places <- paste(nodes$x, nodes$y)
    for (trace in Filter(function(trace) trace$mode == "lines", tree$data)) {
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

test_that("one scale has no tree", {
    expect_null(report_figures(report_view(report_path()[3], suggested = NA))$tree)
})

test_that("genes of a branch end before the edge of the chart, whatever their length", {
    x <- 1:12
    for (letters in c(5, 14, 27)) {
        anchor <- text_anchor(x, rep(letters, 12), 12)
        beyond <- c(left = 1, center = 0.5, right = 0)[anchor] * letters * letter_width(12)
        expect_true(all(x + beyond <= 12.5))
        expect_identical(anchor[1], "left")
    }
    expect_identical(text_anchor(12, 5, 12), "center")
    expect_identical(text_anchor(11, 27, 12), "right")
})

test_that("lines of scales are below the tree, and the genes of a branch below its first circle", {
    view <- small_view()
    tree <- tree_figure(view)
    expect_identical(unique(vapply(tree$layout$shapes, `[[`, "", "layer")), "below")
    notes <- tree$layout$annotations
    expect_identical(vapply(notes, `[[`, "", "text"), view$branches$label[match(notes_of(view), view$branches$cluster)])
    expect_true(all(vapply(notes, `[[`, 1, "yshift") <= -3))
})

test_that("large numbers of cells are readable", {
    expect_identical(counted(whole_number(c(1, 2000)), "cell"), c("1 cell", "2,000 cells"))
})
