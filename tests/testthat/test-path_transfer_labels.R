test_that("new cells get the label that most of their nearest reference cells have", {
    truth <- programs(n_cells = 90)
    group <- max.col(t(truth$H), ties.method = "first")
    found <- transfer_labels(truth$path, truth$x, labels = paste0("p", group), n_neighbors = 5)
    expect_identical(rownames(found), colnames(truth$x))
    expect_identical(levels(found$nearest), c("p1", "p2", "p3"))
    expect_gt(mean(found$label == paste0("p", group)), 0.85)
    expect_true(all(found$share > 0 & found$share <= 1))
    right <- found$label == paste0("p", group)
    expect_gt(mean(found$share[right]), mean(found$share[!right]))
})

test_that("cells without a label do not vote", {
    truth <- programs(n_cells = 90)
    labels <- paste0("p", max.col(t(truth$H), ties.method = "first"))
    known <- seq(1, 90, by = 2)
    found <- transfer_labels(truth$path, truth$x, replace(labels, -known, NA), n_neighbors = 90)
    expect_equal(unique(found$share), max(table(labels[known])) / 45)
    expect_identical(levels(found$nearest), c("p1", "p2", "p3"))
    expect_error(transfer_labels(truth$path, truth$x, rep(NA, 90)), "'labels' must label some cells, but all 90",
                 class = "pnmf_error")
})

test_that("votes are counted among the neighbours, the first label wins ties", {
    votes <- label_votes(rbind(c(1, 2), c(3, 1)), factor(c("a", "a", "b")))
    expect_identical(votes$best, c(1L, 1L))
    expect_identical(votes$share, c(1, 0.5))
})

test_that("confidence is the share of right labels among cells with the same vote, and never falls with the vote", {
    known <- list(share = rep(c(0.4, 0.6, 0.8, 1), each = 100),
                  right = rep(rep(c(TRUE, FALSE), 4), c(50, 50, 40, 60, 90, 10, 100, 0)))
    # The second step would fall, so it joins the first.
    found <- calibrated(c(0.4, 0.6, 0.8, 1), known)
    expect_equal(found, c(91 / 202, 91 / 202, 91 / 102, 101 / 102))
    expect_equal(calibrated(c(0.2, 0.7, 1), known), c(found[1], mean(found[2:3]), found[4]))
    expect_identical(calibrated(c(0.3, 0.5), NULL), c(0.3, 0.5))
    # Sums of many cells: their rounding must not split a step.
    many <- list(share = rep(c(0.8, 0.9, 1), c(3, 52, 941)), right = rep(c(FALSE, TRUE, FALSE, TRUE, FALSE),
                                                                         c(3, 50, 2, 933, 8)))
    expect_equal(calibrated(1, many), 934 / 943)
})

test_that("cells of a type that the reference lacks stay unassigned, others hardly ever", {
    held <- new.env()
    utils::data("pbmc_sorted", package = "pNMF", envir = held)
    x <- normalize_counts(held$pbmc_sorted$counts)
    type <- as.character(held$pbmc_sorted$type)
    old <- setdiff(seq(1, 1000, by = 2), which(type == "CD14+"))
    path <- quietly(pnmf(x[, old], rank = 8, scales = 3, control = quick_control()))
    found <- transfer_labels(path, x[, -old], type[old])
    missing <- type[-old] == "CD14+"
    expect_gt(mean(found$label[missing] == "unassigned"), 0.9)
    expect_lt(mean(found$label[!missing] == "unassigned"), 0.05)
    expect_gt(mean(found$nearest[!missing] == type[-old][!missing]), 0.9)
    expect_setequal(found$label, c(levels(found$nearest), "unassigned"))
    expect_identical(is.na(found$confidence), found$label == "unassigned")
    empty <- x[, old[1:3]]
    empty[, 2] <- 0
    expect_identical(transfer_labels(path, empty, type[old])$score == 0, c(FALSE, TRUE, FALSE))
    everyone <- transfer_labels(path, x[, -old], type[old], unassigned = 0)
    expect_identical(as.character(everyone$label), as.character(found$nearest))
    expect_error(transfer_labels(path, x[, -old], type[old], unassigned = 2), "'unassigned' must be",
                 class = "pnmf_error")
})

test_that("real cells find their types in a reference of other cells of the same donor", {
    held <- new.env()
    utils::data("pbmc_sorted", package = "pNMF", envir = held)
    cells <- held$pbmc_sorted
    x <- normalize_counts(cells$counts, method = "paper")
    old <- seq(1, 1000, by = 2)
    path <- quietly(pnmf(x[, old], rank = 8, scales = 3, control = quick_control()))
    found <- transfer_labels(path, x[, -old], labels = cells$type[old])
    expect_gt(mean(found$label == cells$type[-old]), 0.9)
    # A fifth of the genes is missing.
    expect_message(fewer <- transfer_labels(path, x[-(1:400), -old], labels = cells$type[old]),
                   "lacks 400 of the path's 2000",
                   class = "pnmf_message")
    expect_gt(mean(fewer$label == cells$type[-old]), 0.85)
})

test_that("objects give and take cells, and clusters transfer as types do", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    path <- PNMFPath(sce)
    expect_identical(transfer_labels(sce, sce[, 1:9], "truth"),
                     transfer_labels(path, host_data(sce, path, "PNMF")[, 1:9], true_groups(90)))
    clusters <- path_clusters(path, k = 3, n_start = 2)
    found <- transfer_labels(sce, sce, clusters$scale.2, t = 2, n_neighbors = 1)
    expect_gt(mean(found$label == clusters$scale.2), 0.95)
    expect_error(transfer_labels(sce, sce), "'labels' must be given: one label", class = "pnmf_error")
    expect_error(transfer_labels(sce, labels = "truth"), "'newdata' must be", class = "pnmf_error")
    expect_error(transfer_labels(sce, sce, "truth", n_neighbors = 0), "'n_neighbors' must be", class = "pnmf_error")
})

test_that("new cells with the same name are told apart by a number", {
    x <- small_data(5, 12, 40)
    colnames(x) <- paste0("c", rep(1:20, 2))
    path <- quietly(pnmf(x[, 1:20], rank = 2, scales = 2, control = pnmf_control(max_outer = 3, tol = 0)))
    found <- transfer_labels(path, x[, c(21, 21, 22)], labels = rep(c("a", "b"), 10))
    expect_identical(rownames(found), c("c1", "c1.1", "c2"))
})
