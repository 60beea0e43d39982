test_that("a GMT file holds the specific genes of every program, and is read back", {
    truth <- programs()
    file <- tempfile(fileext = ".gmt")
    expect_identical(write_programs(truth$path, file, t = 2, n = 10, x = truth$x), file)
    sets <- read_gene_sets(file)
    expect_identical(names(sets), paste0("scale2_factor", 1:3))
    for (j in 1:3) expect_setequal(sets[[j]], paste0("g", 10 * (j - 1) + 1:10))
    expect_match(readLines(file)[1], "\tsupported\t", fixed = TRUE)
    expect_error(write_programs(truth$path, file, x = truth$x), "overwrite = TRUE", class = "pnmf_error")
    write_programs(truth$path, file, n = 1, x = truth$x, overwrite = TRUE)
    expect_identical(lengths(read_gene_sets(file), use.names = FALSE), rep(1L, 3))
})

test_that("gene sets hold the names that other tools know, each once", {
    truth <- programs()
    symbols <- c(rep(c("A", "B", "C"), each = 10), "house", "flat")
    file <- tempfile(fileext = ".gmt")
    write_programs(truth$path, file, t = 2, n = 10, x = truth$x, swap_rownames = symbols)
    expect_setequal(unlist(read_gene_sets(file)), c("A", "B", "C"))
    expect_match(factor_markers(truth$path, t = 2, n = 1, x = truth$x, swap_rownames = symbols)$feature, "^[ABC] \\(g")
})

test_that("programs without a specific gene are named, not left out without a word", {
    scores <- list(used = c(1L, 3L), supported = c(TRUE, TRUE), score = cbind(c(2, 1, 0), 0))
    expect_message(lines <- gmt_lines(scores, 4, 2, c("a", "b", "c")),
                   "programs without specific genes at scale 4 were not written: factor 3", class = "pnmf_message")
    expect_identical(lines, "scale4_factor1\tsupported\ta\tb")
})

test_that("tables hold the z-scores of genes and the usages of cells", {
    truth <- programs()
    file <- tempfile(fileext = ".csv")
    write_programs(truth$path, file, x = truth$x)
    z <- utils::read.csv(file, row.names = 1)
    markers <- factor_markers(truth$path, n = NULL, x = truth$x)
    expect_equal(as.matrix(z)[cbind(markers$feature, paste0("factor", markers$factor))], markers$z,
                 tolerance = 1e-10)
    usages <- tempfile(fileext = ".tsv")
    write_programs(truth$path, usages, what = "usage")
    read <- as.matrix(utils::read.delim(usages, row.names = 1))
    expect_equal(read, t(truth$H) / colSums(truth$H), tolerance = 1e-10, ignore_attr = TRUE)
    expect_identical(rownames(read), truth$path@cell_names)
})
