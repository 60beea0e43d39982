noted <- function(x, ...) pnmf(x, rank = 2, scales = 3, control = quick_control(), ...)

counts_and_logs <- function() {
    counts <- as.matrix(grouped_counts(30, 20))
    list(counts = counts, logs = log1p(counts))
}

# The messages of all warnings, and of all notes, that an expression gives.
said_by <- function(expression) {
    said <- list(warnings = character(), messages = character())
    withCallingHandlers(
        expression,
        warning = function(w) {
            said$warnings <<- c(said$warnings, conditionMessage(w))
            invokeRestart("muffleWarning")
        },
        message = function(m) {
            said$messages <<- c(said$messages, conditionMessage(m))
            invokeRestart("muffleMessage")
        }
    )
    said
}

test_that("a fit to raw counts warns once and says what to do, dense, sparse and on disk", {
    x <- counts_and_logs()
    inputs <- list(x$counts, methods::as(x$counts, "CsparseMatrix"))
    for (input in inputs) {
        said <- said_by(noted(input))
        expect_length(said$warnings, 1L)
        expect_match(said$warnings, "^'x' holds whole numbers only and looks like raw counts: run normalize_counts")
        expect_false(any(grepl("raw counts", said$messages)))
    }
    expect_warning(noted(x$counts), class = "pnmf_raw_counts")
    expect_length(said_by(noted(x$logs))$warnings, 0L)
    expect_length(said_by(noted(1 * (x$counts > 2)))$warnings, 0L)
    skip_if_not_installed("DelayedArray")
    on_disk <- function(x) {
        scales <- persistence_scales(x$logs, n_scales = 3)
        control <- pnmf_control(max_outer = 1, tol = 0, memory = 9400)
        pnmf(DelayedArray::DelayedArray(x$data), rank = 2, scales = scales, control = control)
    }
    expect_match(said_by(on_disk(c(x, list(data = x$counts))))$warnings, "looks like raw counts")
    expect_length(said_by(on_disk(c(x, list(data = x$logs))))$warnings, 0L)
})

test_that("predict() warns of raw counts, unless the path was fitted to raw counts", {
    x <- counts_and_logs()
    said <- said_by(predict(noted(x$logs), x$counts[, 1:4]))
    expect_length(said$warnings, 1L)
    expect_match(said$warnings, "^'newdata' holds whole numbers only and looks like raw counts: normalise it as")
    expect_length(said_by(predict(noted(x$logs), x$logs[, 1:4]))$warnings, 0L)
    path <- suppressWarnings(noted(x$counts))
    expect_length(said_by(predict(path, x$counts[, 1:4]))$warnings, 0L)
})

test_that("cells without a value are named, and the path remembers them", {
    x <- counts_and_logs()$logs
    x[, c(4, 9)] <- 0
    said <- said_by(path <- noted(x))
    expect_match(said$messages, "2 cells have no positive value \\(cell4 cell9\\).*no cluster \\(NA\\)", all = FALSE)
    expect_identical(which(empty_cells(path)), c(4L, 9L))
    expect_identical(which(empty_cells(subset_cells(path, c(9, 1:3)))), 1L)
    expect_false(any(empty_cells(subset_cells(path, 1:3))))
    expect_match(said_by(noted(x[, -4]))$messages, "1 cell has no positive value \\(cell9\\)", all = FALSE)
    full <- noted(counts_and_logs()$logs)
    expect_identical(empty_cells(full), logical(30))
    expect_null(full@parameters$empty_cells)
})

test_that("repeated names are made unique, and a message says so", {
    x <- counts_and_logs()$logs
    colnames(x)[c(2, 3)] <- "cell1"
    rownames(x)[7] <- "gene2"
    said <- said_by(path <- noted(x))
    expect_match(said$messages, "2 cell names repeat an earlier one: .*'cell1.1' instead of 'cell1'", all = FALSE)
    expect_match(said$messages, "1 feature name repeats an earlier one: .*'gene2.1' instead of 'gene2'", all = FALSE)
    expect_identical(path@cell_names[1:3], c("cell1", "cell1.1", "cell1.2"))
})

test_that("containers are sent to their own functions", {
    skip_if_not_installed("SingleCellExperiment")
    expect_error(pnmf(sce_object(10)), "'x' is a SingleCellExperiment: use runPNMF\\(\\)", class = "pnmf_error")
    skip_if_not_installed("Seurat")
    expect_error(pnmf(seurat_object(30)), "'x' is a Seurat object: use RunPNMF\\(\\)", class = "pnmf_error")
})

test_that("a fit that does not converge names the open scales and what helps", {
    x <- counts_and_logs()$logs
    control <- pnmf_control(max_outer = 2, threads = 1)
    warned <- said_by(path <- pnmf(x, rank = 4, scales = 6, control = control))$warnings
    open <- which(!converged(path))
    expect_gt(length(open), 0L)
    expect_match(warned, paste0("scales \\(", number_ranges(open), "\\) still move after 2 sweeps"))
    expect_match(warned, "control = pnmf_control(max_outer = 4)", fixed = TRUE)
    expect_no_match(warned, "lambda_anchor")
})

test_that("one is counted without a plural", {
    expect_identical(counted(1, "sweep"), "1 sweep")
    expect_identical(counted(0:2, "cell"), c("0 cells", "1 cell", "2 cells"))
})

test_that("ranges of numbers are short", {
    expect_identical(number_ranges(c(1, 2, 3, 7, 9, 10)), "1-3, 7, 9-10")
    expect_identical(number_ranges(4L), "4")
})

test_that("rows with names like barcodes may be cells", {
    x <- counts_and_logs()$logs
    number <- sprintf("%04d", seq_len(nrow(x)))
    rownames(x) <- paste0(strrep("ACGT", 4), chartr("0123456789", "ACGTACGTAC", number), "-1")
    expect_match(said_by(noted(x))$warnings, "names like barcodes of cells \\('ACGT.*t\\(x\\) may be meant",
                 all = FALSE)
    expect_silent(warn_if_transposed(c("CAT", "GATA1", "TTTY15", "AAAS", "ENSG00000010610")))
    expect_warning(warn_if_transposed(c("s1_ACGTACGTACGTACGT-1", "s2_AAACCTGAGAAACCAT-1")), class = "pnmf_warning")
    expect_silent(warn_if_transposed(NULL))
})

test_that("a first column that numbers the rows may not be a cell", {
    x <- counts_and_logs()$logs
    for (index in list(seq_len(nrow(x)), seq_len(nrow(x)) - 1)) {
        expect_match(said_by(noted(cbind(X = index, x)))$warnings, "first column of 'x' \\(\"X\"\\) numbers the rows",
                     all = FALSE)
    }
    expect_silent(warn_if_index(x))
    expect_silent(warn_if_index(matrix(1:6, 3)))
})
