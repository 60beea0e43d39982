test_that("a line joins each point of a track to the next one, and says how similar that is to the one before", {
    points <- data.frame(track = c(1, 1, 1, 2, 2), t = c(1, 2, 3, 1, 2), y = c(5, 6, 7, 8, 9),
                         similarity = c(NA, 0.1, 0.2, NA, 0.3))
    expect_identical(track_links(points), data.frame(t = c(1, 2, 1), y = c(5, 6, 8), xend = c(2, 3, 2),
                                                     yend = c(6, 7, 9), similarity = c(0.1, 0.2, 0.3)))
})

test_that("tracks have the names of three features, shortened if they are long", {
    expect_identical(track_names(c("CD3D IL7R LTB CD27", "ENSG00000211899 CD4")),
                     c("CD3D IL7R LTB", "ENSG..0211899 CD4"))
})

test_that("points are the smaller, the more tracks share the room", {
    largest <- function(n) {
        max(ggplot2::layer_data(plot(factor_tracks(programs(n_programs = n)$path), max_tracks = n), 2)$size)
    }
    expect_gt(largest(3), largest(12))
    expect_gt(largest(12), largest(30))
})

test_that("the subtitle has room for what grey names mean", {
    truth <- programs()
    stability <- data.frame(factor = rep(1:3, 3), scale = rep(1:3, each = 3), stability = 1, supported = FALSE)
    subtitle <- plot(factor_tracks(truth$path, stability = stability))$labels$subtitle
    expect_match(subtitle, "grey names: not supported")
    expect_lte(max(nchar(strsplit(subtitle, "\n")[[1]])), 80)
})
