#' Explore a path and return the selected cells
#'
#' Opens the page of [path_report()] as a Shiny gadget, in an RStudio window or
#' otherwise in the browser. *Done* closes it and returns the scale chosen with
#' the slider and the cells selected in the tree, in the lists or with the
#' lasso.
#'
#' Selecting a cluster or label selects all its cells, whether they are drawn or
#' not. The lasso selects only cells that are drawn.
#'
#' @inheritParams path_report
#' @param ... Further arguments, passed to [path_report()]: `x`, `clusters`,
#'   `at`, `factors`, `suggested`, `max_cells`, `title`, `seed`.
#' @param viewer Where to open it, see \code{shiny::runGadget()}; `NULL` means
#'   an RStudio window or the browser.
#' @return A list: `t`, the scale, and `cells`, the names of the selected cells
#'   in the path's order. `NULL` if the gadget was cancelled or closed.
#' @seealso [path_report()]
#' @examples
#' if (interactive()) {
#'     cells <- simulate_cells(n_cells = 120)
#'     path <- pnmf(normalize_counts(cells$counts), rank = 6, scales = 12)
#'     chosen <- explore_path(path, labels = cells$type)
#'     head(embedding(path, chosen$t)[chosen$cells, ])
#' }
#' @order 1
#' @export
explore_path <- function(path, labels = NULL, ...) UseMethod("explore_path")

#' @export
explore_path.default <- function(path, labels = NULL, ...) explore_path(as_path(path), labels, ...)

#' @rdname explore_path
#' @order 2
#' @export
explore_path.pNMFPath <- function(path, labels = NULL, ..., viewer = NULL) {
    open_gadget(list(path = path, labels = labels), ..., viewer = viewer)
}

open_gadget <- function(parts, ..., viewer = NULL) {
    assert_installed(c("shiny", "plotly", "htmltools", "jsonlite"), "explore_path()")
    if (is.null(viewer)) {
        if (!interactive()) {
            stop_pnmf("explore_path() needs an interactive session; path_report() works in any session")
        }
        viewer <- shiny::dialogViewer("pNMF", width = 1300, height = 900)
    }
    view <- do.call(report_view, view_arguments(parts, list(...)), quote = TRUE)
    shiny::runGadget(explore_page(view), explore_server(view), viewer = viewer, stopOnCancel = FALSE)
}

explore_page <- function(view) {
    buttons <- htmltools::tags$div(class = "pnmf-actions", shiny::actionButton("cancel", "Cancel"),
                                   shiny::actionButton("done", "Done", class = "btn-primary"))
    elements <- report_elements(view, buttons)
    htmltools::tagList(htmltools::tags$head(elements$head), elements$body)
}

# `finish` ends the gadget with its result. Closing the window cancels the gadget.
explore_server <- function(view, finish = shiny::stopApp) {
    function(input, output, session) {
        open <- TRUE
        end <- function(result) {
            if (open) finish(result)
            open <<- FALSE
        }
        shiny::observeEvent(input$done, end(explored(view, input$pnmf_scale, input$pnmf_selection)))
        shiny::observeEvent(input$cancel, end(NULL))
        session$onSessionEnded(function() end(NULL))
    }
}

# The report of the page, in terms of the path. A selection has kind "cluster" (scale, cluster), "label" (column, label)
# or "cells" (numbers among the cells shown).
explored <- function(view, t, selection) {
    if (is.null(t)) t <- view$scales[report_start(view)]
    list(t = as.integer(t), cells = view$path@cell_names[selected_positions(view, selection)])
}

selected_positions <- function(view, selection) {
    if (is.null(selection)) return(integer())
    switch(selection$kind,
        cluster = which(view$clusters[[scale_name(selection$scale)]] == selection$cluster),
        label = which(as.integer(view$labels[[selection$column]]) == selection$label),
        cells = view$shown[as.integer(unlist(selection$cells))]
    )
}
