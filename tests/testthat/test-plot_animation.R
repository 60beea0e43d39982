moving_path <- function() {
    pnmf(simulate_circles(n_per_circle = 5, n_noise = 5, seed = 1), rank = 2, scales = 5,
         control = pnmf_control(max_outer = 5, tol = 0))
}

test_that("there is one frame per scale, coarse to fine, with that scale's cells on common axes", {
    path <- moving_path()
    frames <- path_frames(path, rep(1:4, each = 5), c(1, 3, 5), reverse = FALSE)
    expect_length(frames, 3)
    for (i in 1:3) {
        t <- c(5, 3, 1)[i]
        drawn <- ggplot2::layer_data(frames[[i]])
        expect_equal(cbind(drawn$x, drawn$y), unname(embedding(path, t)))
        expect_match(as.character(unique(frames[[i]]$data$panel)), paste0("^scale ", t, " "))
    }
    axes <- lapply(frames, function(frame) ggplot2::ggplot_build(frame)$layout$panel_params[[1]]$x.range)
    expect_identical(length(unique(axes)), 1L)
    back <- path_frames(path, NULL, NULL, reverse = TRUE)
    expect_match(as.character(unique(back[[1]]$data$panel)), "^scale 1 ")
})

test_that("a GIF with every frame and the pace asked for is written", {
    skip_if_not_installed("gifski")
    file <- tempfile(fileext = ".gif")
    expect_identical(animate_path(moving_path(), file, at = c(1, 3, 5), fps = 4, width = 200, height = 150), file)
    bytes <- as.integer(readBin(file, "raw", file.size(file)))
    expect_identical(rawToChar(as.raw(bytes[1:3])), "GIF")
    # Every frame's graphic control extension, 21 F9 04, holds the delay in hundredths of a second.
    at <- which(bytes == 0x21 & c(bytes[-1], 0) == 0xf9 & c(bytes[-(1:2)], 0, 0) == 4)
    expect_identical(bytes[at + 4] + 256L * bytes[at + 5], rep(25L, 3))
})

test_that("frames are drawn in the size asked for, and handed to the writer in order", {
    images <- draw_frames(path_frames(moving_path(), NULL, c(1, 5), FALSE), c(120, 80))
    expect_true(all(file.exists(images)))
    expect_false(is.unsorted(images))
    # Width and height of a PNG are the big-endian numbers at bytes 17 and 21.
    header <- readBin(images[1], "raw", 24)
    expect_identical(readBin(header[17:24], "integer", 2, endian = "big"), c(120L, 80L))
})

test_that("bad input is refused", {
    path <- moving_path()
    expect_error(animate_path(3, "a.gif"), "'path' must be", class = "pnmf_error")
    expect_error(animate_path(path, "a.png"), "'file' must end in .gif", class = "pnmf_error")
    expect_error(animate_path(path, "/no/such/folder/a.gif"), "existing folder", class = "pnmf_error")
    expect_error(animate_path(path, "a.gif", fps = 0), "'fps' must be", class = "pnmf_error")
    expect_error(animate_path(path, "a.gif", width = 3), "'width' must be", class = "pnmf_error")
    expect_error(path_frames(path, 1:3, NULL, FALSE), "'labels' must have one entry", class = "pnmf_error")
    expect_error(path_frames(path, NULL, 9, FALSE), "'at' must be", class = "pnmf_error")
})
