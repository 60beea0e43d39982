# How many factors do the data have? The default rank beside other rules.
# Rscript inst/experiments/rank_rules.R [output folder] [--full]
# Simulated hierarchies of 14 programs at four strengths of signal, pbmc_sorted and, with PNMF_SHARED set, the ten
# labelled sets (2,000 genes); all of them again with every gene permuted over the cells, where 3 is the most that is
# right. --full: also the rank of suggest_rank() (held-out entries and stability), and how many programs of each fit are
# supported.
# With 3,000 and 1,000 counts per cell all rules but the entropy (5) find 12 programs. With 300, the components alone
# give 6, the edge and permuted genes 10; on the matched hierarchy, whose types are weak, all of them give 6. The edge
# and permuted genes say 27 and 29 on RNAmix, mixtures of three cell lines (default: 16), and 25 on Pollen, 11 types
# (19). One side of the components alone lies between. Permuted data have at most 2 by every rule.
# So weak programs take a margin: twice the components up to 10 (default), or three more factors. Both give 9 to 15 for
# all hierarchies. Of many components, three more factors add 0 to 3 supported programs and cost many sweeps: RNAmix 571
# instead of 188, pbmc_facs 235 instead of 22, simulations of 12 types more than 1,000 instead of 366. Types without
# weaker programs pay for the default, too: six of them, rank 10 instead of 7, need 571 to 891 sweeps instead of 151.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()
core <- asNamespace("pNMF")

permuted <- function(x) {
    set.seed(1)
    t(apply(as.matrix(x), 1L, sample))
}

# Of the correlations of the 2,000 most variable genes, as for the default rank
eigenvalues <- function(x, n) {
    rows <- core$most_variable_rows(x)
    list(values = core$leading_eigenvalues(core$standardised_gram(x, rows, 2L), n),
         ratio = length(rows) / ncol(x), rows = rows)
}

# edge: above the edge of Marchenko and Pastur. permuted: above the largest of permuted genes. cells, genes: the default
# with the component's side of the cells or of the genes alone. entropy: exp(entropy) of what is above the edge.
rules <- function(x) {
    found <- eigenvalues(x, 30L)
    edge <- (1 + sqrt(found$ratio))^2
    excess <- pmax(found$values - edge, 0)
    share <- excess[excess > 0] / sum(excess)
    s <- pmax(found$values, edge) - 1 - found$ratio
    s <- (s + sqrt(pmax(s^2 - 4 * found$ratio, 0))) / 2
    angle <- pmax(1 - found$ratio / s^2, 0)
    components <- core$count_components(x, 2L)
    c(default = core$default_rank(x, "hals", NULL, 2L), components = components + 1L,
      three_more = components + 1L + min(3L, components), edge = sum(excess > 0) + 1L,
      permuted = sum(found$values > eigenvalues(permuted(x[found$rows, ]), 1L)$values) + 1L,
      cells = sum(angle / (1 + found$ratio / s) > 0.25) + 1L, genes = sum(angle / (1 + 1 / s) > 0.25) + 1L,
      entropy = if (length(share)) round(exp(-sum(share * log(share)))) else 1)
}

simulated <- lapply(c(strong = 3000, middle = 1000, weak = 300), function(depth) simulated_hierarchy(1, depth)$X)
simulated$matched <- matched_hierarchy(1)$X
names(simulated) <- paste(names(simulated), "(14 programs)")
sets <- c(simulated, list(pbmc_sorted = normalize_counts(sorted_cells()$counts)),
          if (!is.null(shared_file("yan")) || !is.null(settings$data)) {
              lapply(variable_sets(settings), `[[`, "X")
          })

rows <- lapply(names(sets), function(name) {
    say(name)
    x <- as.matrix(sets[[name]])
    row <- data.frame(data = name, cells = ncol(x), t(rules(x)), shuffled = t(rules(permuted(x))))
    if (!settings$full) return(row)
    path <- suppressMessages(suppressWarnings(pnmf(x)))
    ranks <- unique(pmin(c(2, 4, 6, 8, 11, 14, 17, 20, 25, 30), ncol(x) %/% 2))
    data.frame(row, suggested = suppressMessages(suggest_rank(x, ranks = ranks)$rank),
               supported = sum(core$program_support(x, path, active_scale(path))))
})
print_table(do.call(rbind, rows), "rank_rules", settings)
