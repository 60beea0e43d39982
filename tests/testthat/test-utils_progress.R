test_that("tasks are worked through in order, with and without a bar", {
    double <- function(x, by) x * by
    expect_identical(progress_lapply(1:3, double, by = 2, label = "x", shown = FALSE), list(2, 4, 6))
    expect_identical(progress_lapply(1:3, double, by = 2, label = "x", shown = TRUE), list(2, 4, 6))
})

test_that("the time to go is shown within 80 columns", {
    skip_if_not_installed("cli")
    before <- options(cli.progress_show_after = 0, cli.width = 80, cli.dynamic = FALSE,
                      cli.progress_clear = FALSE)
    on.exit(options(before))
    shown <- capture.output(
        progress_lapply(1:4, function(i) Sys.sleep(0.15), label = "clustering scales", shown = TRUE),
        type = "message"
    )
    shown <- shown[grepl("clustering scales", shown)]
    skip_if(length(shown) == 0L, "cli shows no bar here")
    expect_true(any(grepl("ETA", shown)))
    expect_lte(max(nchar(cli::ansi_strip(unlist(strsplit(shown, "\r"))))), 80L)
})

test_that("the parts of a page, the frames of an animation and the places of cells have a bar within 80 columns", {
    before <- options(cli.progress_show_after = 0, cli.width = 80)
    on.exit(options(before))
    # What takes long calls progress_lapply(), by which the bar comes.
    for (f in list(aligned_umap, draw_frames, report_parts)) {
        expect_true("progress_lapply" %in% all.names(body(f)))
    }
    shown <- capture_messages(
        made <- report_parts(list(a = function() Sys.sleep(0.3), b = function() 2, c = function() Sys.sleep(0.3),
                                  d = function() Sys.sleep(0.3)), shown = TRUE)
    )
    expect_identical(made$b, 2)
    shown <- sub("\n", "", cli::ansi_strip(shown), fixed = TRUE)
    expect_true(any(grepl("^preparing the page .* ETA: +[0-9]+", shown)))
    expect_lte(max(nchar(shown)), 80L)
})
