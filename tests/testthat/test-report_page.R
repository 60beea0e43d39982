skip_without_report_packages()

test_that("a file's closing tags cannot end the element it stands in", {
    file <- tempfile()
    writeLines(c("var a = '</script>';", "var b = '</STYLE>'; // \u00e4"), file, useBytes = TRUE)
    expect_identical(script_text(file), "var a = '<\\/script>';\nvar b = '<\\/STYLE>'; // \u00e4")
    expect_gt(nchar(plotly_script(), "bytes"), 1e6)
})

test_that("the page says what it leaves out", {
    html <- report_html(report_view(report_path(), suggested = NA, max_cells = 25, at = c(1, 3)))
    expect_match(html, "Points are a random sample of 25 of the 60 cells; clusters and tree use all cells.",
                 fixed = TRUE)
    expect_match(html, "The slider has 2 of the 6 scales.", fixed = TRUE)
    expect_match(html, "This page has no measured values: genes show their fitted values.", fixed = TRUE)
    whole <- report_html(report_view(report_path(), suggested = NA))
    expect_false(grepl("random sample", whole, fixed = TRUE))
    expect_match(whole, "Its persistence says at which share of the path's scales it exists.")
})

test_that("the slider moves unless there is a single scale", {
    slider <- function(scales) as.character(slider_bar(report_view(report_path(), suggested = NA, at = scales)))
    expect_match(slider(3), " disabled", fixed = TRUE)
    expect_no_match(slider(c(1, 3)), " disabled", fixed = TRUE)
})

test_that("the page names no file or address to load", {
    html <- report_html(report_view(report_path(), suggested = NA))
    elements <- gsub("(?s)<script[^>]*>.*?</script>", "", html, perl = TRUE)
    expect_false(grepl("(src|href)=\"(?!data:)", elements, perl = TRUE))
    expect_false(grepl("@import|url\\(", elements))
})

test_that("the summary is that of the fit", {
    path <- report_path()
    terms <- report_summary(report_view(path, suggested = NA, clusters = path_clusters(path, 3, n_start = 2)))
    expect_identical(terms[["features x cells"]], "60 x 60")
    expect_identical(terms[["rank"]], "2")
    expect_identical(terms[["lambda graph, smooth, anchor"]], "1, 1, 0.1")
    expect_identical(terms[["solver"]], "hals")
    expect_identical(terms[["sweeps"]], "4")
    expect_identical(terms[["clusters"]], "3 to 3 per scale")
    expect_identical(terms[["convergence"]], sprintf("%d of 6 scales converged", sum(converged(path))))
})

test_that("the title is text", {
    html <- report_html(report_view(report_path(), suggested = NA, title = "<script>a</script> & b"))
    expect_match(html, "<title>&lt;script&gt;a&lt;/script&gt; &amp; b</title>", fixed = TRUE)
    expect_match(html, "<h1>&lt;script&gt;a&lt;/script&gt; &amp; b</h1>", fixed = TRUE)
})
