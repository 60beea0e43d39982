#' Simulate single-cell counts with types inside lineages
#'
#' Draws Poisson counts of cells whose expression profiles branch twice: first
#' into lineages, then into types within a lineage. Such data have structure at
#' more than one scale.
#'
#' @param n_cells Number of cells, shared evenly among the types.
#' @param n_genes Number of genes.
#' @param n_lineages,types_per_lineage How the cells branch.
#' @param depth Mean total count of a cell; cells vary around it.
#' @param seed Seed. The random numbers of the session are not changed.
#' @return A list: `counts` (dgCMatrix, genes x cells), `type` and `lineage`
#'   (factors, one entry per cell).
#' @examples
#' cells <- simulate_cells(n_cells = 60, n_genes = 200)
#' dim(cells$counts)
#' table(cells$lineage, cells$type)
#' @export
simulate_cells <- function(n_cells = 240, n_genes = 600, n_lineages = 2, types_per_lineage = 3, depth = 2000,
                           seed = 1) {
    n_lineages <- assert_count(n_lineages, "n_lineages")
    types_per_lineage <- assert_count(types_per_lineage, "types_per_lineage")
    n_types <- as.numeric(n_lineages) * types_per_lineage
    n_cells <- assert_count(n_cells, "n_cells", min = n_types)
    n_genes <- assert_count(n_genes, "n_genes", min = 4L * n_types)
    depth <- assert_number(depth, "depth", above = 0)
    type <- sort(rep_len(seq_len(n_types), n_cells))
    lineage <- (seq_len(n_types) - 1L) %/% types_per_lineage + 1L
    counts <- with_random_state(assert_seed(seed), {
        profiles <- branching_profiles(n_genes, lineage)
        sizes <- depth * exp(stats::rnorm(n_cells, sd = 0.25))
        means <- sweep(profiles[, type, drop = FALSE], 2L, sizes, "*")
        matrix(stats::rpois(length(means), means), n_genes, n_cells)
    })
    dimnames(counts) <- list(paste0("gene", seq_len(n_genes)), paste0("cell", seq_len(n_cells)))
    list(counts = as_compressed_columns(Matrix::Matrix(counts, sparse = TRUE)),
         type = factor(paste0("type", type), paste0("type", seq_len(n_types))),
         lineage = factor(paste0("lineage", lineage[type]), paste0("lineage", seq_len(n_lineages))))
}

# Expected shares of the genes for every type: a common level, one tenth of the genes raised by the lineage and
# another tenth by the type.   Result: genes x types, columns sum to 1
branching_profiles <- function(n_genes, lineage) {
    common <- stats::rgamma(n_genes, shape = 0.6)
    raised <- function() ifelse(stats::runif(n_genes) < 0.1, 6, 1)
    by_lineage <- lapply(seq_len(max(lineage)), function(l) raised())
    profiles <- vapply(lineage, function(l) common * by_lineage[[l]] * sqrt(raised()), numeric(n_genes))
    sweep(profiles, 2L, colSums(profiles), "/")
}
