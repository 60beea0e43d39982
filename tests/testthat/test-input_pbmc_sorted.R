sorted_cells <- function() {
    held <- new.env()
    utils::data("pbmc_sorted", package = "pNMF", envir = held)
    held$pbmc_sorted
}

test_that("pbmc_sorted holds whole counts of 2,000 named genes in 1,000 named cells of five types", {
    cells <- sorted_cells()
    expect_s4_class(cells$counts, "dgCMatrix")
    expect_identical(dim(cells$counts), c(2000L, 1000L))
    expect_true(all(cells$counts@x == round(cells$counts@x)) && all(cells$counts@x > 0))
    expect_identical(rownames(cells$counts), cells$genes$symbol)
    expect_identical(anyDuplicated(cells$genes$ensembl), 0L)
    expect_identical(anyDuplicated(colnames(cells$counts)), 0L)
    expect_identical(c(table(cells$type)), c("B cell" = 203L, "CD14+" = 43L, "CD34+" = 182L, "NK cell" = 179L,
                                             "T cell" = 393L))
    expect_identical(nlevels(cells$population), 10L)
    expect_true(all(Matrix::colSums(cells$counts) <= cells$total))
})

test_that("pbmc_sorted has the markers that name its types, where they belong", {
    cells <- sorted_cells()
    share <- function(gene) tapply(cells$counts[gene, ] > 0, cells$type, mean)
    highest <- vapply(c("MS4A1", "LYZ", "SPINK2", "GNLY", "CD3D"), function(gene) names(which.max(share(gene))), "")
    expect_identical(unname(highest), c("B cell", "CD14+", "CD34+", "NK cell", "T cell"))
})

test_that("pbmc_sorted are the counts of the shared set of all sorted cells", {
    all <- shared_data("pbmc_facs")
    cells <- sorted_cells()
    place <- match(colnames(cells$counts), colnames(all$X))
    logged <- all$X[cells$genes$ensembl, place]
    rownames(logged) <- cells$genes$symbol
    expect_identical(as.character(cells$type), as.character(all$y[place]))
    expect_lt(max(abs(log1p(cells$counts) - logged)), 1e-12)
    expect_equal(cells$total, unname(Matrix::colSums(expm1(all$X))[place]), tolerance = 1e-12)
})
