small_path <- function(...) {
    pnmf(simulate_circles(n_per_circle = 5, n_noise = 4), rank = 2, scales = 4,
         control = pnmf_control(max_outer = 3, tol = 0, ...))
}

test_that("a fitted path survives a round trip through a file", {
    path <- small_path()
    file <- tempfile(fileext = ".rds")
    saveRDS(path, file)
    expect_identical(readRDS(file), path)
    expect_identical(embedding(readRDS(file), 2), embedding(path, 2))
})

test_that("validity reports every problem at once", {
    path <- small_path()
    path@H[[1]] <- matrix(0, 1, 1)
    path@H[[2]][1, 1] <- -1
    path@W[[3]] <- path@W[[3]][-1, ]
    path@W[[4]][1, 1] <- NaN
    path@cell_names[2] <- path@cell_names[1]
    path@feature_names[2] <- path@feature_names[1]
    path@objective <- data.frame(a = 1)
    path@version <- character()
    path@convergence$scales <- path@convergence$scales[1:2, ]
    path@scales$threshold <- rev(path@scales$threshold)
    problems <- tryCatch(methods::validObject(path), error = conditionMessage)
    for (problem in c("H is not a 2 x 20 matrix at scale 1", "H has negative or non-finite entries at scale 2",
                      "W is not a 7 x 2 matrix at scale 3", "W has negative or non-finite entries at scale 4",
                      "cell names are not unique", "feature names are not unique", "'objective' lacks outer",
                      "'version' is not a single string", "'convergence\\$scales' does not have one row per scale",
                      "thresholds are not ascending")) {
        expect_match(problems, problem)
    }
})

test_that("each kind of damage is noticed", {
    damaged <- function(pattern, change) expect_error(methods::validObject(change(small_path())), pattern)
    damaged("3 embeddings for 4 scales", function(path) {
        path@H <- path@H[-1]
        path
    })
    damaged("2 bases for 4 scales", function(path) {
        path@W <- path@W[1:2]
        path
    })
    damaged("'scales' has no threshold", function(path) {
        path@scales$threshold <- numeric()
        path
    })
    damaged("one betti0 per threshold", function(path) {
        path@scales$betti0 <- 1L
        path
    })
    damaged("19 cell names for scales of 20 cells", function(path) {
        path@cell_names <- path@cell_names[-1]
        path
    })
    for (rank in list(NULL, "2", 2.5, NA_real_, c(2, 2), 0)) {
        damaged("parameters\\$rank is not a whole number", function(path) {
            path@parameters["rank"] <- list(rank)
            path
        })
    }
    damaged("at scale 1 2 3 4", function(path) {
        path@H <- lapply(path@H, `*`, -1)
        path
    })
})

test_that("a path without some of its bases is not valid", {
    path <- small_path()
    path@W <- path@W[1:2]
    expect_error(methods::validObject(path), "2 bases for 4 scales")
})

test_that("names are made unique, and missing ones made up", {
    x <- simulate_circles(n_per_circle = 5, n_noise = 4)
    colnames(x)[2] <- colnames(x)[1]
    rownames(x) <- NULL
    path <- pnmf(x, rank = 2, scales = 3, control = pnmf_control(max_outer = 1, tol = 0))
    expect_identical(dimnames(path)[[2]][1:3], c("point1", "point1.1", "point3"))
    expect_identical(dimnames(path)[[1]][1:2], c("feature1", "feature2"))
})

test_that("paths carry the version that made them, and updateObject() brings them up to date", {
    skip_if_not_installed("BiocGenerics")
    path <- small_path()
    installed <- as.character(utils::packageVersion("pNMF"))
    expect_identical(path@version, installed)
    path@version <- "0.0.1"
    expect_identical(BiocGenerics::updateObject(path)@version, installed)
    path@H[[1]][1] <- NA
    expect_error(updated_path(path), "non-finite")
    expect_error(updated_path(list()), "'path' must be a pNMFPath object.*pnmf\\(\\)", class = "pnmf_error")
})
