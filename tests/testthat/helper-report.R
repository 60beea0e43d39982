# The page of a small path, and a browser to look at it.

report_cells <- function() simulate_cells(n_cells = 60, n_genes = 60, seed = 1)

report_path <- local({
    path <- NULL
    function() {
        if (is.null(path)) {
            path <<- pnmf(normalize_counts(report_cells()$counts, "paper"), rank = 2, scales = 6,
                          control = quick_control())
            path@data <<- NULL
        }
        path
    }
})

# What the script of a page reads, as text.
page_data <- function(file) {
    packed <- sub(".*<script id=\"pnmf-data\"[^>]*>([^<]*)<.*", "\\1", paste(readLines(file), collapse = ""))
    rawToChar(memDecompress(jsonlite::base64_dec(packed), "gzip"))
}

skip_without_report_packages <- function() {
    for (package in c("plotly", "htmltools", "jsonlite")) skip_if_not_installed(package)
}

# Functions of inst/scripts/headless_browser.R, in an environment of their own.
browser_tools <- function() {
    skip_without_report_packages()
    skip_if_not_installed("processx")
    script <- system.file("scripts", "headless_browser.R", package = "pNMF")
    skip_if(script == "", "the scripts are not installed")
    tools <- new.env()
    sys.source(script, tools)
    skip_if(is.na(tools$chromium_program()), "chromium is not on this machine")
    tools
}

# A browser that shows the page, once the charts are drawn; it is closed with the test.
browse <- function(tools, page, width = 1280, height = 900, frame = parent.frame()) {
    browser <- tools$open_browser(width, height)
    do.call(on.exit, list(bquote(.(tools$close_browser)(.(browser))), add = TRUE), envir = frame)
    tools$visit(browser, page)
    wait_for_page(tools, browser)
    browser
}

wait_for_page <- function(tools, browser) tools$wait_until(browser, "document.documentElement.dataset.pnmf === 'ready'")

# The page's text, an attribute or a chart's data: short names for expressions of the tests.
text_of <- function(tools, browser, id) {
    tools$evaluate(browser, sprintf("document.getElementById('pnmf-%s').textContent", id))
}

mark_of <- function(tools, browser, chart) {
    tools$evaluate(browser, sprintf("document.getElementById('pnmf-%s').layout.shapes[0].x0", chart))
}

drawn_x <- function(tools, browser, trace = 0) {
    unlist(tools$evaluate(browser, sprintf("Array.from(document.getElementById('pnmf-cells').data[%d].x)", trace)))
}

# Where a point of a chart is in the window: the point is scrolled to the middle.
place_of_point <- function(tools, browser, chart, trace, point) {
    unlist(tools$evaluate(browser, sprintf(
        "(() => { const chart = document.getElementById('pnmf-%s'); chart.scrollIntoView({block: 'center'});
           const box = chart.getBoundingClientRect(); const full = chart._fullLayout; const data = chart.data[%d];
           return [box.x + full.xaxis._offset + full.xaxis.d2p(data.x[%d]),
                   box.y + full.yaxis._offset + full.yaxis.d2p(data.y[%d])]; })()",
        chart, trace, point, point
    )))
}

page_of <- function(...) {
    file <- tempfile(fileext = ".html")
    path_report(..., file = file)
    file
}
