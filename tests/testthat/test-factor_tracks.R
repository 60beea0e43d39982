# Two scales whose factors are the same in another order.
shuffled_path <- function(order = c(3, 1, 2)) {
    truth <- programs(n_scales = 2)
    path_of_factors(list(truth$W, truth$W[, order]), list(truth$H, truth$H[order, ]))
}

test_that("factors are followed whatever their numbers", {
    tracks <- factor_tracks(shuffled_path())
    expect_s3_class(tracks, "factor_tracks")
    expect_identical(tracks$factors$track, c(1:3, 3L, 1L, 2L))
    expect_identical(nrow(tracks$tracks), 3L)
    expect_equal(tracks$tracks$stability, c(1, 1, 1), tolerance = 1e-12)
    expect_identical(nrow(tracks$events), 0L)
    expect_identical(tracks$tracks$features[2], "g11 g12 g13 g14 g15")
    names <- toupper(shuffled_path()@feature_names)
    shown <- factor_tracks(shuffled_path(), swap_rownames = names)$tracks$features
    expect_identical(shown, toupper(tracks$tracks$features))
})

test_that("a factor that is replaced ends its track, and a new one begins", {
    truth <- programs(n_programs = 4, n_scales = 2)
    W <- list(truth$W[, 1:3], truth$W[, c(1, 2, 4)])
    H <- list(truth$H[1:3, ], truth$H[c(1, 2, 4), ])
    tracks <- factor_tracks(path_of_factors(W, H))
    expect_identical(tracks$factors$track, c(1:3, 1:2, 4L))
    expect_identical(tracks$tracks$last, c(2L, 2L, 1L, 2L))
    # What was seen at one scale only has no stability and is printed last.
    printed <- grep("^track ", capture.output(print(tracks)), value = TRUE)
    expect_identical(grepl("stability NA", printed), c(FALSE, FALSE, TRUE, TRUE))
    expect_identical(nrow(factor_tracks(path_of_factors(W, H), min_similarity = 0)$tracks), 3L)
})

test_that("programs that become alike merge, and split where they part again", {
    truth <- programs(n_programs = 4)
    merged <- truth$W
    merged[, 1:2] <- (truth$W[, 1] + truth$W[, 2]) / 2
    merged[1, 1] <- merged[1, 1] + 0.01
    tracks <- factor_tracks(path_of_factors(list(truth$W, merged, truth$W), rep(list(truth$H), 3)))
    expect_identical(tracks$events$t, 2:3)
    expect_identical(tracks$events$event, c("merge", "split"))
    expect_identical(tracks$events$track, c(1L, 1L))
    expect_identical(tracks$events$other, c(2L, 2L))
    expect_identical(tracks$factors$group[tracks$factors$t == 2], c(1L, 1L, 3L, 4L))
    expect_gte(tracks$events$similarity[1], 0.8)
    expect_lt(tracks$events$similarity[2], 0.8)
    drawn <- ggplot2::ggplot_build(plot(tracks))
    expect_gt(nrow(drawn$data[[1]]), 0)
})

test_that("programs that are only like a third one neither merge nor split", {
    truth <- programs(n_programs = 5)
    chain <- truth$W
    chain[, 2] <- truth$W[, 1] + truth$W[, 2] + truth$W[, 3] # like 1 and 3, which are not alike
    bases <- list(truth$W, chain, truth$W)
    tracks <- factor_tracks(path_of_factors(bases, rep(list(truth$H), 3)), min_similarity = 0, alike = 0.2)
    expect_identical(tracks$factors$group[tracks$factors$t == 2], c(1L, 1L, 1L, 4L, 5L))
    events <- tracks$events
    expect_identical(paste(events$track, events$other, events$event, events$t),
                     c("1 2 merge 2", "2 3 merge 2", "1 2 split 3", "2 3 split 3"))
    # a program that has ended does not split
    H <- rep(list(truth$H), 3)
    H[[3]][2, ] <- 0
    ended <- factor_tracks(path_of_factors(bases, H), min_similarity = 0, alike = 0.2)$events
    expect_identical(ended$event[ended$t == 3], "end")
})

test_that("one factor, chosen scales and many tracks work; one scale does not", {
    truth <- programs(n_programs = 1, n_scales = 3)
    expect_equal(factor_tracks(truth$path)$tracks$stability, 1, tolerance = 1e-12)
    expect_identical(unique(factor_tracks(programs()$path, at = c(1, 3))$factors$t), c(1L, 3L))
    expect_error(factor_tracks(truth$path, at = 2), "at least two scales", class = "pnmf_error")
    expect_message(plot(factor_tracks(programs(4)$path), max_tracks = 2), "the 2 heaviest of 4 tracks",
                   class = "pnmf_message")
    expect_output(print(factor_tracks(programs()$path)), "3 tracks over 3 scales (1 to 3), 3 from end to end",
                  fixed = TRUE)
    expect_output(print(factor_tracks(programs()$path)), "events: 0 merges, 0 splits, 0 ends", fixed = TRUE)
    expect_identical(as.data.frame(factor_tracks(programs()$path))$track, 1:3)
})

test_that("objects are taken as they are", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    expect_identical(factor_tracks(sce), factor_tracks(PNMFPath(sce)))
})

test_that("a program that loses its weight ends, and the print says where programs merge", {
    truth <- programs(n_programs = 4)
    H <- rep(list(truth$H), 3)
    H[[3]][4, ] <- H[[3]][4, ] * 1e-6
    tracks <- factor_tracks(path_of_factors(rep(list(truth$W), 3), H))
    expect_identical(tracks$events$event, "end")
    expect_identical(tracks$events$track, 4L)
    expect_identical(tracks$events$t, 3L)
    merged <- truth$W
    merged[, 1:2] <- (truth$W[, 1] + truth$W[, 2]) / 2
    tracks <- factor_tracks(path_of_factors(list(truth$W, merged, merged), rep(list(truth$H), 3)))
    expect_output(print(tracks), "1 merge (1 + 2 at scale 2), 0 splits, 0 ends", fixed = TRUE)
})

test_that("tracks without support are listed last and marked", {
    truth <- programs()
    stability <- data.frame(factor = rep(1:3, 3), scale = rep(1:3, each = 3), stability = 1,
                            supported = rep(c(FALSE, TRUE, TRUE), 3))
    tracks <- factor_tracks(truth$path, stability = stability)
    expect_identical(tracks$tracks$supported, c(FALSE, TRUE, TRUE))
    printed <- grep("^track ", capture.output(print(tracks)), value = TRUE)
    expect_match(printed[3], "track 1.*not supported")
    inks <- ggplot2::layer_data(plot(tracks), 3)$colour
    expect_identical(sum(inks == "grey65"), 1L)
    expect_identical(factor_tracks(truth$path)$tracks$supported, rep(NA, 3))
    heat <- plot_factor_heatmap(truth$path, t = 1, stability = stability)
    expect_identical(levels(heat$data$factor)[1], "1")
})

test_that("loadings are followed by program, not by number", {
    lines <- plot_loadings(shuffled_path(), n = 2, at = 1:2)$data
    expect_equal(lines$loading[lines$t == 1], lines$loading[lines$t == 2])
})
