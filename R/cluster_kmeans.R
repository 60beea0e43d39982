# k-means until convergence: the best of n_start k-means++ starts. Draws from the current random stream. x: cells x
# factors; returns list(cluster, withinss).
kmeans_clusters <- function(x, k, n_start, where) {
    distinct <- distinct_rows(x, k + 1L)
    if (k > max(distinct)) {
        stop_pnmf("'k' must be at most ", max(distinct), ", the number of distinct cells in ", where, ", not ", k)
    }
    if (k == max(distinct)) return(list(cluster = distinct, withinss = 0))
    if (k == 1L) return(list(cluster = rep(1L, nrow(x)), withinss = sum(scale(x, scale = FALSE)^2)))
    best <- list(withinss = Inf)
    for (start in seq_len(n_start)) {
        fit <- settled_kmeans(x, spread_centers(x, k))
        if (fit$withinss < best$withinss) best <- fit
    }
    best
}

# Codes of equal rows. Stops counting early: if the first rows have more than `enough` different values, that decides.
distinct_rows <- function(x, enough) {
    first <- seq_len(min(nrow(x), 10L * enough))
    if (nrow(unique(x[first, , drop = FALSE])) >= enough) return(seq_len(enough))
    keys <- do.call(paste, c(lapply(seq_len(ncol(x)), function(j) match(x[, j], unique(x[, j]))), sep = " "))
    match(keys, unique(keys))
}

# k-means++: each next centre is drawn with probability proportional to its squared distance from the nearest centre.
spread_centers <- function(x, k) {
    columns <- t(x)
    chosen <- integer(k)
    chosen[1] <- sample.int(nrow(x), 1L)
    nearest <- rep(Inf, nrow(x))
    for (j in seq_len(k - 1L)) {
        nearest <- pmin(nearest, colSums((columns - columns[, chosen[j]])^2))
        if (!any(nearest > 0)) break
        chosen[j + 1L] <- sample.int(nrow(x), 1L, prob = nearest)
    }
    x[chosen[chosen > 0L], , drop = FALSE]
}

# Hartigan-Wong, continued while it runs out of iterations. If it fails, Lloyd's algorithm. If Lloyd loses a cluster,
# the nearest start, which leaves at least one cell in every cluster.
settled_kmeans <- function(x, centers, rounds = 10L) {
    start <- centers
    for (round in seq_len(rounds)) {
        fit <- try_kmeans(x, centers, "Hartigan-Wong")
        if (is.null(fit)) break
        if (!isTRUE(fit$ifault > 0L)) return(list(cluster = fit$cluster, withinss = fit$tot.withinss))
        centers <- fit$centers
    }
    fit <- try_kmeans(x, centers, "Lloyd")
    if (!is.null(fit)) return(list(cluster = fit$cluster, withinss = fit$tot.withinss))
    nearest_center(x, start)
}

# NULL if a cluster became empty. The warnings only repeat what `ifault` says.
try_kmeans <- function(x, centers, algorithm) {
    fit <- tryCatch(
        suppressWarnings(stats::kmeans(x, centers, iter.max = 100L, algorithm = algorithm)),
        error = function(e) NULL
    )
    if (is.null(fit) || any(fit$size == 0L) || !all(is.finite(fit$centers))) return(NULL)
    fit
}

nearest_center <- function(x, centers) {
    columns <- t(x)
    distance <- vapply(seq_len(nrow(centers)), function(j) colSums((columns - centers[j, ])^2), numeric(nrow(x)))
    cluster <- max.col(-distance, ties.method = "first")
    means <- rowsum(x, cluster) / tabulate(cluster, nrow(centers))
    list(cluster = cluster, withinss = sum((x - means[cluster, , drop = FALSE])^2))
}
