# Which clusters a scale still tells apart. With the smoother S_t = (I + lambda L_t)^-1 of scale t, the cells of a
# cluster A are smoothed over A itself with the share 1_A' S_t 1_A / |A|, which falls from 1 without edges to
# a = |A| / n if everything is mixed. A keeps
#   r_A(t) = (1_A' S_t 1_A / |A| - a) / (1 - a).
# A cluster that keeps less than half no longer exists: it joins the one whose cells its own are mixed with most.

min_kept_share <- 0.5

# At most this many scales are smoothed; the scales between them have the clusters of the next finer one of these.
max_smoothed_scales <- 40L

# The mergers of the leaves, weakest cluster first: a, b, and `at`, the first scale at which they are one. Those that
# only coarser scales would have come last, with `at` beyond the last scale. Leaves are numbered first, then mergers.
# cells: as clustered_cells() returns; leaf: the leaf of every cell with a cluster
merge_along_scales <- function(tree, cells) {
    leaf <- tree$leaf
    leaves <- tree$leaves
    n_scales <- length(cells$scales$threshold)
    state <- list(number = seq_len(leaves), size = tabulate(leaf, leaves), a = integer(0), b = integer(0),
                  at = integer(0), leaves = leaves)
    group <- seq_len(leaves) # place of every leaf in state$number
    graph <- if (leaves > 1L) numbered_graph_cpp(cells$scales$n_cells, edges_at(cells$scales, n_scales))
    for (t in if (leaves > 1L) evenly_spaced(n_scales, max_smoothed_scales)) {
        mixed <- group_mixing(graph, group[leaf], cells, t)
        joined <- join_weak(mixed, state, t, min_kept_share)
        state <- joined$state
        group <- joined$place[group]
        if (length(state$number) == 1L) break
    }
    if (length(state$number) > 1L) {
        mixed <- rowsum(t(rowsum(mixed, joined$place)), joined$place)
        neighbors <- tree$weight * tabulate(tree$leaf, tree$leaves) / rowSums(tree$weight)
        mixed <- mixed + neighbor_share * rowsum(t(rowsum(neighbors, group)), group)
        state <- join_weak(mixed, state, n_scales + 1L, Inf)$state
    }
    state[c("a", "b", "at")]
}

# Clusters that the coarsest scale does not mix at all merge by the neighbours that they share.
neighbor_share <- 1e-6

# 1_A' S_t 1_B for all groups A and B.   graph: of the last scale; group: 1, 2, ... for every cell in cells$kept
group_mixing <- function(graph, group, cells, t) {
    scales <- cells$scales
    of_cell <- replace(integer(scales$n_cells), cells$kept, group)
    # The result is right to the square of this. The last scale must tell how little clusters mix that are well apart.
    tol <- if (t == length(scales$threshold)) 1e-4 else 1e-3
    group_mixing_cpp(graph, scales$threshold[t], cells$alpha, cells$lambda, of_cell, max(group), tol, cells$threads)
}

kept_share <- function(mixed, size) {
    share <- size / sum(size)
    ifelse(share < 1, (diag(mixed) / size - share) / (1 - share), 1)
}

# Joins clusters until all of them keep `least`, but never the last two into nothing. `place` tells where the clusters
# of the given state are in the new one.
join_weak <- function(mixed, state, t, least) {
    place <- seq_along(state$number)
    while (length(state$number) > 1L) {
        kept <- kept_share(mixed, state$size)
        weak <- which.min(round(kept, 9L))
        if (kept[weak] >= least) break
        near <- round(mixed[weak, ] / state$size[weak] / state$size, 15L)
        near[weak] <- -1
        host <- which.max(near)
        mixed[host, ] <- mixed[host, ] + mixed[weak, ]
        mixed[, host] <- mixed[, host] + mixed[, weak]
        mixed <- mixed[-weak, -weak, drop = FALSE]
        state <- joined_state(state, host, weak, t)
        place[place == weak] <- host
        place <- place - (place > weak)
    }
    list(state = state, place = place)
}

joined_state <- function(state, host, weak, t) {
    state$a <- c(state$a, state$number[host])
    state$b <- c(state$b, state$number[weak])
    state$at <- c(state$at, t)
    state$number[host] <- state$leaves + length(state$a)
    state$size[host] <- state$size[host] + state$size[weak]
    state$number <- state$number[-weak]
    state$size <- state$size[-weak]
    state
}

# Level l of a tree is the result of l - 1 mergers. Cluster of every leaf at every level: leaves x levels
level_members <- function(tree) {
    members <- matrix(seq_len(tree$leaves), tree$leaves, length(tree$a) + 1L)
    for (m in seq_along(tree$a)) {
        joined <- members[, m]
        joined[joined == tree$a[m] | joined == tree$b[m]] <- tree$leaves + m
        members[, seq.int(m + 1L, ncol(members))] <- joined
    }
    members
}

# The leaves below every cluster of a tree: leaves x clusters, TRUE or FALSE
leaves_below <- function(tree) {
    below <- diag(tree$leaves) > 0
    for (m in seq_along(tree$a)) below <- cbind(below, below[, tree$a[m]] | below[, tree$b[m]])
    below
}

# The tree without the mergers that are not `shown`: their leaves become one. A merger must not be shown inside one that
# is not.
without_mergers <- function(tree, shown) {
    below <- leaves_below(tree)
    whole <- c(rep(TRUE, tree$leaves), !shown) # clusters that become leaves
    inside <- rep(FALSE, length(whole))
    inside[c(tree$a[!shown], tree$b[!shown])] <- TRUE
    top <- which(whole & !inside)
    number <- integer(length(whole))
    number[top] <- seq_along(top)
    number[tree$leaves + which(shown)] <- length(top) + seq_len(sum(shown))
    leaf_of <- apply(below[, top, drop = FALSE], 1L, which)
    list(leaves = length(top), leaf = leaf_of[tree$leaf], a = number[tree$a[shown]], b = number[tree$b[shown]],
         at = tree$at[shown], weight = rowsum(t(rowsum(tree$weight, leaf_of)), leaf_of))
}
