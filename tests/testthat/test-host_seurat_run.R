skip_if_not_installed("SeuratObject")

small_matrix <- function() {
    x <- as.matrix(grouped_counts(40, 20))
    log1p(x)
}

test_that("a matrix gives a reduction that holds the path pnmf() fits", {
    x <- small_matrix()
    reduction <- RunPNMF(x, assay = "ADT", rank = 3, n.scales = 4, control = quick_control())
    path <- pnmf(x, rank = 3, scales = 4, control = quick_control(seed = 42))
    expect_s4_class(reduction, "DimReduc")
    expect_identical(PNMFPath(reduction), path)
    expect_identical(unname(SeuratObject::Embeddings(reduction)), unname(embedding(path, 1)))
    expect_identical(unname(SeuratObject::Loadings(reduction)), unname(loading(path, 1)))
    expect_identical(dimnames(SeuratObject::Embeddings(reduction)), list(colnames(x), paste0("PNMF_", 1:3)))
    expect_identical(dimnames(SeuratObject::Loadings(reduction)), list(rownames(x), paste0("PNMF_", 1:3)))
    expect_identical(SeuratObject::DefaultAssay(reduction), "ADT")
})

test_that("stdev is the size of each factor's part of the fit, in the order of the factors", {
    # of the solvers, "mu" leaves the columns of W with different lengths
    reduction <- RunPNMF(small_matrix(), rank = 3, n.scales = 2, solver = "mu", control = quick_control())
    W <- SeuratObject::Loadings(reduction)
    H <- SeuratObject::Embeddings(reduction)
    parts <- vapply(1:3, function(j) norm(tcrossprod(W[, j], H[, j]), "F"), numeric(1))
    expect_equal(SeuratObject::Stdev(reduction), parts, tolerance = 1e-12)
})

test_that("arguments of pnmf() pass through, and scales may be given", {
    x <- small_matrix()
    scales <- persistence_scales(x, select = "minimal", n_scales = 3, seed = 5)
    path <- PNMFPath(RunPNMF(x, rank = 2, scales = scales, lambda_graph = 7, lambda_smooth = 3, lambda_anchor = 0.5,
                             alpha = 2, solver = "mu", control = quick_control()))
    expect_identical(thresholds(path), scales$threshold)
    expect_identical(path@parameters[c("lambda_graph", "lambda_smooth", "lambda_anchor", "alpha", "solver")],
                     list(lambda_graph = 7, lambda_smooth = 3, lambda_anchor = 0.5, alpha = 2, solver = "mu"))
})

test_that("distances may be measured in other coordinates, matched by the cells' names", {
    x <- small_matrix()
    coordinates <- cbind(a = seq_len(40)^2, b = 0)
    rownames(coordinates) <- colnames(x)
    path <- PNMFPath(RunPNMF(x, rank = 2, n.scales = 40, space = coordinates[40:1, ],
                             metric = "euclidean", thin = "betti", control = quick_control()))
    # neighbours on the line k^2 are 2k + 1 apart
    expect_equal(thresholds(path)[1:39], 2 * 1:39 + 1)
    expect_warning(same <- RunPNMF(x, rank = 2, n.scales = 40, coordinates = coordinates, metric = "euclidean",
                                   thin = "betti", control = quick_control()), "'coordinates' is now called 'space'")
    expect_identical(PNMFPath(same), path)
})

test_that("there are at most as many scales as cells", {
    x <- small_matrix()[, 1:6]
    expect_identical(n_scales(PNMFPath(RunPNMF(x, rank = 2, control = quick_control()))), 6L)
})

test_that("a seed reaches a random start, and the session's random numbers are left alone", {
    x <- small_matrix()
    fit <- function(seed) {
        SeuratObject::Embeddings(RunPNMF(x, rank = 3, n.scales = 2, seed.use = seed,
                                         control = quick_control(start = "random")))
    }
    set.seed(1)
    before <- .Random.seed
    first <- fit(1)
    expect_identical(.Random.seed, before)
    expect_identical(fit(1), first)
    expect_false(identical(fit(2), first))
})

test_that("verbose = FALSE is silent", {
    # Many features, where pnmf() says which distances it chose
    x <- log1p(as.matrix(grouped_counts(60, 120)))
    control <- pnmf_control(max_outer = 1, tol = 0, threads = 1, verbose = FALSE)
    expect_silent(RunPNMF(x, rank = 2, n.scales = 2, verbose = FALSE, control = control))
    expect_silent(RunPNMF(x, rank = 2, n.scales = 2, control = control))
    loud <- pnmf_control(max_outer = 1, tol = 0, threads = 1)
    expect_silent(RunPNMF(x, rank = 2, n.scales = 2, verbose = FALSE, control = loud))
    expect_message(RunPNMF(x, rank = 2, n.scales = 2, control = loud), "principal components")
    control$verbose <- TRUE
    verbose <- NULL
    set_namespace_value("container_fit", function(..., control) verbose <<- c(verbose, control$verbose))
    for (said in c(TRUE, FALSE)) fit_for_seurat(x, 2, 2, NULL, 1, said, control)
    expect_identical(verbose, c(TRUE, FALSE))
})

test_that("bad input is refused", {
    x <- small_matrix()
    expect_error(RunPNMF(-x), "'object' must be nonnegative", class = "pnmf_error")
    expect_error(RunPNMF("x"), "'object' must be a numeric matrix", class = "pnmf_error")
    expect_error(RunPNMF(x, rank = 0), "'rank' must be a whole number", class = "pnmf_error")
    expect_error(RunPNMF(x, n.scales = 0), "'n.scales' must be a whole number", class = "pnmf_error")
    expect_error(RunPNMF(x, reduction.key = "PNMF"), "'reduction.key' must be letters and digits", class = "pnmf_error")
    expect_error(RunPNMF(x, seed.use = -1), "'seed.use' must be", class = "pnmf_error")
    expect_error(RunPNMF(x, verbose = NA), "'verbose' must be TRUE or FALSE", class = "pnmf_error")
    expect_error(RunPNMF(x, control = list()), "'control' must be made by pnmf_control()", class = "pnmf_error")
    expect_error(RunPNMF(x, max_outer = 3), "unknown argument 'max_outer'", class = "pnmf_error")
    expect_error(RunPNMF(x, space = matrix(1, 3, 2)),
                 "'space' must have one row for each of the 40 cells, not 3", class = "pnmf_error")
    named <- matrix(1, 40, 2, dimnames = list(c("nobody", colnames(x)[-1]), NULL))
    expect_error(RunPNMF(x, space = named),
                 "'space' lacks 1 of the 40 cells; the first is 'cell1'$", class = "pnmf_error")
    expect_error(RunPNMF(x, space = x), "lacks 40 of the 40 cells.*rows must be cells, but the first is '",
                 class = "pnmf_error")
    expect_error(RunPNMF(x, space = "pca"), "'space' must be a numeric matrix, cells", class = "pnmf_error")
    expect_error(RunPNMF(x, space = t(x), coordinates = t(x)), "'coordinates' must be NULL when 'space' is given",
                 class = "pnmf_error")
    expect_error(RunPNMF(x, space = t(x), scales = persistence_scales(x)), "'scales' must be NULL",
                 class = "pnmf_error")
    skip_if_not_installed("SingleCellExperiment")
    expect_error(RunPNMF(sce_object(10)), "use runPNMF\\(\\)", class = "pnmf_error")
})
