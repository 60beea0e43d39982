# Measured values of all genes on a page, in little room: cells without a gene take none, values are rounded to one of
# 11 steps, and genes are compressed in blocks, of which the page unpacks only those that it needs.

genes_per_block <- 128L
gene_steps <- 11L

# Bytes of all blocks in base 64; pages of a few thousand cells and 20,000 genes are below it.
max_gene_bytes <- 4.2e6

# features: their own names; names: as displayed; values: sparse, shown cells x genes, not negative, plus `low` for each
# gene. NULL without data.
report_genes <- function(path, shown, data, names = path@feature_names) {
    if (is.null(data)) data <- path@data
    if (is.null(data)) return(NULL)
    data <- assert_gene_data(data, path)
    genes <- rownames(data)
    place <- match(genes, path@feature_names)
    values <- Matrix::t(as_plain_matrix(data[, shown, drop = FALSE], "x"))
    low <- pmin(column_extremes(values, min), 0)
    if (any(low < 0)) values <- sweep(as.matrix(values), 2L, low)
    list(features = genes, names = ifelse(is.na(place), genes, names[place]),
         values = Matrix::drop0(as_compressed_columns(values)), low = low)
}

column_extremes <- function(values, extreme) {
    if (is.matrix(values)) return(unname(apply(values, 2L, extreme)))
    ends <- split(values@x, factor(rep(seq_len(ncol(values)), diff(values@p)), seq_len(ncol(values))))
    vapply(ends, function(x) extreme(c(0, x)), numeric(1), USE.NAMES = FALSE)
}

# The genes with the most cells that fit; `of` is the number of all genes.
gene_data <- function(genes, max_bytes = max_gene_bytes) {
    if (is.null(genes)) return(NULL)
    high <- column_extremes(genes$values, max)
    blocks <- split(seq_along(genes$names), (seq_along(genes$names) - 1L) %/% genes_per_block)
    codes <- lapply(blocks, function(columns) packed(block_codes(genes$values[, columns, drop = FALSE], high[columns])))
    if (sum(nchar(unlist(codes))) > max_bytes && length(genes$names) > genes_per_block) {
        n <- max(genes_per_block, floor(0.98 * length(genes$names) * max_bytes / sum(nchar(unlist(codes)))))
        most <- sort(utils::head(order(-diff(genes$values@p)), n))
        fewer <- list(names = genes$names[most], values = genes$values[, most, drop = FALSE], low = genes$low[most])
        return(utils::modifyList(gene_data(fewer, max_bytes), list(of = length(genes$names))))
    }
    list(kind = "measured", names = I(genes$names), of = length(genes$names), per = genes_per_block,
         steps = gene_steps, low = I(signif(genes$low, 3)), high = I(signif(genes$low + high, 3)),
         counts = I(diff(genes$values@p)), blocks = I(unname(unlist(codes))))
}

# The gaps between the cells of each gene, then their steps 1 ... 11, all genes of the block one after the other. A gap
# of 255 stands for 254 cells without a value.
block_codes <- function(values, high) {
    gene <- rep(seq_len(ncol(values)), diff(values@p))
    gap <- values@i - c(-1L, values@i[-length(values@i)])
    first <- !duplicated(gene)
    gap[first] <- values@i[first] + 1L
    skips <- (gap - 1L) %/% 254L
    bytes <- integer(length(gap) + sum(skips))
    ends <- seq_along(gap) + cumsum(skips)
    bytes[ends] <- gap - 254L * skips
    bytes[setdiff(seq_along(bytes), ends)] <- 255L
    c(bytes, pmax(1L, as.integer(ceiling(gene_steps * values@x / high[gene] - 0.5))))
}
