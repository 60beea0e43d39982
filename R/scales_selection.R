# The thresholds of a path: the canonical set, the three alternatives of the paper, and thinning.

# Distinct deaths ascending, then one threshold above every distance.
canonical_thresholds <- function(tree) {
    last <- if (tree$longest > 0) tree$longest * (1 + 1e-9) else 1
    unique(c(unique(tree$edges$length), last))
}

selected_thresholds <- function(canonical, select, tree, space) {
    switch(select,
        canonical = canonical,
        uniform = uniform_thresholds(pairwise_lengths(space), length(canonical)),
        random = random_thresholds(pairwise_lengths(space), length(canonical)),
        minimal = minimal_thresholds(canonical)
    )
}

# Maximum number of cells for which all pairs are held at once (about 50 bytes per pair during sorting).
max_cells_for_pairs <- 10000L

pairwise_lengths <- function(space) {
    if (space$n > max_cells_for_pairs) {
        stop_pnmf("'select' must be \"canonical\" or \"minimal\" beyond ", max_cells_for_pairs,
                  " cells: the others draw from all pairwise distances")
    }
    unique(all_edges(space)$length)
}

# Evenly by rank from the sorted distances, both ends included (pNMF-UDS).
uniform_thresholds <- function(lengths, n) {
    n <- min(n, length(lengths))
    if (n == 1L) return(lengths[length(lengths)])
    lengths[unique(round(seq(1, length(lengths), length.out = n)))]
}

# At random from the distances, both ends included (pNMF-RDS).
random_thresholds <- function(lengths, n) {
    n <- min(n, length(lengths))
    if (n <= 2L) return(uniform_thresholds(lengths, n))
    inner <- seq_along(lengths)[-c(1L, length(lengths))]
    drawn <- inner[sample.int(length(inner), n - 2L)]
    lengths[sort(c(1L, drawn, length(lengths)))]
}

# One drawn in each interval (eps_{t-1}, eps_t] (pNMF-MSS).
minimal_thresholds <- function(canonical) {
    lower <- c(0, canonical[-length(canonical)])
    drawn <- canonical - stats::runif(length(canonical)) * (canonical - lower)
    ifelse(drawn > lower, drawn, canonical) # neighbouring doubles have nothing between them
}

thin_scales <- function(scales, n_scales, thin) {
    total <- length(scales$threshold)
    if (is.null(n_scales)) return(scales)
    if (n_scales > total) {
        inform_pnmf("pnmf: there are ", total, " distinct thresholds, fewer than the ", n_scales,
                    " scales asked for: all are kept")
    }
    if (n_scales >= total) return(scales)
    subset_scales(scales, kept_scales(scales, n_scales, thin))
}

kept_scales <- function(scales, n, thin) {
    total <- length(scales$threshold)
    if (n == 1L) return((total + 1L) %/% 2L)
    switch(thin,
        index = unique(round(seq(1, total, length.out = n))),
        gap = widest_intervals(scales$threshold, n),
        betti = spread_over(log(scales$betti0), n)
    )
}

# Both ends, and the scales with the longest interval to the next finer scale; ties go to the finer scale.
widest_intervals <- function(threshold, n) {
    total <- length(threshold)
    inner <- seq_len(total)[-c(1L, total)]
    longest <- inner[order(-diff(threshold)[inner - 1L], inner)]
    sort(c(1L, utils::head(longest, n - 2L), total))
}

# n indices whose values are as evenly spread as the sequence (descending) allows.
spread_over <- function(value, n) {
    total <- length(value)
    targets <- seq(value[1], value[total], length.out = n)
    chosen <- integer(n)
    for (k in seq_len(n)) {
        lowest <- if (k == 1L) 1L else chosen[k - 1L] + 1L
        candidates <- lowest:(total - n + k)
        chosen[k] <- candidates[which.min(abs(value[candidates] - targets[k]))]
    }
    chosen[n] <- total
    chosen
}
