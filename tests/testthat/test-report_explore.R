skip_without_report_packages()
skip_if_not_installed("shiny")

explored_view <- function() {
    report_view(report_path(), report_cells()$type, suggested = NA, max_cells = 20, seed = 1)
}

test_that("a selection becomes names of cells: all of a cluster or a label, those drawn of a lasso", {
    view <- explored_view()
    cells <- report_path()@cell_names
    found <- explored(view, 4, list(kind = "cluster", scale = 4, cluster = 2))
    expect_identical(found, list(t = 4L, cells = cells[view$clusters$scale.4 == 2]))
    found <- explored(view, 2, list(kind = "label", column = 1, label = 3))
    expect_identical(found$cells, cells[report_cells()$type == "type3"])
    expect_identical(explored(view, 2, list(kind = "cells", cells = list(1, 5)))$cells, cells[view$shown[c(1, 5)]])
    expect_identical(explored(view, NULL, NULL), list(t = 1L, cells = character()))
})

test_that("Done returns once what is selected then, Cancel and a closed window nothing", {
    view <- explored_view()
    ended <- list()
    finish <- function(result) ended <<- c(ended, list(result))
    shiny::testServer(explore_server(view, finish), {
        session$setInputs(pnmf_scale = 2, pnmf_selection = list(kind = "label", column = 1, label = 1))
        session$setInputs(pnmf_scale = 5)
        session$setInputs(done = 1)
        session$setInputs(cancel = 1)
    })
    expect_identical(ended, list(list(t = 5L, cells = report_path()@cell_names[1:10])))
    ended <- list()
    shiny::testServer(explore_server(view, finish), session$setInputs(pnmf_scale = 2, cancel = 1))
    expect_identical(ended, list(NULL))
    ended <- list()
    shiny::testServer(explore_server(view, finish), session$setInputs(pnmf_scale = 2))
    expect_identical(ended, list(NULL))
})

test_that("bad input is refused before anything opens", {
    expect_error(explore_path("a"), "'path' must be a pNMFPath", class = "pnmf_error")
    skip_if(interactive(), "in an interactive session the gadget would open")
    expect_error(explore_path(report_path()), "needs an interactive session", class = "pnmf_error")
    expect_error(explore_path(report_path(), labels = 1:3, viewer = identity), "'labels' must have",
                 class = "pnmf_error")
})

test_that("in a browser the gadget returns the chosen scale and the selected cells", {
    tools <- browser_tools()
    folder <- tempfile()
    dir.create(folder)
    saveRDS(report_path(), file.path(folder, "path.rds"))
    script <- file.path(folder, "gadget.R")
    writeLines(c(
        sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
        sprintf("setwd(%s)", deparse(folder)), "library(pNMF)", "path <- readRDS('path.rds')",
        "announce <- function(url) { writeLines(url, 'new'); file.rename('new', 'url') }",
        "result <- explore_path(path, rep(c('a', 'b'), each = 30), suggested = NA, viewer = announce)",
        "saveRDS(result, 'result.rds')"
    ), script)
    gadget <- processx::process$new(file.path(R.home("bin"), "Rscript"), script, stderr = file.path(folder, "log"))
    on.exit(gadget$kill())
    address <- file.path(folder, "url")
    deadline <- Sys.time() + 120
    while (!file.exists(address) && gadget$is_alive() && Sys.time() < deadline) Sys.sleep(0.1)
    if (!file.exists(address)) stop("the gadget did not start: ", toString(readLines(file.path(folder, "log"))))
    browser <- browse(tools, readLines(address))
    tools$wait_until(browser, "Boolean(window.Shiny && Shiny.shinyapp && Shiny.shinyapp.isConnected())")
    tools$evaluate(browser, "document.getElementById('pnmf-scale').focus()")
    tools$press(browser, "ArrowRight", 39)
    wait_for_page(tools, browser)
    tools$evaluate(browser, "document.querySelectorAll('#pnmf-legend button')[1].click()")
    wait_for_page(tools, browser)
    expect_identical(tools$page_errors(browser), character())
    tools$evaluate(browser, "document.getElementById('done').click()")
    gadget$wait(60000)
    expect_identical(readRDS(file.path(folder, "result.rds")), list(t = 2L, cells = report_path()@cell_names[31:60]))
})
