skip_without_report_packages()

bytes_of <- function(encoded) as.integer(jsonlite::base64_dec(encoded$codes))
unpacked <- function(encoded) as.integer(memDecompress(jsonlite::base64_dec(encoded$codes), "gzip"))

# Numbers per scale, from steps between scales.
unpacked_steps <- function(encoded, n_scales) {
    steps <- matrix(unpacked(encoded), ncol = n_scales)
    for (s in seq_len(n_scales)[-1]) steps[, s] <- (steps[, s] + steps[, s - 1]) %% 256L
    steps
}

test_that("codes of labels, clusters, factors and genes are those of the shown cells", {
    path <- report_path()
    cells <- report_cells()
    x <- normalize_counts(cells$counts, method = "paper")
    view <- report_view(path, cells$type, x = x, suggested = NA, max_cells = 25, seed = 2)
    data <- report_data(view)
    expect_identical(as.character(data$cells), colnames(x)[view$shown])
    expect_identical(bytes_of(data$labels[[1]]$codes), as.integer(cells$type)[view$shown] - 1L)
    codes <- matrix(bytes_of(data$clusters$codes), 25)
    expect_identical(codes[, 4] + 1L, view$clusters$scale.4[view$shown])
    expect_identical(sum(data$clusters$sizes[[4]]), 60L)
    factors <- array(unpacked_steps(data$factors, 6), c(25, 2, 6))
    shares <- embedding(path, 5)[, 2] / max(embedding(path, 5)[, 2])
    place <- which(data$factors$numbers == 2)
    expect_lt(max(abs(factors[, place, 5] / 255 - shares[view$shown])), 0.501 / 255)
    expect_identical(data$genes$kind, "measured")
    expect_identical(as.character(data$genes$names), rownames(x))
})

test_that("programs are called by their tracks, which keep their numbers, and have the genes that distinguish them", {
    path <- report_path()
    tracks <- factor_tracks(path)$factors
    data <- report_data(report_view(path, suggested = NA))
    for (s in c(1, 4)) {
        rows <- tracks[tracks$t == s, ]
        programs <- data$programs$scales[[s]]
        expect_identical(as.integer(programs$track), rows$track[match(programs$factor, rows$factor)])
        best <- order(-distinct_columns(unname(loading(path, s)))[, programs$factor[1]])[1]
        expect_identical(as.character(data$programs$names)[programs$top[[1]][1] + 1L], path@feature_names[best])
    }
})

test_that("the support of programs is that of factor_markers(), and those without it come last", {
    cells <- simulate_cells(180, seed = 1)
    x <- normalize_counts(cells$counts)
    path <- suppressMessages(pnmf(x, rank = 8, scales = 4))
    programs <- report_view(path, x = x, suggested = NA)$programs
    unsupported <- 0
    for (t in seq_along(programs)) {
        markers <- factor_markers(path, t = t, x = x)
        expect_setequal(programs[[t]]$factor[programs[[t]]$supported], unique(markers$factor[markers$supported]))
        expect_false(is.unsorted(!programs[[t]]$supported))
        unsupported <- unsupported + sum(!programs[[t]]$supported)
    }
    expect_gt(unsupported, 0)
    expect_true(all(is.na(report_view(path, suggested = NA)$programs[[1]]$supported)))
})

test_that("branches of the tree have the genes of cluster_programs()", {
    cells <- simulate_cells(180, seed = 1)
    path <- suppressMessages(pnmf(normalize_counts(cells$counts), rank = 4, scales = 4))
    path@feature_names[1:3] <- c("a<b", "b&c", "c")
    view <- report_view(path, suggested = NA)
    genes <- cluster_programs(path, persistent_clusters(path), n = 2)
    expected <- vapply(split(genes$feature, genes$cluster), paste, "", collapse = " ")
    expect_gte(length(expected), 3)
    lives <- view$lifetimes[view$lifetimes$cluster %in% names(expected), ]
    expect_identical(lives$genes, unname(expected[as.character(lives$cluster)]))
    figure <- tree_figure(view)
    text <- vapply(figure$layout$annotations, `[[`, "", "text")
    shown <- unique(as.character(view$tree$nodes$cluster))
    expect_setequal(text, htmltools::htmlEscape(expected[names(expected) %in% shown]))
    expect_match(figure$data[[length(figure$data)]]$text, "set apart by", all = FALSE)
})

test_that("loadings and factors give the fitted values of the genes to within their rounding", {
    path <- report_path()
    view <- report_view(path, suggested = NA, max_cells = 25, seed = 2)
    data <- report_data(view)
    expect_identical(data$genes$kind, "fitted")
    order <- as.integer(data$factors$numbers)
    for (t in c(1, 4)) {
        h <- matrix(unpacked_steps(data$factors, 6)[, t], 25) %*% diag(data$factors$tops[[t]] / 255)
        w <- matrix(unpacked_steps(data$genes, 6)[, t], 60) * data$genes$tops[[t]] / 255
        exact <- loading(path, t)[, order] %*% t(embedding(path, t)[view$shown, order])
        # Half a step of 1/255 of the largest loading and of the largest value, and five digits of either.
        slack <- 0.51 / 255 * (apply(w, 1, max) %o% rowSums(h) + rowSums(w) * max(h))
        expect_true(all(abs(w %*% t(h) - exact) <= slack))
    }
})

test_that("with room for few factors those with most structure have values, and genes no fitted ones", {
    path <- synthetic_path(rep(list(cbind(1:4, c(1, 1, 9, 9), c(3, 9, 3, 9))), 2))
    clusters <- data.frame(scale.1 = c(1, 1, 2, 2), scale.2 = c(1, 1, 2, 2))
    view <- report_view(path, factors = 1:2, suggested = NA, clusters = clusters)
    expect_identical(view$kept_factors, c(2L, 1L, 3L))
    view$kept_factors <- kept_factors(view$kept_factors, 4, 2, max_bytes = 16)
    few <- report_data(view)
    expect_identical(as.integer(few$factors$numbers), 2:1)
    expect_identical(few$genes$kind, "none")
})

test_that("the lifetimes are those of the view, counted from 0", {
    view <- report_view(report_path(), suggested = NA)
    lives <- report_data(view)$lifetimes
    expect_identical(as.integer(lives$first), view$lifetimes$first - 1L)
    expect_identical(as.integer(lives$cluster), view$lifetimes$cluster - 1L)
})

test_that("a page of 50,000 cells, rank 30 and 20 scales stays below 10 MB", {
    skip_unless_slow()
    n <- 50000
    path <- with_random_state(1, {
        group <- sample.int(12, n, replace = TRUE)
        centres <- matrix(stats::rexp(12 * 30) * stats::rbinom(12 * 30, 1, 0.3), 12)
        first <- centres[group, ] + matrix(stats::rexp(30 * n, 10), n)
        # Along a path cells approach the mean of their group, and do not jump.
        synthetic_path(lapply(seq(0, 0.5, length.out = 20), function(s) (1 - s) * first + s * centres[group, ]),
                       cells = sprintf("sample-%02d_ACGTACGTACGTACGT-%d", rep_len(1:20, n), seq_len(n)))
    })
    clusters <- as.data.frame(lapply(stats::setNames(1:20, paste0("scale.", 1:20)), function(t) group))
    # One count in eight is not zero, and all of these have values of their own.
    data <- with_random_state(2, Matrix::rsparsematrix(500, n, 0.12, rand.x = stats::rexp))
    rownames(data) <- paste0("gene", 1:500)
    view <- report_view(path, labels = data.frame(type = rep_len(letters, n), donor = rep_len(1:20, n)), factors = 1:2,
                        clusters = clusters, suggested = NA, x = data)
    # plotly.js itself, 1.5 MB, is a fixed part.
    expect_lt(nchar(report_html(view), "bytes"), 10e6)
})

test_that("labels have the colours of their clusters, each once, and the others colours of no cluster", {
    palette <- group_colours(8)
    labels <- factor(rep(c("a", "b", "c", "d"), c(5, 4, 3, 2)))
    taken <- palette[rep(c(3, 1, 1, 2), c(5, 4, 3, 2))]
    expect_identical(label_colours(labels, taken), palette[c(3, 1, 4, 2)])
    labels[1:2] <- NA
    expect_identical(label_colours(labels, taken), palette[c(3, 1, 4, 2)])
    many <- factor(seq_len(40))
    expect_identical(anyDuplicated(label_colours(many, rep(palette, 5))), 0L)
    expect_false(anyNA(label_colours(many, rep(palette, 5))))
    # More labels than the palette of the clusters has colours
    sparse <- factor(rep(1:8, each = 5), levels = 1:24)
    expect_identical(label_colours(sparse, rep(palette, each = 5))[1:8], palette)
    # More than there are different colours
    expect_false(anyNA(label_colours(factor(seq_len(400)), rep(palette, 50))))
})
