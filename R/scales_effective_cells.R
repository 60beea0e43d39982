# Effective cells, e = tr(S^2) with S = (I + lambda L)^-1: how many cells the graph penalty of a scale still tells
# apart. All cells without edges, the number of components for a large penalty.

# By default, a path ends at this many effective cells: types are then still apart and subsets of them are not, for any
# number of cells. inst/experiments/coarsest.R and more_cells.R compare other ends.
default_coarsest <- 3

# A function of ascending thresholds and of penalties, which returns thresholds x penalties. rough: with errors of about
# 5% instead of 2%, in less time. Values below `least` need not be right.
effective_measure <- function(scales, alpha, threads) {
    graph <- numbered_graph_cpp(scales$n_cells, scale_edges(scales))
    function(threshold, lambda, rough = FALSE, least = 0) {
        effective_cells_cpp(graph, threshold, alpha, lambda, rough, least, threads)
    }
}

# Estimates may rise by their error from one scale to the next; the true values never do.
effective_along <- function(scales, lambda, measure) cummin(measure(scales$threshold, lambda)[, 1L])

# The end of a path: never fewer than one effective cell, and always fewer than there are cells.
assert_coarsest <- function(coarsest, n_cells) {
    if (is.null(coarsest)) return(min(default_coarsest, (n_cells + 1) / 2))
    coarsest <- assert_number(coarsest, "coarsest", above = 1)
    if (coarsest >= n_cells) {
        stop_pnmf("'coarsest' must be below the number of cells (", n_cells, "), not ", format(coarsest))
    }
    coarsest
}

# The penalty that leaves `coarsest` effective cells at the last threshold.
solved_lambda <- function(scales, coarsest, alpha, measure) {
    edges <- scale_edges(scales)
    if (length(edges$length) == 0L || scales$n_edges[length(scales$n_edges)] == 0) {
        stop_pnmf("'coarsest' = ", format(coarsest), " cannot be reached: the coarsest graph has no edges")
    }
    curve <- penalty_curve(scales, coarsest, alpha, measure)
    least <- min(curve$cells)
    if (least > coarsest) {
        stop_pnmf("'coarsest' = ", format(coarsest), " cannot be reached: even the largest penalty leaves ",
                  format(least, digits = 3), " effective cells at the coarsest scale, because its graph has ",
                  "several components or bridges of almost no weight")
    }
    penalty_on(curve, coarsest)
}

# Effective cells at the last threshold for penalties that range from almost no smoothing to almost nothing else, right
# down to `coarsest`.
penalty_curve <- function(scales, coarsest, alpha, measure) {
    threshold <- scales$threshold[length(scales$threshold)]
    length <- scale_edges(scales)$length
    degree <- mean_degree(length[length < threshold], threshold, alpha, scales$n_cells)
    log_lambda <- seq(log(1e-3 / degree), log(1e6 / degree), length.out = 60L)
    list(log_lambda = log_lambda, cells = cummin(measure(threshold, exp(log_lambda), least = coarsest)[1L, ]))
}

# The largest penalty where none leaves so few cells.
penalty_on <- function(curve, cells) exp(descending_root(curve$log_lambda, log(curve$cells), log(cells)))

mean_degree <- function(length, threshold, alpha, n_cells) {
    max(2 * sum(edge_weights(length, threshold, alpha)) / n_cells, .Machine$double.xmin)
}

# Where the piecewise linear descending function through (x, y) takes the given values.
descending_root <- function(x, y, value) {
    distinct <- !duplicated(y)
    if (sum(distinct) == 1L) return(rep(x[1L], length(value)))
    stats::approx(-y[distinct], x[distinct], -value, rule = 2)$y
}

# Scales spread evenly in log e, from no edges to the last threshold. Each counts once. lambda: NULL to solve it. With
# many cells, where measuring takes long, candidates have rough values, and the last value is the one asked for.
even_scales <- function(scales, n_scales, coarsest, lambda, alpha, threads) {
    measure <- effective_measure(scales, alpha, threads)
    many <- scales$n_cells > many_cells
    known <- NULL
    if (is.null(lambda)) {
        lambda <- solved_lambda(scales, coarsest, alpha, measure)
        if (many) known <- c(scales$threshold[length(scales$threshold)], log(coarsest))
    }
    log_cells <- remembered(function(at) log(measure(at, lambda)[, 1L]), known)
    rough_cells <- remembered(function(at) log(measure(at, lambda, rough = TRUE)[, 1L]), known)
    scales <- with_thresholds(scales, if (many) {
        even_thresholds(scales, n_scales, log_cells, rough_cells, longest = 1, tolerance = 0.25)
    } else {
        even_thresholds(scales, n_scales, log_cells)
    })
    scales$effective_cells <- cummin(exp(log_cells(scales$threshold)))
    scales$lambda_graph <- lambda
    scales$alpha <- alpha
    scales
}

# A function of distinct numbers that computes each value once. known: a number and its value, or NULL
remembered <- function(values_at, known = NULL) {
    at <- as.numeric(known[1L])
    value <- as.numeric(known[2L])
    function(wanted) {
        new <- setdiff(wanted, at)
        if (length(new) > 0L) {
            value <<- c(value, values_at(new))
            at <<- c(at, new)
        }
        value[match(wanted, at)]
    }
}

# Thresholds are interpolated between candidates, measured, and interpolated once more if they are further from their
# place than `tolerance` steps. rough: measures candidates; longest: see split_candidates()
even_thresholds <- function(scales, n_scales, measured, rough = measured, longest = 0, tolerance = 0) {
    threshold <- candidate_thresholds(scales, n_scales)
    last <- threshold[length(threshold)]
    if (n_scales == 1L) return(last)
    if (length(threshold) <= n_scales) return(threshold)
    threshold <- split_candidates(threshold, n_scales, rough, longest)
    value <- rough(threshold)
    step <- (value[1L] - value[length(value)]) / (n_scales - 1L)
    target <- value[1L] - step * seq_len(n_scales - 2L)
    inner <- interpolated_thresholds(threshold, value, target)
    again <- target < value[1L] - log(coarse_share) | tolerance > 0
    found <- measured(inner[again])
    all <- !duplicated(c(inner[again], threshold))
    moved <- !again
    moved[again] <- abs(found - target[again]) > tolerance * step
    value <- c(found, value)[all]
    threshold <- c(inner[again], threshold)[all]
    inner[moved] <- interpolated_thresholds(sort(threshold), value[order(threshold)], target[moved])
    inner <- sort(unique(inner))
    c(min(threshold), inner[inner > min(threshold) & inner < last], last)
}

# The candidates that are measured: those in the middle of others that are further apart than `longest` steps of the
# scales, which is all of them for 0.
split_candidates <- function(threshold, n_scales, measured, longest) {
    chosen <- c(1L, length(threshold))
    while (longest > 0) {
        value <- measured(threshold[chosen])
        step <- (value[1L] - value[length(value)]) / (n_scales - 1L)
        middle <- ((chosen[-1L] + chosen[-length(chosen)]) %/% 2L)[-diff(value) > longest * step]
        if (all(middle %in% chosen)) return(threshold[chosen])
        chosen <- sort(union(chosen, middle))
    }
    threshold
}

# Below this share of the cells, steps between candidates are large enough to be measured once more.
coarse_share <- 4

interpolated_thresholds <- function(threshold, value, target) {
    exp(descending_root(log(threshold), cummin(value), target))
}

# From below the shortest edge to the last threshold: evenly in the logarithm of the number of edges, then evenly up to
# the last threshold, where only the weights grow.
candidate_thresholds <- function(scales, n_scales) {
    length <- scale_edges(scales)$length
    length <- length[length > 0]
    last <- scales$threshold[length(scales$threshold)]
    if (length(length) == 0L) return(last)
    count <- unique(round(exp(seq(0, log(length(length)), length.out = 2L * n_scales))))
    above <- length[count] * (1 + 1e-9)
    grown <- exp(seq(log(above[length(above)]), log(max(last, above[length(above)])), length.out = 4L))
    found <- c(length[1L], above, grown[-1L])
    c(unique(found[found < last * (1 - 1e-9)]), last)
}

# The same filtration at other thresholds, each of which counts once.
with_thresholds <- function(scales, threshold) {
    n <- length(threshold)
    counts <- scale_counts(threshold, scales$n_cells, scales$mst$length, scale_edges(scales)$length)
    scales[names(counts)] <- counts
    scales$place <- seq_len(n)
    scales$full_scales <- n
    scales$weight <- scales$gap <- rep(1, n)
    scales
}

# One digit after the point below ten.
format_effective <- function(cells) ifelse(cells < 9.95, sprintf("%.1f", cells), sprintf("%.0f", cells))

# What scales tell apart, in words: effective cells, or components where the scales are not spread by them.
scale_resolution <- function(scales, t = seq_along(scales$threshold)) {
    if (!is.null(scales$effective_cells)) {
        return(paste(format_effective(scales$effective_cells[t]), "effective cells"))
    }
    sprintf("%d component%s", scales$betti0[t], ifelse(scales$betti0[t] == 1, "", "s"))
}

# How the thresholds were chosen, in words.
scale_kind <- function(scales) if (is.null(scales$effective_cells)) scales$select else "even in log effective cells"

# Programs are read at the scale with about this many effective cells: coarse enough for types, fine enough for states.
effective_cells_for_programs <- 12

# The finest scale in the setting of the paper.
scale_for_programs <- function(scales) {
    if (is.null(scales$effective_cells)) return(1L)
    which.min(abs(log(scales$effective_cells / effective_cells_for_programs)))
}

default_scales <- 12L
