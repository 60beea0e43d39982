skip_without_report_packages()

bytes_of <- function(encoded) as.integer(jsonlite::base64_dec(encoded$codes))

test_that("codes of labels, clusters, factors and genes are those of the shown cells", {
    path <- report_path()
    cells <- report_cells()
    x <- normalize_counts(cells$counts)
    view <- report_view(path, cells$type, data = x, genes = c("gene1", "gene9"), suggested = NA, max_cells = 25,
                        seed = 2)
    data <- report_data(view)
    expect_identical(as.character(data$cells), colnames(x)[view$shown])
    expect_identical(bytes_of(data$labels$codes), as.integer(cells$type)[view$shown] - 1L)
    codes <- matrix(bytes_of(data$clusters$codes), 25)
    expect_identical(codes[, 4] + 1L, view$clusters$scale.4[view$shown])
    expect_identical(sum(data$clusters$sizes[[4]]), 60L)
    factors <- array(bytes_of(data$factors), c(25, 2, 6))
    shares <- embedding(path, 5)[, 2] / max(embedding(path, 5)[, 2])
    expect_equal(factors[, 2, 5] / 255, unname(shares[view$shown]), tolerance = 0.5 / 255)
    genes <- matrix(bytes_of(data$genes), 25)
    drawn <- x["gene9", view$shown]
    expect_lt(max(abs(genes[, 2] / 255 * max(drawn) - drawn)), 0.501 * max(drawn) / 255)
})

test_that("the top features of every scale are top_features()", {
    path <- report_path()
    data <- report_data(report_view(path, suggested = NA))
    wanted <- top_features(path, 3, n = 10)
    wanted <- wanted$feature[wanted$factor == 2 & wanted$loading > 0]
    expect_identical(as.character(data$features$names)[data$features$top[[3]][[2]] + 1L], wanted)
})

test_that("of many factors the heaviest are kept", {
    H <- matrix(rep(c(1:14, 0.5), each = 4), 4)
    data <- report_data(report_view(synthetic_path(list(H, H)), factors = 1:2, k = 2, suggested = NA,
                                    clusters = data.frame(scale.1 = c(1, 1, 2, 2), scale.2 = c(1, 1, 2, 2))))
    expect_identical(as.integer(data$factors$numbers), 3:14)
})

test_that("a page of 5,000 cells and 40 scales at rank 12 stays below 10 MB", {
    n <- 5000
    H <- with_random_state(1, lapply(1:40, function(t) matrix(stats::rexp(12 * n), n)))
    path <- synthetic_path(H, cells = sprintf("sample-%02d_ACGTACGTACGTACGT-%d", rep_len(1:20, n), seq_len(n)))
    clusters <- as.data.frame(lapply(stats::setNames(1:40, paste0("scale.", 1:40)), function(t) rep_len(1:9, n)))
    data <- matrix(seq_len(60 * n) %% 255, 60, dimnames = list(paste0("gene", 1:60), NULL))
    view <- report_view(path, labels = rep_len(letters, n), factors = 1:2, clusters = clusters, suggested = NA,
                        data = data, genes = rownames(data))
    # plotly.js itself, a quarter to a third of the page, is a fixed part.
    expect_lt(nchar(report_html(view), "bytes"), 10e6)
})
