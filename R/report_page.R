# The page itself: HTML elements with report_data(), plotly, the script and the style.

# Elements of a page, for a file or for Shiny. `buttons` are placed beside the title.
report_elements <- function(view, buttons = NULL) {
    tags <- htmltools::tags
    list(
        head = htmltools::tagList(
            tags$meta(name = "viewport", content = "width=device-width, initial-scale=1"),
            # Without it, browsers request an icon from the server or the folder.
            tags$link(rel = "icon", href = "data:,"),
            tags$title(view$title), tags$style(htmltools::HTML(report_file("report.css")))
        ),
        body = tags$div(
            class = "pnmf",
            tags$header(tags$h1(view$title), buttons, page_intro(view)),
            tags$main(slider_bar(view), tags$div(class = "pnmf-grid", cells_panel(view), tree_panel(view)),
                      tags$div(class = "pnmf-grid", programs_panel(view), selection_panel(view)),
                      tags$div(class = "pnmf-grid", persistence_panel(view), summary_panel(view))),
            tags$script(id = "pnmf-data", type = "text/plain", htmltools::HTML(packed_json(report_data(view)))),
            tags$script(id = "pnmf-plotly", type = "text/plain", htmltools::HTML(packed_text(plotly_script()))),
            lapply(c("inflate.js", "values.js", "report.js"), function(name) {
                tags$script(htmltools::HTML(report_file(name)))
            })
        )
    )
}

# The whole page as one string.
report_html <- function(view) {
    elements <- report_elements(view)
    paste0("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
           as.character(elements$head), "\n</head>\n<body>\n", as.character(elements$body), "\n</body>\n</html>\n")
}

report_file <- function(name) script_text(system.file("report", name, package = "pNMF", mustWork = TRUE))

# The copy of plotly.js in the package plotly, for any version of the package.
plotly_script <- function() {
    dependencies <- plotly::plotly_empty(type = "scatter", mode = "markers")$dependencies
    main <- Filter(function(d) identical(d$name, "plotly-main"), dependencies)
    if (length(main) == 0L) stop_pnmf("the installed package plotly does not say where its plotly.js is: reinstall it")
    folder <- main[[1]]$src$file
    if (!is.null(main[[1]]$package)) folder <- system.file(folder, package = main[[1]]$package)
    script_text(file.path(folder, main[[1]]$script))
}

# Text of a file, safe inside <script> or <style>: a closing tag in one of its strings would end the element.
script_text <- function(file) {
    text <- paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
    gsub("</(script|style)", "<\\\\/\\1", text, ignore.case = TRUE)
}

panel <- function(id, title, ...) {
    heading <- paste0("pnmf-", id, "-title")
    htmltools::tags$section(class = "pnmf-panel", `aria-labelledby` = heading,
                            htmltools::tags$h2(id = heading, title), ...)
}

chart <- function(id, description) {
    htmltools::tags$div(id = paste0("pnmf-", id), class = paste0("pnmf-chart pnmf-chart-", id), role = "group",
                        `aria-label` = description)
}

page_intro <- function(view) {
    n <- dim(view$path)
    sentences <- c(
        sprintf("%s features x %s cells, rank %d, %s scales.", whole_number(n[1]), whole_number(n[2]),
                n_factors(view$path), whole_number(n[3])),
        if (length(view$shown) < n[2]) {
            sprintf("Points are a random sample of %s of the %s cells; clusters and tree use all cells.",
                    whole_number(length(view$shown)), whole_number(n[2]))
        },
        if (length(view$scales) < n[3]) {
            sprintf("The slider has %d of the %s scales.", length(view$scales), whole_number(n[3]))
        },
        if (is_map(view)) {
            paste("Each scale has a map of its own, a UMAP of its embedding with 15 neighbours, on which cells that",
                  "are alike at this scale lie together. It starts at the map of the next finer scale, so that cells",
                  "move little. Maps between two scales are not drawn.")
        }
    )
    htmltools::tags$p(class = "pnmf-intro", paste(sentences, collapse = " "))
}

slider_bar <- function(view) {
    tags <- htmltools::tags
    n <- length(view$scales)
    tags$div(
        class = "pnmf-bar", role = "group", `aria-label` = "Scale",
        tags$div(class = "pnmf-slider",
                 tags$input(type = "range", id = "pnmf-scale", min = 1, max = n, step = 1, value = 1,
                            `aria-label` = "Scale, from fine to coarse", `aria-describedby` = "pnmf-readout",
                            disabled = if (n == 1L) NA)),
        tags$output(id = "pnmf-readout", class = "pnmf-readout", `for` = "pnmf-scale")
    )
}

cells_panel <- function(view) {
    tags <- htmltools::tags
    panel(
        "cells", "Cells",
        tags$div(
            class = "pnmf-controls",
            tags$label(class = "pnmf-control", "Colour by ", tags$select(id = "pnmf-colour")),
            tags$label(class = "pnmf-control", "Find a gene ",
                       tags$input(type = "search", id = "pnmf-search", list = "pnmf-genes", autocomplete = "off",
                                  spellcheck = "false", `aria-describedby` = "pnmf-found")),
            tags$button(type = "button", id = "pnmf-svg", "Save the map (SVG)"),
            tags$button(type = "button", id = "pnmf-csv", "Save labels (CSV)")
        ),
        tags$datalist(id = "pnmf-genes"),
        tags$p(id = "pnmf-found", class = "pnmf-note", role = "status"),
        chart("cells", "The cells at the current scale"),
        tags$div(id = "pnmf-legend", class = "pnmf-chips"),
        if (is.null(view$genes)) {
            tags$p(class = "pnmf-note", "This page has no measured values: genes show their fitted values.")
        }
    )
}

tree_panel <- function(view) {
    tags <- htmltools::tags
    panel(
        "tree", "Cluster tree",
        if (is.null(view$tree)) {
            tags$p(class = "pnmf-note", "A tree needs at least two scales.")
        } else {
            chart("tree",
                  "Clusters at each scale, joined where they share cells; the list of clusters below says the same")
        },
        tags$p(class = "pnmf-note", "Clusters at this scale; select one here or in the tree:"),
        tags$div(id = "pnmf-clusters", class = "pnmf-chips")
    )
}

# The table of a panel, whose rows the page fills in.
scrolling_table <- function(id, heads, rows = id) {
    tags <- htmltools::tags
    tags$div(class = "pnmf-scroll", tabindex = "0", role = "region",
             `aria-labelledby` = paste0("pnmf-", id, "-title"),
             tags$table(tags$thead(tags$tr(lapply(heads, function(head) tags$th(scope = "col", head)))),
                        tags$tbody(id = paste0("pnmf-", rows))))
}

# One row per persistent cluster.
persistence_panel <- function(view) {
    if (NROW(view$lifetimes) == 0L) return(NULL)
    heads <- c("cluster", "cells", "scales", "persistence", "support", "p-value",
               if (any(view$lifetimes$recommended)) "recommended")
    panel("persistence", "Persistence of clusters",
          htmltools::tags$p(class = "pnmf-note", paste(
              "A cluster lasts as long as it has the same cells. Its persistence says at which share of the path's",
              "scales it exists. The genes set it apart from its sibling in the tree."
          )),
          scrolling_table("persistence", heads, "lifetimes"))
}

programs_panel <- function(view) {
    known <- !all(is.na(unlist(lapply(view$programs, `[[`, "supported"))))
    heads <- c("program", "genes that distinguish it", "share", if (known) "support")
    panel("programs", "Programs at this scale",
          htmltools::tags$p(class = "pnmf-note", paste(
              "A program keeps its number along the path. Programs with the most structure come first.",
              if (known) "Grey programs have no genes of their own: they are copies of others, or noise."
          )),
          scrolling_table("programs", heads))
}

selection_panel <- function(view) {
    tags <- htmltools::tags
    drawn <- if (length(view$shown) < dim(view$path)[2]) " among the cells drawn" else ""
    panel("selection", "Selected cells",
          tags$p(id = "pnmf-selected", `aria-live` = "polite"),
          tags$button(type = "button", id = "pnmf-clear", "Clear the selection"),
          tags$div(id = "pnmf-details", class = "pnmf-scroll", tabindex = "0", role = "region",
                   `aria-labelledby` = "pnmf-selection-title",
                   tags$p(class = "pnmf-note", sprintf(paste(
                       "Markers and programs compare the selected cells with all others%s. t ranks genes; it is not a",
                       "test."
                   ), drawn)),
                   tags$div(id = "pnmf-markers"), tags$div(id = "pnmf-usage"), tags$div(id = "pnmf-composition"),
                   tags$label(class = "pnmf-control", id = "pnmf-names-label", "Names ",
                              tags$textarea(id = "pnmf-names", readonly = NA, rows = 4))))
}

summary_panel <- function(view) {
    tags <- htmltools::tags
    terms <- report_summary(view)
    rows <- lapply(names(terms), function(term) tags$tr(tags$th(scope = "row", term), tags$td(terms[[term]])))
    panel("summary", "The fit", tags$div(class = "pnmf-scroll", tags$table(tags$tbody(rows))))
}

report_summary <- function(view) {
    path <- view$path
    p <- path@parameters
    sweeps <- objective(path)
    unlist(list(
        "features x cells" = paste(whole_number(dim(path)[1]), "x", whole_number(dim(path)[2])),
        "rank" = as.character(n_factors(path)),
        "scales" = sprintf("%d %s, thresholds %s to %s", n_scales(path), scale_kind(path@scales),
                           short_number(min(thresholds(path))), short_number(max(thresholds(path)))),
        "effective cells" = if (!is.null(path@scales$effective_cells)) {
            paste(format_effective(range(path@scales$effective_cells))[2:1], collapse = " to ")
        },
        "metric" = path@scales$metric,
        "lambda graph, smooth, anchor" = paste(format(p$lambda_graph), format(p$lambda_smooth), format(p$lambda_anchor),
                                               sep = ", "),
        "alpha" = format(p$alpha),
        "solver" = p$solver,
        "sweeps" = as.character(nrow(sweeps)),
        "objective" = if (nrow(sweeps) > 0L) format(sweeps$objective[nrow(sweeps)], digits = 8) else "not recorded",
        "convergence" = convergence_note(path),
        "clusters" = sprintf("%d to %d per scale", min(view_cluster_counts(view)), max(view_cluster_counts(view))),
        "made with" = paste("pNMF", as.character(utils::packageVersion("pNMF")))
    ))
}

view_cluster_counts <- function(view) vapply(view$clusters, function(labels) length(unique(labels)), integer(1))
