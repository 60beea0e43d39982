#' Simulate single-cell counts with types inside lineages
#'
#' Draws counts of cells whose expression profiles branch twice: first into
#' lineages, then into types within a lineage. Activity programs, if there are
#' any, are switched on in some cells of every type. Such data have structure at
#' more than one scale, and the programs behind it are known.
#'
#' @param n_cells Number of cells, shared evenly among the types.
#' @param n_genes Number of genes.
#' @param n_lineages,types_per_lineage How the cells branch.
#' @param depth Mean total count of a cell; cells vary around it.
#' @param seed Seed. The random numbers of the session are not changed.
#' @param n_activities Number of activity programs. Each is active in 30% of all
#'   cells, at levels between 0.5 and 1.5.
#' @param dispersion Counts vary with variance m + dispersion m^2 around their
#'   mean m; 0 for Poisson counts.
#' @param lineage_fold,type_fold Factors by which a lineage and a type multiply the
#'   expression of their genes, at least 1. The smaller, the harder the programs
#'   are to find.
#' @return A list: `counts` (dgCMatrix, genes x cells), `type` and `lineage`
#'   (factors, one entry per cell), `usage` (programs x cells: lineages, types,
#'   activities) and `programs` (genes x programs: which genes a program
#'   raises).
#' @examples
#' cells <- simulate_cells(n_cells = 60, n_genes = 200, n_activities = 1)
#' dim(cells$counts)
#' table(cells$lineage, cells$type)
#' rownames(cells$usage)
#' @export
simulate_cells <- function(n_cells = 240, n_genes = 600, n_lineages = 2, types_per_lineage = 3, depth = 2000,
                           seed = 1, n_activities = 0, dispersion = 0, lineage_fold = 6, type_fold = sqrt(6)) {
    n_lineages <- assert_count(n_lineages, "n_lineages")
    types_per_lineage <- assert_count(types_per_lineage, "types_per_lineage")
    n_types <- as.numeric(n_lineages) * types_per_lineage
    n_cells <- assert_count(n_cells, "n_cells", min = n_types)
    n_genes <- assert_count(n_genes, "n_genes", min = 4L * n_types)
    depth <- assert_number(depth, "depth", above = 0)
    n_activities <- assert_count(n_activities, "n_activities", min = 0L)
    dispersion <- assert_number(dispersion, "dispersion", min = 0)
    lineage_fold <- assert_number(lineage_fold, "lineage_fold", min = 1)
    type_fold <- assert_number(type_fold, "type_fold", min = 1)
    type <- sort(rep_len(seq_len(n_types), n_cells))
    lineage <- (seq_len(n_types) - 1L) %/% types_per_lineage + 1L
    drawn <- with_random_state(assert_seed(seed), {
        tree <- branching_profiles(n_genes, lineage, lineage_fold, type_fold)
        sizes <- depth * exp(stats::rnorm(n_cells, sd = 0.25))
        activity <- drawn_activities(n_genes, n_cells, n_activities)
        means <- expected_counts(tree$profiles[, type, drop = FALSE], activity, sizes)
        c(list(counts = drawn_counts(means, dispersion)), tree, activity)
    })
    simulated_cells(drawn, type, lineage)
}

# Names, factors and the known programs: lineages, then types, then activities.
simulated_cells <- function(drawn, type, lineage) {
    counts <- drawn$counts
    types <- paste0("type", seq_along(lineage))
    lineages <- paste0("lineage", seq_len(max(lineage)))
    activities <- sprintf("activity%d", seq_len(nrow(drawn$level)))
    dimnames(counts) <- list(paste0("gene", seq_len(nrow(counts))), paste0("cell", seq_len(ncol(counts))))
    members <- function(of, n) outer(seq_len(n), of, `==`) + 0
    usage <- rbind(members(lineage[type], length(lineages)), members(type, length(types)), drawn$level)
    dimnames(usage) <- list(c(lineages, types, activities), colnames(counts))
    programs <- cbind(drawn$lineage_genes, drawn$type_genes, drawn$activity_genes)
    dimnames(programs) <- list(rownames(counts), rownames(usage))
    list(counts = as_compressed_columns(Matrix::Matrix(counts, sparse = TRUE)), type = factor(types[type], types),
         lineage = factor(lineages[lineage[type]], lineages), usage = usage, programs = programs)
}

# Expected shares of the genes for every type: a common level, one tenth of the genes raised by the lineage and
# another tenth by the type.   profiles: genes x types, columns sum to 1
branching_profiles <- function(n_genes, lineage, lineage_fold, type_fold) {
    common <- stats::rgamma(n_genes, shape = 0.6)
    raised <- function() stats::runif(n_genes) < 0.1
    lineage_genes <- vapply(seq_len(max(lineage)), function(l) raised(), logical(n_genes))
    type_genes <- vapply(lineage, function(l) raised(), logical(n_genes))
    profiles <- common * ifelse(lineage_genes[, lineage], lineage_fold, 1) * ifelse(type_genes, type_fold, 1)
    list(profiles = sweep(profiles, 2L, colSums(profiles), "/"), lineage_genes = lineage_genes, type_genes = type_genes)
}

# level: programs x cells, 0 where a program is not active; activity_genes: genes x programs
drawn_activities <- function(n_genes, n_cells, n) {
    genes <- matrix(stats::runif(n_genes * n) < 0.05, n_genes, n)
    active <- matrix(stats::runif(n * n_cells) < 0.3, n, n_cells)
    list(level = active * matrix(stats::runif(n * n_cells, 0.5, 1.5), n, n_cells), activity_genes = genes)
}

expected_counts <- function(shares, activity, sizes) {
    if (nrow(activity$level) > 0L) {
        shares <- shares * exp(log(6) * (activity$activity_genes %*% activity$level))
        shares <- sweep(shares, 2L, colSums(shares), "/")
    }
    sweep(shares, 2L, sizes, "*")
}

drawn_counts <- function(means, dispersion) {
    drawn <- if (dispersion == 0) {
        stats::rpois(length(means), means)
    } else {
        stats::rnbinom(length(means), mu = means, size = 1 / dispersion)
    }
    matrix(drawn, nrow(means), ncol(means))
}
