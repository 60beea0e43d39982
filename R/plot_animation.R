#' Animate a path
#'
#' Writes a GIF with one frame per scale, from coarse to fine. The frames show
#' the embeddings as in [plot_path()], on common axes. Needs the package gifski.
#'
#' @inheritParams plot_path
#' @param file Name of the GIF to write.
#' @param at Scales to show, one frame each; `NULL` means all scales, or 40
#'   evenly spaced ones if there are more.
#' @param fps Frames per second, at most 50.
#' @param width,height Size of the frames in pixels.
#' @param reverse Run from fine to coarse instead?
#' @param ... Further arguments, passed to [plot_path()]: `factors`,
#'   `max_cells`, `seed`.
#' @return The name of the file, invisibly.
#' @seealso [plot_path()]
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 5,
#'              lambda_graph = 100, lambda_smooth = 100,
#'              control = pnmf_control(max_outer = 10, tol = 0))
#' if (requireNamespace("gifski", quietly = TRUE)) {
#'     animate_path(path, tempfile(fileext = ".gif"), labels = rep(1:4, each = 20))
#' }
#' @export
animate_path <- function(path, file, labels = NULL, at = NULL, fps = 5, width = 600, height = 500,
                         reverse = FALSE, ..., reduction = NULL) {
    object <- path
    path <- as_path(path, reduction)
    labels <- labels_of(object, labels, cells = path@cell_names)
    assert_export(file, "gif", overwrite = TRUE)
    fps <- assert_number(fps, "fps", min = 0.1, max = 50)
    size <- c(assert_count(width, "width", min = 50), assert_count(height, "height", min = 50))
    assert_installed("gifski", "animate_path()")
    frames <- path_frames(path, labels, at, assert_flag(reverse, "reverse"), ...)
    images <- draw_frames(frames, size)
    on.exit(unlink(images))
    gifski::gifski(images, file, width = size[1], height = size[2], delay = 1 / fps, progress = FALSE)
    invisible(file)
}

# One ggplot object per scale, in the order shown. The coordinates are computed once, so that all frames share them.
path_frames <- function(path, labels, at, reverse, ..., scales = NULL) {
    at <- several_scales(at, scales = scales)
    if (is.null(at)) at <- evenly_spaced(n_scales(path), 40L)
    at <- sort(unique(assert_indices(at, "at", n_scales(path))))
    whole <- plot_path(path, at = at, labels = labels, ...)
    limits <- lapply(whole$data[c("x", "y")], range)
    panels <- levels(whole$data$panel)
    lapply(if (reverse) panels else rev(panels), function(panel) {
        frame <- whole
        frame$data <- whole$data[whole$data$panel == panel, , drop = FALSE]
        frame + ggplot2::coord_cartesian(xlim = limits$x, ylim = limits$y)
    })
}

# Names of one PNG per frame.
draw_frames <- function(frames, size) {
    folder <- tempfile("frames")
    dir.create(folder)
    files <- file.path(folder, sprintf("%04d.png", seq_along(frames)))
    progress_lapply(seq_along(frames), function(i) {
        ggplot2::ggsave(files[i], frames[[i]], width = size[1], height = size[2], units = "px", dpi = 100)
    }, label = "drawing frames")
    files
}
