# The view of a path that an interactive page shows, computed once. It is a plain list, which report_data() writes into
# the page and from which explore_path() gets the cells. Clusters and their tree use all cells; points are the cells
# shown.

# The arguments are those of path_report(); `own` are the clusterings of the object, and `...` is passed to
# path_clusters(). labels: a list of factors, the given ones first; reference: the first of the given ones.
report_view <- function(path, labels = NULL, data = NULL, genes = NULL, scales = NULL, factors = NULL, k = NULL,
                        clusters = NULL, suggested = NULL, max_cells = 5000, title = "A path of embeddings",
                        seed = NULL, swap_rownames = NULL, ..., own = NULL) {
    assert_class(path, "pNMFPath", "path", "pnmf()")
    names <- displayed_names(path, path, swap_rownames)
    labels <- label_columns(labels, dim(path)[2])
    reference <- if (length(labels) > 0L) labels[[1]]
    scales <- report_scales(path, scales, clusters)
    suggested <- suggested_scale(path, suggested)
    shown <- shown_cells(dim(path)[2], assert_count(max_cells, "max_cells"), seed)
    made <- report_parts(list(
        found = function() report_clusters(path, clusters, scales, k, reference, seed, ...),
        layout = function() report_layout(path, scales, factors, shown, seed),
        genes = function() report_genes(path, scales, shown, data, genes, names),
        top = function() report_top_features(path, scales, names)
    ))
    found <- made$found
    factor_order <- ordered_factors(path, scales, found$clusters)
    list(
        path = path, title = assert_string(title, "title"), scales = scales, shown = shown,
        labels = own_columns(own, labels, dim(path)[2]), reference = reference,
        clusters = found$clusters, lifetimes = found$lifetimes, by_resolution = found$by_resolution,
        tree = report_tree(found$clusters, reference), layout = made$layout, genes = made$genes, top = made$top,
        factor_order = factor_order, kept_factors = kept_factors(factor_order, length(shown), length(scales)),
        scores = report_scores(found$clusters, reference), suggested = match(suggested, scales)
    )
}

# Results of functions without arguments, with a progress bar.
report_parts <- function(parts) progress_lapply(parts, function(part) part(), label = "preparing the page")

# Scales on the slider: the chosen ones, otherwise those of given clusters, otherwise all, or 40 evenly spread ones if
# there are more.
report_scales <- function(path, scales, clusters) {
    if (!is.null(scales)) return(chosen_scales(path, scales))
    if (!is.null(clusters)) {
        return(chosen_scales(path, sort(scale_numbers(assert_clusters(clusters, "clusters")))))
    }
    evenly_spaced(n_scales(path), 40L)
}

# Labellings of all cells, cells x scales, with numbers that match from scale to scale, and how long each cluster lasts:
# by the resolutions of the path for the clusters of persistent_clusters().
report_clusters <- function(path, clusters, scales, k, labels, seed, ...) {
    settings <- assert_clustering_names(list(...))
    if (is.null(clusters) && is.null(k) && length(settings) == 0L) clusters <- persistent_clusters(path)
    found <- if (inherits(clusters, "persistent_clusters")) clusters
    if (is.null(clusters)) {
        settings <- utils::modifyList(list(n_start = 10), settings)
        if (is.null(k) && !identical(settings$method, "graph")) k <- report_k(path, labels)
        clusters <- do.call(path_clusters, c(list(path, k = k, scales = scales, seed = seed), settings))
    } else {
        clusters <- given_clusters(clusters, scales, dim(path)[2])
    }
    clusters <- matched_clusters(clusters)
    list(clusters = clusters, lifetimes = cluster_lifetimes(clusters, found), by_resolution = !is.null(found))
}

# The number of labels, otherwise of factors, between 2 and 10.
report_k <- function(path, labels) {
    k <- if (is.null(labels)) min(n_factors(path), 10L) else nlevels(labels)
    min(max(k, 2L), dim(path)[2])
}

given_clusters <- function(clusters, scales, n) {
    clusters <- assert_clusters(clusters, "clusters")
    place <- match(scales, scale_numbers(clusters))
    if (nrow(clusters) != n || anyNA(place)) {
        stop_pnmf("'clusters' must have one row for each of the ", n, " cells and one column for each scale shown (",
                  abbreviated(scales), "), not ", nrow(clusters), " rows and scales ",
                  abbreviated(scale_numbers(clusters)))
    }
    clusters <- clusters[place]
    names(clusters) <- scale_name(scales)
    clusters
}

# Clusters of each scale, renumbered so that as many cells as possible keep the number of the previous scale. A cluster
# that lasts then keeps its name and its colour.
matched_clusters <- function(clusters) {
    clusters[] <- lapply(clusters, function(labels) match(as.character(labels), label_order(as.character(labels))))
    n_clusters <- max(vapply(clusters, max, integer(1)))
    for (j in seq_along(clusters)[-1]) {
        shared <- table(factor(clusters[[j]]), factor(clusters[[j - 1L]], seq_len(n_clusters)))
        numbers <- as.integer(clue::solve_LSAP(unclass(shared), maximum = TRUE))
        clusters[[j]] <- numbers[clusters[[j]]]
    }
    clusters
}

# The tree of all scales shown, or of every second, third, ... if there are many; NULL for one scale. x is the position
# of the scale among those shown. A cluster that lasts stays in its lane. Lanes are ordered by their mean position in a
# drawing with few crossings.
report_tree <- function(clusters, labels, max_scales = 25L) {
    n <- ncol(clusters)
    if (n < 2L) return(NULL)
    layers <- unique(c(seq.int(1L, n, by = as.integer(ceiling(n / max_scales))), n))
    tree <- cluster_tree(clusters[layers])
    drawing <- tree_drawing(tree, node_labels(labels, tree$clusters))
    drawing$nodes$x <- layers[drawing$nodes$x]
    drawing$edges[c("x", "xend")] <- lapply(drawing$edges[c("x", "xend")], function(x) layers[x])
    lane <- rank(tapply(drawing$nodes$y, drawing$nodes$cluster, mean), ties.method = "first")
    drawing$nodes$y <- lane[drawing$nodes$cluster]
    drawing$edges$y <- lane[drawing$edges$from_cluster]
    drawing$edges$yend <- lane[drawing$edges$to_cluster]
    if (is.null(labels)) drawing$nodes$label <- NULL
    drawing
}

report_scores <- function(clusters, labels) {
    if (is.null(labels) || nlevels(labels) < 2L) return(NULL)
    score_clusters(clusters, label_codes(labels, "labels"))
}

# One data frame per scale, as top_features() returns.
report_top_features <- function(path, scales, names, n = 10L) {
    lapply(scales, function(t) top_features(path, t, n = n, swap_rownames = names))
}

assert_clustering_names <- function(settings) {
    known <- c("method", "normalize", "n_start", "n_neighbors", "resolution", "BPPARAM")
    unknown <- setdiff(if (is.null(names(settings))) rep("", length(settings)) else names(settings), known)
    if (length(unknown) > 0L) {
        stop_pnmf("unknown argument ", if (nzchar(unknown[1])) paste0("'", unknown[1], "'") else "(unnamed)",
                  ": in addition to its own arguments, path_report() takes those of path_clusters() (",
                  paste(known, collapse = ", "), ")")
    }
    settings
}
