test_that("cells of one type are closer to each other than to other types, and types of one lineage closer still", {
    cells <- simulate_cells(n_cells = 120, n_genes = 400, seed = 3)
    x <- as.matrix(normalize_counts(cells$counts, method = "paper"))
    d <- as.matrix(dist(t(x)))
    same_type <- outer(cells$type, cells$type, "==") & row(d) != col(d)
    same_lineage <- outer(cells$lineage, cells$lineage, "==") & !outer(cells$type, cells$type, "==")
    apart <- outer(cells$lineage, cells$lineage, "!=")
    expect_lt(mean(d[same_type]), mean(d[same_lineage]))
    expect_lt(mean(d[same_lineage]), mean(d[apart]))
})

test_that("the simulation is sparse, named, reproducible and leaves the session's generator alone", {
    set.seed(5)
    before <- .Random.seed
    a <- simulate_cells(n_cells = 30, n_genes = 100, seed = 2)
    expect_identical(.Random.seed, before)
    expect_identical(a, simulate_cells(n_cells = 30, n_genes = 100, seed = 2))
    expect_false(identical(a$counts, simulate_cells(n_cells = 30, n_genes = 100, seed = 4)$counts))
    expect_s4_class(a$counts, "dgCMatrix")
    expect_identical(dim(a$counts), c(100L, 30L))
    expect_identical(nlevels(a$type), 6L)
    expect_true(all(a$counts@x == round(a$counts@x)))
})

test_that("impossible sizes are refused", {
    expect_error(simulate_cells(n_cells = 3), "'n_cells' must be a whole number", class = "pnmf_error")
    expect_error(simulate_cells(n_genes = 5), "'n_genes'", class = "pnmf_error")
    expect_error(simulate_cells(n_lineages = 0), "'n_lineages'", class = "pnmf_error")
    expect_error(simulate_cells(depth = -1), "'depth'", class = "pnmf_error")
})
