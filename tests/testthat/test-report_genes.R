# Steps of all genes in all cells, read as the page reads them.
read_genes <- function(data, n) {
    blocks <- lapply(data$blocks, function(block) as.integer(memDecompress(jsonlite::base64_dec(block), "gzip")))
    of <- (seq_along(data$counts) - 1L) %/% data$per + 1L
    steps <- matrix(0, n, length(data$counts))
    for (b in seq_along(blocks)) {
        codes <- utils::tail(blocks[[b]], sum(data$counts[of == b]))
        gaps <- utils::head(blocks[[b]], length(blocks[[b]]) - length(codes))
        gene <- rep(which(of == b), data$counts[of == b])
        jump <- cumsum(ifelse(gaps == 255L, 254L, gaps))[gaps != 255L]
        cell <- jump - c(0, jump)[match(gene, gene)]
        steps[cbind(cell, gene)] <- codes
    }
    steps
}

test_that("all genes are on the page, each within half a step, cells with a gene never without", {
    skip_without_report_packages()
    x <- with_random_state(1, Matrix::rsparsematrix(300, 700, 0.02, rand.x = stats::rexp))
    x[5, ] <- 2 # in every cell
    x[6, ] <- 0 # in none
    x[7, ] <- replace(numeric(700), 650, 3) # after a long gap
    dimnames(x) <- list(paste0("g", 1:300), NULL)
    path <- synthetic_path(list(matrix(1, 700, 2)))
    data <- gene_data(report_genes(path, seq_len(700), x))
    expect_identical(as.character(data$names), rownames(x))
    expect_length(data$blocks, 3L)
    values <- Matrix::t(x)
    read <- read_genes(data, 700)
    high <- apply(as.matrix(x), 1, max)
    error <- abs(sweep(read / gene_steps, 2, high, "*") - as.matrix(values))
    # A value below half a step keeps step 1, so that its cell is not shown without the gene.
    expect_lt(max(sweep(error, 2, pmax(high, 1e-9), "/")), 1 / gene_steps)
    expect_identical(read > 0, unname(as.matrix(values) > 0))
})

test_that("negative values, other orders of cells and data without names of cells are read", {
    skip_without_report_packages()
    path <- report_path()
    x <- normalize_counts(report_cells()$counts, method = "paper")
    genes <- report_genes(path, c(3L, 1L), x[, 60:1])
    expect_equal(as.vector(genes$values[, "gene5"]), unname(as.vector(x["gene5", c(3, 1)])))
    expect_null(report_genes(path, 1:3, NULL))
    shifted <- as.matrix(x) - 1
    data <- gene_data(report_genes(path, 1:60, shifted))
    read <- read_genes(data, 60)
    back <- sweep(sweep(read / gene_steps, 2, data$high - data$low, "*"), 2, data$low, "+")
    expect_lt(max(abs(back - t(shifted))), 1.1 * max(data$high - data$low) / gene_steps)
})

test_that("genes that do not fit are left out, those in the fewest cells first", {
    skip_without_report_packages()
    x <- with_random_state(1, Matrix::rsparsematrix(600, 200, 0.1, rand.x = stats::rexp))
    x[1:300, 1:150] <- 0
    rownames(x) <- paste0("g", 1:600)
    path <- synthetic_path(list(matrix(1, 200, 2)))
    data <- gene_data(report_genes(path, 1:200, x), max_bytes = 1e4)
    expect_lt(length(data$names), 600)
    expect_identical(data$of, 600L)
    expect_lte(sum(nchar(data$blocks)), 1e4)
    # Genes in fewer cells take less room than the mean gene, by which their number is guessed.
    expect_gt(sum(nchar(data$blocks)), 0.8e4)
    expect_gte(min(data$counts), min(utils::head(sort(Matrix::rowSums(x > 0), TRUE), length(data$names))))
})
