program_sets <- function() {
    list(first = paste0("g", 1:10), second = paste0("g", c(11:18, 1)), mixed = paste0("g", c(1, 2, 11, 12, 21, 22)),
         elsewhere = c("a", "b"))
}

test_that("every factor finds its own set", {
    truth <- programs()
    found <- factor_enrichment(truth$path, program_sets(), x = truth$x, n = 10)
    best <- found[!duplicated(found$factor), ]
    expect_identical(best$set[1:2], c("first", "second"))
    expect_true(all(best$p_adjusted[1:2] < 1e-3))
    expect_identical(sort(unique(found$set[found$factor == 3])), c("first", "mixed", "second"))
    expect_gt(min(found$p_adjusted[found$factor == 3 & found$set != "mixed"]), 0.5)
    alone <- factor_enrichment(truth$path, program_sets(), x = truth$x, n = 10, factors = 2)
    expect_identical(alone$set, found$set[found$factor == 2])
    expect_identical(alone$p, found$p[found$factor == 2])
})

test_that("p-values are Fisher's, adjusted by Benjamini and Hochberg over all tests", {
    truth <- programs()
    found <- factor_enrichment(truth$path, program_sets(), x = truth$x, n = 10)
    top <- lapply(1:3, function(j) factor_markers(truth$path, n = 10, factors = j, x = truth$x)$feature)
    genes <- rownames(truth$x)
    for (i in seq_len(nrow(found))) {
        table <- table(factor(genes %in% top[[found$factor[i]]], c(TRUE, FALSE)),
                       factor(genes %in% program_sets()[[found$set[i]]], c(TRUE, FALSE)))
        test <- stats::fisher.test(table, alternative = "greater")
        expect_equal(found$p[i], test$p.value, tolerance = 1e-10)
        expect_identical(found$overlap[i], table[1, 1])
    }
    expect_equal(found$p_adjusted, stats::p.adjust(found$p, "BH"))
})

test_that("the background decides what is expected", {
    truth <- programs()
    own <- factor_enrichment(truth$path, program_sets(), x = truth$x, n = 10)
    wide <- factor_enrichment(truth$path, program_sets(), x = truth$x, n = 10,
                              background = c(rownames(truth$x), paste0("x", 1:1000)))
    expect_lt(wide$p[1], own$p[1])
    expect_equal(own$expected[1], 10 * 10 / 32)
    expect_equal(wide$expected[1], 10 * 10 / 1032)
    expect_error(factor_enrichment(truth$path, program_sets(), x = truth$x, background = "nothing"),
                 "'background' must contain genes of the path", class = "pnmf_error")
})

test_that("sets come from GMT files, gzipped or not, and bad ones are refused", {
    truth <- programs()
    sets <- program_sets()[1:3]
    lines <- vapply(names(sets), function(name) paste(c(name, "http://x", sets[[name]]), collapse = "\t"), "")
    file <- tempfile(fileext = ".gmt")
    writeLines(c(lines, ""), file)
    expect_identical(factor_enrichment(truth$path, file, x = truth$x), factor_enrichment(truth$path, sets, x = truth$x))
    packed <- tempfile(fileext = ".gmt.gz")
    connection <- gzfile(packed, "w")
    writeLines(lines, connection)
    close(connection)
    expect_identical(read_gene_sets(packed), read_gene_sets(sets))
    writeLines(c(lines, "name only"), file)
    expect_error(factor_enrichment(truth$path, file, x = truth$x), "line 4 does not", class = "pnmf_error")
    writeLines(character(0), file)
    expect_error(factor_enrichment(truth$path, file, x = truth$x), "it is empty", class = "pnmf_error")
    expect_error(factor_enrichment(truth$path, "no such file", x = truth$x), "existing GMT file", class = "pnmf_error")
})

test_that("sets that cannot be tested are refused by name", {
    truth <- programs()
    enrich <- function(sets, ...) factor_enrichment(truth$path, sets, x = truth$x, ...)
    expect_error(enrich(list(c("g1", "g2"))), "'sets' must be a named list", class = "pnmf_error")
    expect_error(enrich(list(a = 1:3)), "'sets' must be a named list", class = "pnmf_error")
    expect_error(enrich(list(a = "g1", a = "g2")), "'a' appears twice", class = "pnmf_error")
    expect_error(enrich(list(a = c("CD3D", "CD3E"))), "has none of them", class = "pnmf_error")
    expect_error(enrich(list(a = c("g1", "g2"))), "sizes are 2 to 2", class = "pnmf_error")
    expect_identical(nrow(enrich(list(a = c("g1", "g2")), size = c(2, 500))), 3L)
})

test_that("loadings rank without data, and genes without weight are no top genes", {
    truth <- programs()
    found <- factor_enrichment(truth$path, program_sets(), by = "loading", n = 11)
    expect_identical(found$overlap[found$factor == 1 & found$set == "first"], 10L)
    all <- factor_enrichment(truth$path, list(all = c(rownames(truth$x))), by = "loading", n = 100)
    expect_identical(unique(all$overlap), 31L) # the constant gene has no weight
})

test_that("ranked lists go to fgsea", {
    truth <- programs()
    if (!requireNamespace("fgsea", quietly = TRUE)) {
        expect_error(factor_enrichment(truth$path, program_sets(), method = "ranked", x = truth$x),
                     "needs the package fgsea", class = "pnmf_error")
        skip("fgsea is not installed")
    }
    stats::runif(1)
    before <- .Random.seed
    found <- suppressWarnings(factor_enrichment(truth$path, program_sets(), method = "ranked", x = truth$x))
    expect_identical(.Random.seed, before)
    best <- found[!duplicated(found$factor), ]
    expect_identical(best$set[1:2], c("first", "second"))
})

test_that("a list without names is called so", {
    expect_error(read_gene_sets(list(c("A", "B"))), "named list .*, not a list without names", class = "pnmf_error")
})

test_that("the table prints, subsets and plots", {
    truth <- programs()
    found <- factor_enrichment(truth$path, program_sets(), x = truth$x, n = 10)
    expect_output(print(found), "3 factors at scale 1, 3 sets, background of 32 genes")
    expect_output(print(factor_enrichment(truth$path, program_sets()[1], x = truth$x, n = 10)), "scale 1, 1 set, ")
    expect_output(print(found[, c("factor", "set")]), "first")
    expect_identical(class(as.data.frame(found)), "data.frame")
    expect_s3_class(plot(found), "ggplot")
    scales <- ggplot2::ggplot_build(plot(found))$plot$scales
    expect_identical(scales$get_scales("size")$get_breaks(), c(5, 10)) # 10 of 10 genes each
    expect_identical(scales$get_scales("colour")$get_limits()[1], 0)
    expect_error(plot(found, max_p = 1e-30), "'max_p' must leave a set", class = "pnmf_error")
})

test_that("objects find their data and other names of genes", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    SummarizedExperiment::rowData(sce)$symbol <- paste0("S", seq_len(nrow(sce)))
    sets <- list(one = paste0("S", seq(1, 60, 3)), two = paste0("S", seq(2, 60, 3)))
    found <- factor_enrichment(sce, sets, swap_rownames = "symbol", n = 15)
    renamed <- list(one = paste0("gene", seq(1, 60, 3)), two = paste0("gene", seq(2, 60, 3)))
    expect_identical(found$p, factor_enrichment(sce, renamed, n = 15)$p)
})
