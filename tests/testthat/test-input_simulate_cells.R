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

test_that("lineages and types raise their genes as many times as asked", {
    # Deep counts: 500 cells of a lineage with 2e5 counts each leave an error of about one percent per gene.
    cells <- simulate_cells(n_cells = 1000, n_genes = 100, types_per_lineage = 1, depth = 2e5, seed = 3,
                            lineage_fold = 3, type_fold = 2)
    share <- sweep(as.matrix(cells$counts), 2L, Matrix::colSums(cells$counts), "/")
    mean_of <- function(type) rowMeans(share[, cells$type == type])
    ratio <- mean_of("type1") / mean_of("type2")
    programs <- cells$programs
    fold <- 3^(programs[, "lineage1"] - programs[, "lineage2"]) * 2^(programs[, "type1"] - programs[, "type2"])
    seen <- rowMeans(share) > 1e-3
    expect_gt(length(unique(fold[seen])), 3L)
    # Shares add to one, so all ratios have a common factor.
    off <- log(ratio[seen] / fold[seen])
    expect_lt(max(abs(off - stats::median(off))), 0.05)
})

test_that("a fold of one has no effect, and folds do not change what else is drawn", {
    none <- simulate_cells(n_cells = 60, n_genes = 100, lineage_fold = 1, type_fold = 1, seed = 2)
    some <- simulate_cells(n_cells = 60, n_genes = 100, seed = 2)
    expect_identical(none$programs, some$programs)
    expect_identical(none$usage, some$usage)
    profiles <- branching_profiles(100L, c(1L, 1L, 2L), 1, 1)$profiles
    expect_identical(profiles[, 1], profiles[, 3])
})

test_that("impossible sizes are refused", {
    expect_error(simulate_cells(n_cells = 3), "'n_cells' must be a whole number", class = "pnmf_error")
    expect_error(simulate_cells(n_genes = 5), "'n_genes'", class = "pnmf_error")
    expect_error(simulate_cells(n_lineages = 0), "'n_lineages'", class = "pnmf_error")
    expect_error(simulate_cells(depth = -1), "'depth'", class = "pnmf_error")
})
