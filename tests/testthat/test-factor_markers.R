test_that("the markers of a factor are its own genes, not those that all factors have", {
    truth <- programs()
    markers <- factor_markers(truth$path, n = 10, x = truth$x)
    expect_identical(names(markers), c("t", "factor", "rank", "feature", "score", "z", "closest", "loading",
                                       "supported"))
    found <- split(markers$feature, markers$factor)
    for (j in 1:3) expect_setequal(found[[j]], paste0("g", 10 * (j - 1) + 1:10))
    # The largest loading of every factor is the gene that all of them have.
    expect_identical(unique(factor_markers(truth$path, n = 1, by = "loading")$feature), "house")
    expect_true(all(markers$score > 0))
})

test_that("scores are the smallest leads of ridge coefficients in standard errors", {
    truth <- programs(n_cells = 40)
    markers <- factor_markers(truth$path, n = NULL, x = truth$x)
    U <- t(truth$H) / colSums(truth$H)
    gene <- truth$x["g4", ]
    z <- (gene - mean(gene)) / sqrt(mean((gene - mean(gene))^2))
    # A ridge is a regression with one more row per coefficient, whose response is 0.
    ridge <- sqrt(0.01 * mean(diag(crossprod(U))))
    fit <- stats::lm.fit(rbind(U, diag(ridge, 3)), c(z, 0, 0, 0))
    b <- unname(stats::coef(fit))
    G <- solve(crossprod(U) + diag(ridge^2, 3))
    V <- G %*% crossprod(U) %*% G * sum((z - U %*% b)^2) / (40 - 3)
    lead <- (b[2] - b[c(1, 3)]) / sqrt(V[2, 2] + diag(V)[c(1, 3)] - 2 * V[2, c(1, 3)])
    row <- markers[markers$feature == "g4" & markers$factor == 2, ]
    expect_equal(row$score, min(lead), tolerance = 1e-8)
    expect_equal(row$z, b[2] / sqrt(V[2, 2]), tolerance = 1e-8)
    expect_identical(row$closest, c(1L, 3L)[which.min(lead)])
})

test_that("usages with fewer dimensions than factors still have specific genes", {
    truth <- programs()
    collinear <- truth$path
    mixed <- colMeans(truth$H[2:3, ]) * stats::runif(1, 0.99, 1)
    collinear@H[[1]] <- rbind(truth$H[1, ], truth$H[2:3, ] * 1e-6 + rep(mixed, each = 2))
    markers <- factor_markers(collinear, x = truth$x)
    expect_setequal(markers$feature[markers$factor == 1], paste0("g", 1:10))
    expect_gt(min(markers$score[markers$factor == 1]), 2)
})

test_that("a program without genes of its own is unsupported and listed last", {
    truth <- programs(n_programs = 4)
    noise <- truth$path
    noise@H[[1]][2, ] <- with_random_state(3, stats::rgamma(ncol(noise@H[[1]]), 0.4))
    markers <- factor_markers(noise, n = 5, x = without_program(truth$x, 2))
    expect_identical(unique(markers$factor), c(1L, 3L, 4L, 2L))
    expect_identical(unique(markers$factor[!markers$supported]), 2L)
})

test_that("a factor is not credited with genes that another factor has, whatever its usage", {
    expect_identical(loaded_scores(cbind(c(3, 3, NA, -1), c(5, 1, 2, -2)), cbind(c(1, 1, 1, 1), c(2, 2.1, 3, 3))),
                     cbind(c(3, 0, NA, -1), c(5, 1, 2, -2)))
    truth <- programs()
    # A flat factor, and a rare gene of factor 1 in those of its cells that use the flat one a little more.
    flat <- truth$path
    rare <- order(-truth$H[1, ])[1:12]
    flat@H[[1]][3, ] <- 0.5 * colSums(truth$H[1:2, ])
    flat@H[[1]][3, rare] <- 1.2 * flat@H[[1]][3, rare]
    truth$x["g1", ] <- 0
    truth$x["g1", rare] <- 1
    W <- unname(truth$W)
    W[1, ] <- c(0.1, 0, 0.01)
    H <- t(flat@H[[1]])
    expect_gt(marker_scores(truth$x, H)$score[1, 3], 3)
    expect_lte(marker_scores(truth$x, H, W)$score[1, 3], 0)
})

test_that("programs of ribosomal and mitochondrial genes are left out on request", {
    truth <- programs()
    names <- rownames(truth$x)
    names[1:10] <- c(paste0("RPS", 1:5), paste0("Mt-Nd", 1:5))
    names[11:14] <- paste0("RPL", 1:4)
    rownames(truth$x) <- truth$path@feature_names <- names
    expect_message(markers <- factor_markers(truth$path, x = truth$x, housekeeping = FALSE), "factor 1: ribosomal",
                   class = "pnmf_message")
    expect_identical(unique(markers$factor), 2:3)
    expect_identical(unique(factor_markers(truth$path, x = truth$x)$factor), 1:3)
    expect_error(factor_markers(truth$path, x = truth$x, housekeeping = NA), "'housekeeping'", class = "pnmf_error")
    truth <- programs()
    expect_message(factor_markers(truth$path, x = truth$x, housekeeping = FALSE), "so nothing is left out",
                   class = "pnmf_message")
})

test_that("scores do not depend on units of genes, nor on how the data are stored", {
    truth <- programs()
    markers <- factor_markers(truth$path, x = truth$x)
    scaled <- truth$x * rep_len(c(0.1, 1, 1000), nrow(truth$x))
    expect_equal(factor_markers(truth$path, x = scaled), markers, tolerance = 1e-8)
    sparse <- as_compressed_columns(Matrix::Matrix(truth$x, sparse = TRUE))
    expect_equal(factor_markers(truth$path, x = sparse), markers, tolerance = 1e-10)
})

test_that("genes that never vary, idle factors and copies of factors are dealt with", {
    truth <- programs()
    expect_false("flat" %in% factor_markers(truth$path, n = NULL, x = truth$x)$feature)
    idle <- truth$path
    idle@H[[1]][2, ] <- 0
    expect_message(markers <- factor_markers(idle, x = truth$x), "no cell uses factor 2 at scale 1",
                   class = "pnmf_message")
    expect_identical(unique(markers$factor), c(1L, 3L))
    copies <- truth$path
    copies@H[[1]][2, ] <- copies@H[[1]][1, ]
    markers <- factor_markers(copies, x = truth$x)
    expect_true(all(is.finite(markers$score)))
    expect_lt(max(markers$score[markers$factor %in% 1:2]), 1)
})

test_that("data are needed, and found in the path or the object", {
    truth <- programs()
    expect_error(factor_markers(truth$path), "'x' must be the data the path was fitted to", class = "pnmf_error")
    kept <- truth$path
    kept@data <- truth$x
    expect_equal(factor_markers(kept), factor_markers(truth$path, x = truth$x))
    expect_error(factor_markers(truth$path, x = truth$x, n = 0), "'n' must be", class = "pnmf_error")
    expect_error(factor_markers(truth$path, x = truth$x, t = 4), "'t' must be", class = "pnmf_error")
    expect_error(factor_markers(truth$path, x = truth$x, factors = 9), "'factors' must be", class = "pnmf_error")
    expect_error(factor_markers(truth$path, x = truth$x[1:5, ]), "'x' lacks", class = "pnmf_error")
})

test_that("objects need no data, and show the names of a column of their row data", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- sce_with_path()
    path <- PNMFPath(sce)
    x <- SummarizedExperiment::assay(sce, "logcounts")
    expect_equal(factor_markers(sce, t = 2), factor_markers(path, t = 2, x = x))
    symbol <- paste0("S", seq_len(nrow(sce)))
    symbol[2:3] <- c(NA, "S1")
    SummarizedExperiment::rowData(sce)$symbol <- symbol
    shown <- displayed_names(sce, path, "symbol")
    expect_identical(shown[match(c("gene1", "gene2", "gene3", "gene4"), rownames(path))],
                     c("S1 (gene1)", "gene2", "S1 (gene3)", "S4"))
    markers <- factor_markers(sce, swap_rownames = "symbol")
    expect_identical(markers$feature, shown[match(factor_markers(sce)$feature, rownames(path))])
    expect_error(factor_markers(sce, swap_rownames = "name"), "'swap_rownames' must be a column.*symbol",
                 class = "pnmf_error")
    expect_error(factor_markers(path, x = x, swap_rownames = "symbol"), "'swap_rownames' must be", class = "pnmf_error")
    named <- stats::setNames(c(symbol, "S99"), c(rownames(sce), "not fitted"))
    expect_identical(displayed_names(sce, path, rev(named)), shown)
    skip_if_not_installed("Seurat")
    object <- seurat_with_path()
    x <- SeuratObject::GetAssayData(object)
    expect_equal(factor_markers(object), factor_markers(PNMFPath(object), x = x))
})
