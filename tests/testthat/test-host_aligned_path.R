three_by_two <- function(cells = paste0("c", 1:6)) {
    fine <- matrix(c(1, 2, 3, 3, 0, 0, 6, 5, 4, 4, 0, 0), 6)
    coarse <- matrix(c(1, 1, 1, 2, 0, 5, 1, 1, 1, 1, 0, 5), 6)
    synthetic_path(list(fine, coarse), cells = cells)
}

rows_of <- function(path, cells, t = 1, names = path@cell_names[cells]) {
    rows <- embedding(path, t)[cells, , drop = FALSE]
    rownames(rows) <- names
    rows
}

test_that("cells are found by name", {
    path <- three_by_two()
    expect_identical(aligned_path(path, rows_of(path, 1:6), 1), path)
    expect_identical(aligned_path(path, rows_of(path, c(5, 2)), 1), subset_cells(path, c(5, 2)))
})

test_that("renamed cells are found by their embedding and take the new names", {
    path <- three_by_two()
    renamed <- aligned_path(path, rows_of(path, c(2, 1), names = c("B", "A")), 1)
    expect_identical(renamed@cell_names, c("B", "A"))
    expect_identical(renamed@H, subset_cells(path, c(2, 1))@H)
})

test_that("names that moved to other cells do not mislead", {
    path <- three_by_two()
    swapped <- aligned_path(path, rows_of(path, 1:2, names = c("c2", "c1")), 1)
    expect_identical(swapped@cell_names, c("c2", "c1"))
    expect_identical(swapped@H, subset_cells(path, 1:2)@H)
})

test_that("rows without names are found by their embedding", {
    path <- three_by_two()
    rows <- unname(rows_of(path, c(3, 4, 2)))
    expect_identical(aligned_path(path, rows, 1)@cell_names, c("c3", "c4", "c2"))
})

test_that("equal rows are taken in order while all are there, and refused when that would be a guess", {
    path <- three_by_two()
    renamed <- aligned_path(path, rows_of(path, 1:6, names = letters[1:6]), 1)
    expect_identical(renamed@H, path@H)
    expect_error(aligned_path(path, rows_of(path, c(1, 4), names = c("a", "d")), 1),
                 "2 of the path's cells cannot be distinguished at scale 1", class = "pnmf_error")
    # cells 1 to 3 are equal at scale 2 and differ at scale 1
    expect_error(aligned_path(path, rows_of(path, c(1, 3), t = 2, names = c("a", "c")), 2), "distinguished")
    same <- synthetic_path(list(matrix(1, 4, 2), matrix(2, 4, 2)))
    expect_identical(aligned_path(same, rows_of(same, 1:2, names = c("a", "b")), 1)@cell_names, c("a", "b"))
})

test_that("an embedding that was rescaled is matched by name alone", {
    path <- three_by_two()
    expect_identical(aligned_path(path, 7 * rows_of(path, c(6, 1)), 1), subset_cells(path, c(6, 1)))
})

test_that("cells of another fit are refused", {
    path <- three_by_two()
    rows <- rbind(rows_of(path, 1:2), stranger = c(9, 9))
    expect_error(aligned_path(path, rows, 1), "1 of 3 cells are not in the stored path \\(the first is 'stranger'\\)",
                 class = "pnmf_error")
    expect_error(aligned_path(path, unname(rows), 1), "are not in the stored path", class = "pnmf_error")
    expect_error(aligned_path(path, rows_of(path, c(1, 2, 1)), 1), "1 of 3 cells repeat others of the stored path",
                 class = "pnmf_error")
})

test_that("row codes agree exactly where rows do", {
    x <- with_random_state(1, matrix(sample(3, 200, replace = TRUE), 50))
    keys <- apply(x, 1, paste, collapse = " ")
    expect_identical(outer(row_codes(x), row_codes(x), "=="), outer(keys, keys, "=="))
    expect_identical(occurrence(c(5L, 2L, 5L, 5L, 2L)), c(1L, 1L, 2L, 3L, 2L))
})

test_that("an embedding of another rank matches no cells", {
    path <- three_by_two()
    expect_null(match_embedding(path, cbind(embedding(path, 1), 1), 1))
})
