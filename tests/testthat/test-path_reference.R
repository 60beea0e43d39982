reference_case <- function() {
    x <- small_data(11, 150, 260)
    dimnames(x) <- list(paste0("g", 1:150), paste0("c", 1:260))
    path <- quietly(pnmf(x[, 1:200], rank = 3, scales = 3, control = pnmf_control(max_outer = 10, tol = 0)))
    list(x = x, path = path, labels = rep(c("a", "b"), 100))
}

test_that("a reference predicts like its path, before and after it was in a file", {
    skip_if_not_installed("jsonlite")
    case <- reference_case()
    new <- case$x[, 201:260]
    reference <- reduced_to_landmarks(case$path, case$labels, landmarks = 100)
    expect_identical(dim(reference)[2], 100L)
    file <- tempfile(fileext = ".json.gz")
    write_reference(case$path, file, case$labels, landmarks = 100)
    back <- read_reference(file)
    expect_output(print(back), "a reference: without the objective of its fit.*use: predict\\(path, newdata\\)")
    expect_output(print(back), "100 cells \\(a subset of the 200 fitted\\).*effective cells of all fitted cells")
    for (refuse in c(plot, persistent_clusters, suggest_scale, cluster_programs, plot_cluster_tree)) {
        expect_error(refuse(back), "is a reference, which has only some of the cells", class = "pnmf_error")
    }
    for (t in 1:3) {
        expect_equal(predict(back, new, t = t), predict(reference, new, t = t), tolerance = 1e-5)
        full <- predict(case$path, new, t = t)
        expect_lt(sqrt(sum((predict(reference, new, t = t) - full)^2) / sum(full^2)), 0.2)
    }
    expect_equal(attr(predict(back, new, score = TRUE), "score"),
                 attr(predict(case$path, new, score = TRUE), "score"), tolerance = 0.2)
    expect_identical(transfer_labels(back, new)$label, transfer_labels(reference, new)$label)
    expect_identical(predict(reference, case$x[, colnames(reference)[1:5]]), embedding(reference)[1:5, ])
})

test_that("small labels leave their room to others", {
    labels <- factor(rep(c("a", "b", "c"), c(5, 30, 1000)))
    expect_identical(as.vector(table(labels[landmark_cells(1:1035, labels, 45)])), c(5L, 20L, 20L))
})

test_that("every label keeps some landmarks", {
    kept <- landmark_cells(seq_len(1000), factor(rep(c("a", "b"), c(970, 30))), 100)
    expect_identical(sum(kept > 970), 20L)
    expect_identical(sum(kept <= 970), 79L)
    thirds <- rep(c("a", "b", "c"), 500)
    for (n in c(4, 100, 1000, 1500)) {
        kept <- landmark_cells(seq_len(1500), thirds, n)
        expect_lte(length(kept), n)
        expect_gt(length(kept), n - 3)
        expect_length(landmark_cells(seq_len(1500), NULL, n), n)
    }
})

test_that("too few landmarks are not taken silently, and cells without a label stay without one", {
    skip_if_not_installed("jsonlite")
    case <- reference_case()
    expect_warning(reduced_to_landmarks(case$path, case$labels, landmarks = 5), "'landmarks' = 5 .*use at least 40",
                   class = "pnmf_warning")
    expect_error(reduced_to_landmarks(case$path, rep(1:50, 4), landmarks = 49), "'landmarks' must be at least one for",
                 class = "pnmf_error")
    file <- tempfile(fileext = ".json")
    labels <- replace(case$labels, 1:50, NA)
    write_reference(case$path, file, labels, landmarks = 100)
    back <- read_reference(file)
    expect_identical(back@parameters$labels, labels[match(back@cell_names, case$path@cell_names)])
    expect_identical(sum(is.na(back@parameters$labels)), 28L) # 20, and 40 * 30 / 140 of the others
    expect_setequal(transfer_labels(back, case$x[, 1:20], unassigned = 0)$label, c("a", "b"))
})

test_that("files that are no references, or damaged, are refused", {
    skip_if_not_installed("jsonlite")
    file <- tempfile(fileext = ".json")
    expect_error(read_reference(file), "'file' must be an existing file", class = "pnmf_error")
    writeLines("{\"format\": [\"other\"]}", file)
    expect_error(read_reference(file), "must be a reference that write_reference\\(\\) wrote", class = "pnmf_error")
    writeLines("{\"format\": [\"pNMF reference 1\"], \"W\": []}", file)
    expect_error(read_reference(file), "is damaged", class = "pnmf_error")
    case <- reference_case()
    expect_error(write_reference(case$path, file, landmarks = 1), "'landmarks' must be", class = "pnmf_error")
    expect_error(write_reference(1, file), "'path' must be", class = "pnmf_error")
    writeLines("", file)
    expect_error(write_reference(case$path, file), "use overwrite = TRUE", class = "pnmf_error")
    write_reference(case$path, file, overwrite = TRUE)
    expect_error(transfer_labels(read_reference(file), case$x), "'labels' must be given: one label",
                 class = "pnmf_error")
    expect_error(write_reference(case$path, "a.rds"), "must end in .json or .json.gz", class = "pnmf_error")
    bare <- case$path
    bare@scales$placement <- NULL
    expect_error(write_reference(bare, file), "fit it again", class = "pnmf_error")
})
