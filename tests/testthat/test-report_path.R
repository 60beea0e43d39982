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
                    x = normalize_counts(report_cells()$counts, method = "paper"))
    browser <- browse(tools, page)
    expect_identical(tools$page_errors(browser), character())
    asked <- grep("^(data|blob):", tools$requested(browser), invert = TRUE, value = TRUE)
    expect_identical(basename(asked), basename(page))
    expect_match(text_of(tools, browser, "readout"), "^Scale 2 of 6: [0-9.]+ effective cells|^Scale 2 of 6: threshold")
    charts <- tools$evaluate(browser, "document.querySelectorAll('.main-svg .plot').length")
    expect_gte(charts, 2)
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
        expect_equal(mark_of(tools, browser, "tree"), t)
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
                 sprintf("^Cluster %d at scale %d: %d cell", cluster, view$tree$nodes$x[node], length(members)))
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
    browser <- browse(tools, page_of(report_path(), labels = cells$type, suggested = NA,
                                     x = normalize_counts(cells$counts, method = "paper")))
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
    # At the finest scale, track 2 is factor 2.
    expect_identical(colours("program-2"), ramp[round(255 * value / max(value)) + 1L])
})

test_that("any gene is found by its name and colours the cells by its measured values", {
    tools <- browser_tools()
    x <- normalize_counts(report_cells()$counts, method = "paper")
    browser <- browse(tools, page_of(report_path(), suggested = NA, x = x))
    colours <- function() {
        wait_for_page(tools, browser)
        unlist(tools$evaluate(browser, "document.getElementById('pnmf-cells').data[0].marker.color"))
    }
    ramp <- grDevices::hcl.colors(256, "viridis")
    rounded <- function(value) {
        step <- ifelse(value > 0, pmax(1, ceiling(gene_steps * value / max(value) - 0.5)), 0)
        ramp[round(255 * step / gene_steps) + 1L]
    }
    # Typed letter by letter: "gene1" is a gene already, "gene11" another one.
    tools$evaluate(browser, "document.getElementById('pnmf-search').focus()")
    tools$type_text(browser, "gene11")
    tools$wait_until(browser, "document.getElementById('pnmf-found').textContent.includes('gene11,')")
    expect_identical(colours(), rounded(x["gene11", ]))
    expect_identical(text_of(tools, browser, "found"), "Cells are coloured by gene11, measured values.")
    chosen <- tools$evaluate(browser, "document.getElementById('pnmf-colour').selectedOptions[0].text")
    expect_identical(chosen, "gene11")
    tools$set_value(browser, "#pnmf-search", "GENE7")
    expect_identical(colours(), rounded(x["gene7", ]))
    tools$set_value(browser, "#pnmf-search", "ene1")
    wait_for_page(tools, browser)
    expect_match(text_of(tools, browser, "found"), "^No gene ene1 among the 60 genes on this page; there is gene1, ")
    expect_identical(tools$evaluate(browser, "document.getElementById('pnmf-found').getAttribute('role')"), "status")
    tools$evaluate(browser, "document.querySelector('#pnmf-programs td button').click()")
    wait_for_page(tools, browser)
    expect_match(text_of(tools, browser, "found"), "^Cells are coloured by gene[0-9]+, measured values[.]$")
    expect_identical(tools$page_errors(browser), character())
})

test_that("without data a page finds genes by their fitted values, at every scale", {
    tools <- browser_tools()
    path <- report_path()
    browser <- browse(tools, page_of(path, suggested = NA))
    tools$set_value(browser, "#pnmf-search", "gene3")
    ramp <- grDevices::hcl.colors(256, "viridis")
    for (t in c(1, 4)) {
        tools$set_value(browser, "#pnmf-scale", t)
        wait_for_page(tools, browser)
        drawn <- unlist(tools$evaluate(browser, "document.getElementById('pnmf-cells').data[0].marker.color"))
        fitted <- drop(loading(path, t)["gene3", ] %*% t(embedding(path, t)))
        # Rounding of two loadings and two factors, by half a step each, and that of the colour; a colour may stand for
        # two neighbouring steps.
        expect_lte(max(abs(match(drawn, ramp) - 1 - 255 * fitted / max(fitted))), 4 * 0.5 + 0.5 + 1)
    }
    expect_identical(text_of(tools, browser, "found"), "Cells are coloured by gene3, fitted values.")
    expect_identical(tools$page_errors(browser), character())
})

test_that("the markers and programs of a selected cluster are those of R", {
    tools <- browser_tools()
    path <- report_path()
    x <- normalize_counts(report_cells()$counts, method = "paper")
    type <- report_cells()$type
    browser <- browse(tools, page_of(path, labels = type, suggested = NA, x = x))
    tools$evaluate(browser, "document.querySelector('#pnmf-legend button').click()")
    tools$wait_until(browser, "document.querySelector('#pnmf-markers tbody') !== null")
    inside <- type == levels(type)[1]
    # The page has values in 15 steps.
    steps <- t(apply(as.matrix(x), 1, function(v) {
        ifelse(v > 0, pmax(1, ceiling(gene_steps * v / max(v) - 0.5)), 0) * max(v) / gene_steps
    }))
    t_value <- apply(steps, 1, function(v) {
        tryCatch(stats::t.test(v[inside], v[!inside])$statistic, error = function(e) NA)
    })
    rows <- unlist(tools$evaluate(browser, paste0(
        "[...document.querySelectorAll('#pnmf-markers tbody tr')].map((row) => row.children[0].textContent)"
    )))
    expect_identical(rows[1:5], names(sort(t_value, decreasing = TRUE))[1:5])
    usage <- embedding(path, 1) / rowSums(embedding(path, 1))
    most <- which.max(colMeans(usage[inside, ]) - colMeans(usage[!inside, ]))
    expect_identical(tools$evaluate(browser, "document.querySelector('#pnmf-usage tbody td').textContent"),
                     as.character(most))
    expect_identical(tools$page_errors(browser), character())
})

test_that("labels are saved as CSV and the map as SVG", {
    tools <- browser_tools()
    path <- report_path()
    type <- report_cells()$type
    browser <- browse(tools, page_of(path, labels = list(type = type), suggested = NA))
    csv <- utils::read.csv(text = tools$evaluate(browser, "window.pnmfPage.labels()"), check.names = FALSE)
    expect_identical(csv$cell, path@cell_names)
    expect_identical(csv$type, as.character(type))
    expect_identical(csv[["cluster at scale 4"]], unname(persistent_clusters(path)$clusters$scale.4))
    svg <- tools$evaluate(browser, "window.pnmfPage.map()")
    expect_length(gregexpr("r=\"1.5\"", svg)[[1]], 60L)
    expect_match(svg, ">type1</text>", fixed = TRUE)
    tools$evaluate(browser, "document.getElementById('pnmf-csv').click()")
    tools$evaluate(browser, "document.getElementById('pnmf-svg').click()")
    expect_identical(tools$page_errors(browser), character())
})

test_that("a page follows the dark mode of its reader", {
    tools <- browser_tools()
    browser <- browse(tools, page_of(report_path(), suggested = NA))
    ink <- function() tools$evaluate(browser, "document.getElementById('pnmf-tree').layout.font.color")
    expect_identical(ink(), "#1a1a1a")
    dark <- list(features = list(list(name = "prefers-color-scheme", value = "dark")))
    tools$send(browser, "Emulation.setEmulatedMedia", dark)
    tools$wait_until(browser, "document.getElementById('pnmf-tree').layout.font.color === '#ececec'")
    paper <- "getComputedStyle(document.querySelector('.pnmf')).backgroundColor"
    expect_identical(tools$evaluate(browser, paper), "rgb(22, 24, 27)")
})

test_that("a browser that cannot unpack by itself shows the same page", {
    tools <- browser_tools()
    x <- normalize_counts(report_cells()$counts, method = "paper")
    page <- page_of(report_path(), labels = report_cells()$type, suggested = NA, x = x)
    html <- sub("<head>", "<head><script>delete window.DecompressionStream;</script>", readLines(page), fixed = TRUE)
    writeLines(html, page)
    browser <- browse(tools, page)
    tools$set_value(browser, "#pnmf-search", "gene7")
    wait_for_page(tools, browser)
    expect_identical(text_of(tools, browser, "found"), "Cells are coloured by gene7, measured values.")
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
    row <- which.max(lives$first)
    cell <- function(k) {
        tools$evaluate(browser, sprintf("document.querySelectorAll('#pnmf-lifetimes tr')[%d].children[%d].textContent",
                                        row - 1, k))
    }
    expect_identical(cell(1), as.character(lives$size[row]))
    scrolls <- "((box) => box.scrollWidth > box.clientWidth)(document.querySelector('#pnmf-lifetimes').closest('div'))"
    expect_false(tools$evaluate(browser, scrolls))
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
    path@feature_names[path@feature_names == factor_markers(path, 1, n = 1, by = "loading")$feature[1]] <- attack(2)
    labels <- rep(c("plain", attack(3)), each = 30)
    data <- matrix(1, 1, 60, dimnames = list(attack(4), NULL))
    browser <- browse(tools, page_of(path, labels = labels, suggested = NA, title = attack(5), x = data))
    at <- place_of_point(tools, browser, "cells", 0, 0)
    tools$send(browser, "Input.dispatchMouseEvent", list(type = "mouseMoved", x = at[1], y = at[2]))
    tools$wait_until(browser, "document.querySelector('#pnmf-cells .hovertext') !== null")
    hover <- tools$evaluate(browser, "document.querySelector('#pnmf-cells .hoverlayer').textContent")
    expect_match(hover, attack(1), fixed = TRUE)
    expect_match(text_of(tools, browser, "programs"), attack(2), fixed = TRUE)
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
