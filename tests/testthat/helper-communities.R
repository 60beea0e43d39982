# The similarity graph of persistent_clusters() as a dense matrix, by its definition.
tanimoto_weights <- function(near, links) {
    n <- nrow(near$index)
    k <- ncol(near$index)
    m <- diag(n)
    for (i in seq_len(n)) m[i, near$index[i, ]] <- 1 - near$distance[i, ] / (1000 * near$distance[i, k])
    shared <- tcrossprod(m)
    w <- shared / (outer(diag(shared), diag(shared), `+`) - shared)
    diag(w) <- 0
    apart <- which(w[cbind(links$i, links$j)] == 0)
    for (e in apart) {
        weight <- 0.5 / (2 * k + 1) * min(links$length[apart]) / links$length[e]
        w[links$i[e], links$j[e]] <- w[links$j[e], links$i[e]] <- weight
    }
    w
}

# Resolutions below 1 at which two clusters of at least min_size cells merge, descending.
merged_by_modularity <- function(w, min_size) {
    size <- rep(1L, nrow(w))
    volume <- rowSums(w)
    total <- sum(w)
    kept <- numeric(0)
    while (nrow(w) > 1L) {
        resolution <- w * total / outer(volume, volume)
        diag(resolution) <- -1
        best <- which(resolution == max(resolution), arr.ind = TRUE)[1L, ]
        if (min(size[best]) >= min_size && max(resolution) < 1) kept <- c(kept, max(resolution))
        a <- min(best)
        b <- max(best)
        w[a, ] <- w[a, ] + w[b, ]
        w[, a] <- w[, a] + w[, b]
        w[a, a] <- 0
        w <- w[-b, -b, drop = FALSE]
        size[a] <- size[a] + size[b]
        volume[a] <- volume[a] + volume[b]
        size <- size[-b]
        volume <- volume[-b]
    }
    sort(kept, decreasing = TRUE)
}
