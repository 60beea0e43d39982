skip_without_report_packages()

# Where the screenshots of the tests go: PNMF_SCREENSHOTS, for looking at them.
screenshot_folder <- function() {
    folder <- Sys.getenv("PNMF_SCREENSHOTS", tempfile("screenshots"))
    dir.create(folder, showWarnings = FALSE, recursive = TRUE)
    folder
}

test_that("a page is written, its name returned, and an existing one kept unless told otherwise", {
    file <- tempfile(fileext = ".html")
    expect_identical(withVisible(path_report(report_path(), file, suggested = NA)), list(value = file, visible = FALSE))
    expect_match(readLines(file, 1), "<!DOCTYPE html>")
    expect_error(path_report(report_path(), file, suggested = NA), "'file' already exists.*overwrite = TRUE",
                 class = "pnmf_error")
    writeLines("old", file)
    path_report(report_path(), file, suggested = NA, overwrite = TRUE)
    expect_match(readLines(file, 1), "<!DOCTYPE html>")
})

test_that("the same seed gives the same page", {
    pages <- replicate(2, page_of(report_path(), suggested = NA, max_cells = 20, seed = 5))
    expect_identical(readLines(pages[1]), readLines(pages[2]))
})

test_that("bad paths and files are refused with the argument named", {
    path <- report_path()
    refused <- function(message, ...) expect_error(path_report(...), message, class = "pnmf_error")
    refused("'path' must be a pNMFPath object.*not \"a\"", "a", "a.html")
    refused("'file' must be a single string", path, NULL)
    refused("'file' must end in .html", path, "page.txt")
    refused("'file' must be in an existing folder, not in \"/no/such\"", path, "/no/such/page.html")
    refused("'overwrite' must be", path, "page.html", overwrite = NA)
    folder <- file.path(tempfile(), "folder.html")
    dir.create(folder, recursive = TRUE)
    refused("'file' cannot be written", path, folder, overwrite = TRUE)
    skip_if_not(dir.exists("/proc"), "only Linux has a folder that nobody can write to")
    refused("'file' cannot be written: \"/proc/page.html\"", path, "/proc/page.html", suggested = NA)
})

test_that("in a browser the page loads without errors and without a request", {
    tools <- browser_tools()
    page <- page_of(report_path(), labels = report_cells()$type, suggested = 2,
                    data = normalize_counts(report_cells()$counts, method = "paper"))
    browser <- browse(tools, page)
    expect_identical(tools$page_errors(browser), character())
    asked <- grep("^(data|blob):", tools$requested(browser), invert = TRUE, value = TRUE)
    expect_identical(basename(asked), basename(page))
    expect_match(text_of(tools, browser, "readout"), "^Scale 2 of 6: threshold")
    charts <- tools$evaluate(browser, "document.querySelectorAll('.main-svg .plot').length")
    expect_gte(charts, 4)
})

test_that("the slider moves the cells, the marks, the lists and what it says, by mouse and by keyboard", {
    tools <- browser_tools()
    path <- report_path()
    browser <- browse(tools, page_of(path, labels = report_cells()$type, suggested = NA))
    first <- drawn_x(tools, browser)
    # 16 bits over the range of all scales.
    step <- diff(range(vapply(1:6, function(t) range(embedding(path, t)[, 1]), numeric(2)))) / 65535
    expect_lt(max(abs(first - embedding(path, 1)[, 1])), 0.501 * step)
    shots <- vapply(c(1, 3, 6), function(t) {
        tools$set_value(browser, "#pnmf-scale", t)
        wait_for_page(tools, browser)
        expect_lt(max(abs(drawn_x(tools, browser) - embedding(path, t)[, 1])), 0.501 * step)
        for (chart in c("ruler", "tree", "scores")) expect_equal(mark_of(tools, browser, chart), t)
        expect_match(text_of(tools, browser, "readout"), paste("^Scale", t, "of 6"))
        tools$screenshot(browser, file.path(screenshot_folder(), sprintf("scale-%d.png", t)))
    }, "")
    expect_identical(anyDuplicated(lapply(shots, function(file) readBin(file, raw(), file.size(file)))), 0L)
    tools$evaluate(browser, "document.getElementById('pnmf-scale').focus()")
    tools$press(browser, "ArrowLeft", 37)
    tools$wait_until(browser, "document.getElementById('pnmf-readout').textContent.startsWith('Scale 5 ')")
    wait_for_page(tools, browser)
    expect_equal(mark_of(tools, browser, "tree"), 5)
    expect_identical(tools$page_errors(browser), character())
})

test_that("a click on a node of the tree selects its cells everywhere", {
    tools <- browser_tools()
    type <- report_cells()$type
    path <- report_path()
    browser <- browse(tools, page_of(path, labels = type, suggested = NA, seed = 1))
    view <- report_view(path, type, suggested = NA, seed = 1)
    node <- 8L
    cluster <- as.integer(view$tree$nodes$cluster[node])
    members <- which(view$clusters[[view$tree$nodes$x[node]]] == cluster)
    traces <- length(tree_figure(view)$data)
    at <- place_of_point(tools, browser, "tree", traces - 1, node - 1)
    tools$click(browser, at[1], at[2])
    tools$wait_until(browser, "document.getElementById('pnmf-selected').textContent.startsWith('Cluster ')")
    wait_for_page(tools, browser)
    expect_match(text_of(tools, browser, "selected"),
                 sprintf("^Cluster %d at scale 2: %d cell", cluster, length(members)))
    names <- tools$evaluate(browser, "document.getElementById('pnmf-names').value")
    expect_identical(strsplit(names, "\n")[[1]], path@cell_names[members])
    expect_length(drawn_x(tools, browser, trace = 1), length(members))
    opacity <- unlist(tools$evaluate(browser, sprintf(
        "document.getElementById('pnmf-tree').data[%d].marker.opacity", traces - 1
    )))
    expect_equal(opacity[node], 1)
    expect_lt(min(opacity), 0.2)
    tools$evaluate(browser, "document.getElementById('pnmf-clear').click()")
    wait_for_page(tools, browser)
    expect_length(drawn_x(tools, browser, trace = 1), 0L)
    expect_match(text_of(tools, browser, "selected"), "^None")
})

test_that("clusters and labels can be selected by keyboard, and cells coloured by factor and gene", {
    tools <- browser_tools()
    cells <- report_cells()
    browser <- browse(tools, page_of(report_path(), labels = cells$type, suggested = NA, genes = "gene7",
                                     data = normalize_counts(cells$counts, method = "paper")))
    for (list in c("clusters", "legend")) {
        tools$evaluate(browser, sprintf("document.querySelector('#pnmf-%s button').focus()", list))
        tools$press(browser, "Enter", 13)
        wait_for_page(tools, browser)
        pressed <- sprintf("document.querySelector('#pnmf-%s button').getAttribute('aria-pressed')", list)
        expect_identical(tools$evaluate(browser, pressed), "true")
        expect_identical(tools$evaluate(browser, "document.activeElement.getAttribute('aria-pressed')"), "true")
    }
    expect_identical(text_of(tools, browser, "selected"), "type1: 10 cells.")
    tools$evaluate(browser, "document.getElementById('pnmf-clear').click()")
    colours <- function(key) {
        tools$set_value(browser, "#pnmf-colour", key)
        wait_for_page(tools, browser)
        unlist(tools$evaluate(browser, "document.getElementById('pnmf-cells').data[0].marker.color"))
    }
    expect_length(unique(colours("label-0")), 6L)
    value <- embedding(report_path(), 1)[, 2]
    ramp <- grDevices::hcl.colors(256, "viridis")
    expect_identical(colours("factor-2"), ramp[round(255 * value / max(value)) + 1L])
})

test_that("a gene is found by its name and colours the cells, by measured and by fitted values", {
    tools <- browser_tools()
    x <- normalize_counts(report_cells()$counts, method = "paper")
    path <- report_path()
    top <- setdiff(top_features(path, 1)$feature, c("gene1", "gene7", "gene11"))[1]
    browser <- browse(tools, page_of(path, suggested = NA, data = x, genes = c("gene7", "gene11", "gene1", top)))
    colours <- function() {
        wait_for_page(tools, browser)
        unlist(tools$evaluate(browser, "document.getElementById('pnmf-cells').data[0].marker.color"))
    }
    ramp <- grDevices::hcl.colors(256, "viridis")
    rounded <- function(value) ramp[round(255 * value / max(value)) + 1L]
    # Typed letter by letter: "gene1" is a gene already, "gene11" another one.
    tools$evaluate(browser, "document.getElementById('pnmf-search').focus()")
    tools$type_text(browser, "gene11")
    expect_identical(colours(), rounded(x["gene11", ]))
    expect_identical(text_of(tools, browser, "found"), "Cells are coloured by gene11, measured values.")
    chosen <- tools$evaluate(browser, "document.getElementById('pnmf-colour').selectedOptions[0].text")
    expect_identical(chosen, "gene11")
    tools$set_value(browser, "#pnmf-search", "GENE7")
    expect_identical(colours(), rounded(x["gene7", ]))
    tools$set_value(browser, "#pnmf-values", "fitted")
    for (t in c(1, 4)) {
        tools$set_value(browser, "#pnmf-scale", t)
        fitted <- drop(loading(path, t)["gene7", ] %*% t(embedding(path, t)))
        # Rounding of two loadings and two factors, by half a step each, and that of the colour; a colour may stand for
        # two neighbouring steps.
        expect_lte(max(abs(match(colours(), ramp) - 1 - 255 * fitted / max(fitted))), 4 * 0.5 + 0.5 + 1)
    }
    expect_match(text_of(tools, browser, "legend"), "^0[0-9.]+$")
    tools$set_value(browser, "#pnmf-search", "ene1")
    wait_for_page(tools, browser)
    expect_identical(text_of(tools, browser, "found"),
                     "No gene ene1 among the 4 on this page; there is gene11, gene1.")
    expect_identical(tools$evaluate(browser, "document.getElementById('pnmf-found').getAttribute('role')"), "status")
    tools$evaluate(browser, "document.querySelector('#pnmf-features td button').click()")
    wait_for_page(tools, browser)
    expect_match(text_of(tools, browser, "found"), "^Cells are coloured by gene[0-9]+, fitted values[.]$")
    expect_identical(tools$page_errors(browser), character())
})

test_that("without data a page finds genes by their fitted values", {
    tools <- browser_tools()
    browser <- browse(tools, page_of(report_path(), suggested = NA))
    expect_true(tools$evaluate(browser, "document.getElementById('pnmf-values-label').hidden"))
    tools$set_value(browser, "#pnmf-search", "gene3")
    wait_for_page(tools, browser)
    expect_identical(text_of(tools, browser, "found"), "Cells are coloured by gene3, fitted values.")
    expect_identical(tools$page_errors(browser), character())
})

test_that("a browser that cannot unpack values still shows labels and clusters, and says what it lacks", {
    tools <- browser_tools()
    page <- page_of(report_path(), labels = report_cells()$type, suggested = NA)
    html <- sub("<head>", "<head><script>delete window.DecompressionStream;</script>", readLines(page), fixed = TRUE)
    writeLines(html, page)
    browser <- browse(tools, page)
    expect_identical(text_of(tools, browser, "found"), "This browser is too old to show factors and genes.")
    expect_identical(tools$evaluate(browser, "document.getElementById('pnmf-colour').options.length"), 2L)
    expect_identical(tools$page_errors(browser), character())
})

test_that("each of several label columns colours the cells, and its groups can be selected", {
    tools <- browser_tools()
    labels <- data.frame(type = report_cells()$type, donor = rep(c("d1", "d2", "d3"), 20))
    browser <- browse(tools, page_of(report_path(), labels = labels, suggested = NA))
    expect_match(text_of(tools, browser, "legend"), "^type1 ")
    tools$set_value(browser, "#pnmf-colour", "label-1")
    wait_for_page(tools, browser)
    expect_identical(text_of(tools, browser, "legend"), "d1 (20)d2 (20)d3 (20)")
    drawn <- unlist(tools$evaluate(browser, "document.getElementById('pnmf-cells').data[0].marker.color"))
    expect_identical(drawn, rep(group_colours(3), 20))
    tools$evaluate(browser, "document.querySelectorAll('#pnmf-legend button')[1].click()")
    wait_for_page(tools, browser)
    expect_identical(text_of(tools, browser, "selected"), "d2: 20 cells.")
    names <- tools$evaluate(browser, "document.getElementById('pnmf-names').value")
    expect_identical(strsplit(names, "\n")[[1]], report_path()@cell_names[seq(2, 60, 3)])
    heads <- tools$evaluate(browser, "[...document.querySelectorAll('#pnmf-composition th')].map((e) => e.textContent)")
    expect_identical(unlist(heads)[c(1, 3, 5)], c("type", "donor", "cluster at this scale"))
    expect_identical(tools$page_errors(browser), character())
})

test_that("the table of persistence selects clusters, by keyboard too, and goes to a scale where they live", {
    tools <- browser_tools()
    path <- report_path()
    lives <- report_view(path, suggested = NA)$lifetimes
    browser <- browse(tools, page_of(path, suggested = NA))
    row <- which(lives$first > 1)[1]
    cell <- function(k) {
        tools$evaluate(browser, sprintf("document.querySelectorAll('#pnmf-lifetimes tr')[%d].children[%d].textContent",
                                        row - 1, k))
    }
    expect_identical(cell(1), as.character(lives$size[row]))
    expect_identical(cell(3), sprintf("%.2f", lives$persistence[row]))
    button <- sprintf("document.querySelectorAll('#pnmf-lifetimes button')[%d]", row - 1)
    tools$evaluate(browser, paste0(button, ".focus()"))
    tools$press(browser, "Enter", 13)
    wait_for_page(tools, browser)
    expect_match(text_of(tools, browser, "readout"), sprintf("^Scale %d of 6", lives$first[row]))
    expect_match(text_of(tools, browser, "selected"), sprintf("^Cluster %d at scale %d: %d cells", lives$cluster[row],
                                                              lives$first[row], lives$size[row]))
    expect_identical(tools$evaluate(browser, paste0(button, ".getAttribute('aria-pressed')")), "true")
    expect_true(tools$evaluate(browser, paste0(button, " === document.activeElement")))
    tools$press(browser, "Enter", 13)
    wait_for_page(tools, browser)
    expect_match(text_of(tools, browser, "selected"), "^None")
    expect_identical(tools$page_errors(browser), character())
})

test_that("names with tags are shown as text and never run", {
    tools <- browser_tools()
    path <- report_path()
    attack <- function(k) sprintf("</script><script>window.ran=%d</script><img src=x onerror=window.ran=%d>&amp;", k, k)
    path@cell_names <- paste0(attack(1), seq_along(path@cell_names)) # points may lie on one another
    path@feature_names[path@feature_names == top_features(path, 1, n = 1)$feature[1]] <- attack(2)
    labels <- rep(c("plain", attack(3)), each = 30)
    data <- matrix(1, 1, 60, dimnames = list(attack(4), NULL))
    browser <- browse(tools, page_of(path, labels = labels, suggested = NA, title = attack(5), data = data,
                                     genes = attack(4)))
    at <- place_of_point(tools, browser, "cells", 0, 0)
    tools$send(browser, "Input.dispatchMouseEvent", list(type = "mouseMoved", x = at[1], y = at[2]))
    tools$wait_until(browser, "document.querySelector('#pnmf-cells .hovertext') !== null")
    hover <- tools$evaluate(browser, "document.querySelector('#pnmf-cells .hoverlayer').textContent")
    expect_match(hover, attack(1), fixed = TRUE)
    expect_match(text_of(tools, browser, "features"), attack(2), fixed = TRUE)
    expect_match(text_of(tools, browser, "legend"), attack(3), fixed = TRUE)
    tools$set_value(browser, "#pnmf-search", attack(4))
    wait_for_page(tools, browser)
    expect_match(text_of(tools, browser, "colour"), attack(4), fixed = TRUE)
    expect_match(text_of(tools, browser, "found"), attack(4), fixed = TRUE)
    expect_identical(tools$evaluate(browser, "document.querySelector('h1').textContent"), attack(5))
    expect_identical(tools$evaluate(browser, "document.title"), attack(5))
    expect_null(tools$evaluate(browser, "window.ran"))
    expect_identical(tools$evaluate(browser, "document.querySelectorAll('.pnmf img').length"), 0L)
    expect_identical(tools$page_errors(browser), character())
})

test_that("a path of one scale has a page, and the page fits a phone", {
    tools <- browser_tools()
    browser <- browse(tools, page_of(report_path()[3]), width = 360, height = 740)
    expect_identical(tools$page_errors(browser), character())
    expect_match(text_of(tools, browser, "readout"), "^Scale 1 of 1:")
    expect_true(tools$evaluate(browser, "document.getElementById('pnmf-scale').disabled"))
    expect_lte(tools$evaluate(browser, "document.documentElement.scrollWidth"), 360)
})
