# The last drawing of a bar with a format. Drawing is forced: when cli draws by itself depends on the machine's load.
drawn_bar <- function(format, total, at) {
    old <- options(cli.progress_show_after = 0, cli.width = 80)
    on.exit(options(old))
    value <- "3.975e+16, 53.2 MB"
    shown <- capture_messages({
        bar <- cli::cli_progress_bar(total = total, format = format)
        Sys.sleep(0.01)
        cli::cli_progress_update(set = at, id = bar, force = TRUE)
    })
    sub("\n", "", utils::tail(cli::ansi_strip(shown), 1L), fixed = TRUE)
}

# What happens to the bars of some code.
bar_events <- function(code, shown = TRUE) {
    old <- options(pNMF.progress = shown, cli.progress_handlers_force = "logger", cli.progress_show_after = 1e6)
    on.exit(options(old))
    utils::capture.output(code)
}

test_that("a bar shows the time left within 80 columns", {
    for (label in c("clustering scales", "preparing the page", "suggesting a rank")) {
        shown <- drawn_bar(progress_format(label), 2000, 900)
        expect_match(shown, paste0("^", label, " .* 900/2000 \\| ETA: +[0-9]+[smh]"))
        expect_lte(nchar(shown), 80L)
    }
    shown <- drawn_bar(progress_format("pnmf", "{value} | "), 2000, 900)
    expect_match(shown, " 900/2000 \\| 3.975e\\+16, 53.2 MB \\| ETA: +[0-9]+[smh]")
    expect_lte(nchar(shown), 80L)
})

test_that("tasks are worked through in order, with and without a bar", {
    double <- function(x, by) x * by
    expect_identical(bar_events(result <- progress_lapply(1:3, double, by = 2, label = "x"), FALSE), character())
    expect_identical(result, list(2, 4, 6))
    events <- bar_events(result <- progress_lapply(1:3, double, by = 2, label = "x"))
    expect_identical(result, list(2, 4, 6))
    expect_match(events[1], "0/3 created")
    expect_match(utils::tail(events, 1L), "3/3 terminated")
})

test_that("what takes long on many cells has a bar that reaches its end", {
    control <- pnmf_control(max_outer = 5, tol = 0, verbose = FALSE)
    path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 4, control = control)
    ended <- function(events, total) {
        expect_match(paste(events, collapse = "\n"), sprintf("%d/%d terminated", total, total))
    }
    ended(bar_events(persistence_scales(small_data(1))), 4)
    ended(bar_events(persistence_scales(small_data(1), graph = "knn", n_neighbors = 3)), 4)
    ended(bar_events(principal_points(small_data(1), list(verbose = TRUE, threads = 1L))), 1)
    ended(bar_events(persistent_clusters(path)), 4)
    ended(bar_events(path_clusters(path, 2)), 4)
    ended(bar_events(predict(path, simulate_circles(seed = 2))), 1)
    ended(bar_events(suggest_rank(small_data(1), ranks = 2:3, n_repeats = 0, control = control)), 2)
    frame <- ggplot2::ggplot()
    ended(bar_events(draw_frames(list(frame, frame), c(100, 100))), 2)
    ended(bar_events(report_parts(list(function() 1, function() 2))), 2)
})

test_that("reading a table of unknown length shows a bar", {
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    writeLines(c("gene,a,b", "g1,1,2", "g2,3,4"), file)
    events <- bar_events(found <- read_geo_counts(file))
    expect_match(events[1], "created")
    expect_match(utils::tail(events, 1L), "terminated")
    expect_identical(dim(found$counts), c(2L, 2L))
})
