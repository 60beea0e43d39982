# The view of a path that an interactive page shows, computed once. It is a plain list, which report_data() writes into
# the page and from which explore_path() gets the cells. Clusters and their tree use all cells; points are the cells
# shown.

# The arguments are those of path_report(). host: for a container, names, the features as they are displayed, and own,
# its clusterings.
# labels: a list of factors, the given ones first; reference: the first of the given ones.
report_view <- function(path, labels = NULL, x = NULL, clusters = NULL, at = NULL, factors = NULL,
                        suggested = NULL, max_cells = 5000, title = report_title(path), seed = NULL, ...,
                        .host = list()) {
    assert_class(path, "pNMFPath", "path", "pnmf()")
    if (is.null(clusters)) assert_no_reference(path, "path")
    at <- several_scales(at, ...)
    names <- if (is.null(.host$names)) path@feature_names else .host$names
    labels <- label_columns(labels, dim(path)[2], path@cell_names)
    if (any(empty_cells(path))) {
        kept <- which(!empty_cells(path))
        clusters <- clusters_of_cells(if (is.null(clusters)) persistent_clusters(path) else clusters, kept)
        labels <- lapply(labels, function(column) droplevels(column[kept]))
        .host$own <- lapply(.host$own, `[`, kept)
        if (!is.null(x)) x <- assert_gene_data(x, path)[, kept, drop = FALSE]
        path <- subset_cells(path, kept)
    }
    reference <- if (length(labels) > 0L) labels[[1]]
    scales <- report_scales(path, at, clusters)
    shown <- shown_cells(dim(path)[2], assert_count(max_cells, "max_cells"), seed)
    made <- report_parts(list(
        found = function() report_clusters(path, clusters, scales, names),
        layout = function() report_layout(path, scales, factors, shown, seed),
        genes = function() report_genes(path, shown, x, names)
    ))
    found <- made$found
    ordered <- ordered_factors(path, scales, found$clusters)
    list(
        path = path, title = assert_string(title, "title"), scales = scales, shown = shown,
        labels = own_columns(.host$own, labels, dim(path)[2]), reference = reference,
        clusters = found$clusters, lifetimes = found$lifetimes,
        cluster_colours = found$colours, tree = report_tree(found$clusters, reference, found$lanes),
        branches = found$branches,
        layout = made$layout, genes = made$genes, fitted = if (is.null(made$genes)) fitted_genes(path, scales, names),
        programs = report_programs(path, scales, ordered, names, shown, made$genes),
        kept_factors = kept_factors(ordered, length(shown), length(scales)),
        scores = report_scores(found$clusters, reference), suggested = report_suggested(path, scales, suggested, found)
    )
}

# The arguments of report_view(): `parts`, which the caller has made, and those that the user has added. The data of
# genes, `x`, were called `data`; containers hold their own.
view_arguments <- function(parts, more) {
    former <- names(more) %in% "data"
    if (any(former)) warn_pnmf("'data' is now called 'x': the former name will stop working in the next version")
    names(more)[former] <- "x"
    if (is.null(more[["x"]])) return(c(parts, more))
    if (!is.null(parts[["x"]])) {
        stop_pnmf("'x' must be given once, and only for a path: an object holds the data of its genes")
    }
    c(parts[names(parts) != "x"], more)
}

report_title <- function(path) {
    sprintf("pNMF: %s, %s", counted(whole_number(dim(path)[2]), "cell"), counted(n_scales(path), "scale"))
}

# Position of the suggested scale among those shown: that of the recommended clusters, unless given; NA if none.
report_suggested <- function(path, scales, suggested, found) {
    if (is.null(suggested)) suggested <- found$suggested
    match(suggested_scale(path, suggested), scales)
}

# Position of the scale where the slider starts: the suggested one, otherwise the active one.
report_start <- function(view) {
    if (is.na(view$suggested)) match(active_scale(view$path), view$scales, nomatch = 1L) else view$suggested
}

# Results of functions without arguments, with a progress bar.
report_parts <- function(parts) progress_lapply(parts, function(part) part(), label = "preparing the page")

# Scales on the slider: the chosen ones, otherwise those of given clusters, otherwise all, or 20 evenly spread ones if
# there are more.
report_scales <- function(path, at, clusters) {
    if (!is.null(at)) return(chosen_scales(path, at))
    if (!is.null(clusters)) {
        return(chosen_scales(path, sort(scale_numbers(assert_clusters(clusters, "clusters")))))
    }
    evenly_spaced(n_scales(path), 20L)
}

# Positions of the cells at each scale, two factors or a map of each scale: matrices x and y (shown cells x scales) and
# the names of the axes.
report_layout <- function(path, scales, factors, shown, seed) {
    points <- path_coordinates(path, scales, factors, shown, seed)
    list(x = matrix(points$x, length(shown)), y = matrix(points$y, length(shown)), axes = attr(points, "axes"))
}

# Labellings of all cells, cells x scales: the numbers of persistent_clusters(), which are those of its tree. Numbers of
# other labellings are matched from scale to scale. Then colours and, of persistent clusters, how long each lasts, lanes
# in the tree, and the genes of its branches.
report_clusters <- function(path, clusters, scales, names = path@feature_names) {
    if (is.null(clusters)) clusters <- persistent_clusters(path)
    if (!inherits(clusters, "persistent_clusters")) {
        clusters <- matched_clusters(given_clusters(clusters, scales, dim(path)[2]))
        return(list(clusters = clusters, colours = group_colours(max(unlist(clusters))), suggested = NA))
    }
    found <- clusters
    assert_clusters_of_path(found, path)
    clusters <- given_clusters(found$clusters, scales, dim(path)[2])
    family <- cluster_families(found$tree, max(unlist(clusters)))
    branches <- branch_names(path, found, 2L, swap_rownames = names)
    lifetimes <- cluster_lifetimes(found, scales)
    lifetimes$genes <- branches$label[match(lifetimes$cluster, branches$cluster)]
    list(clusters = clusters, lifetimes = lifetimes, branches = branches,
         colours = group_colours(max(family))[family], lanes = tree_lanes(found$tree), suggested = found$flat_scale)
}

# Persistent clusters, or a table with one row per cell, of some of the cells.
clusters_of_cells <- function(clusters, kept) {
    if (!inherits(clusters, "persistent_clusters")) return(clusters[kept, , drop = FALSE])
    clusters$clusters <- clusters$clusters[kept, , drop = FALSE]
    clusters$flat <- clusters$flat[kept]
    clusters$kept <- match(clusters$kept, kept)
    clusters
}

# Clusters of one family share a colour: a cluster and the largest of those that it is made of, down to a finest one,
# and so on. The number of a cluster's family, for clusters 1 ... n; at any scale all clusters differ.
cluster_families <- function(tree, n) {
    family <- rep(NA_integer_, n)
    next_family <- 0L
    for (row in order(-tree$size, is.na(tree$parent) * -1L, -tree$cluster)) {
        parent <- match(tree$parent[row], tree$cluster)
        siblings <- which(tree$parent %in% tree$parent[row])
        heir <- !is.na(parent) && row == siblings[order(-tree$size[siblings], tree$cluster[siblings])][1L]
        if (heir) {
            family[tree$cluster[row]] <- family[tree$parent[row]]
        } else {
            next_family <- next_family + 1L
            family[tree$cluster[row]] <- next_family
        }
    }
    family[is.na(family)] <- 1L
    family
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
# of the scale among those shown, y the cluster's lane: unless given, one for each number, ordered by their mean
# position in a drawing with few crossings.
report_tree <- function(clusters, labels, lanes = NULL, max_scales = 25L) {
    n <- ncol(clusters)
    if (n < 2L) return(NULL)
    layers <- unique(c(seq.int(1L, n, by = as.integer(ceiling(n / max_scales))), n))
    tree <- cluster_tree(clusters[layers])
    drawing <- tree_drawing(tree, node_labels(labels, tree$clusters))
    drawing$nodes$x <- layers[drawing$nodes$x]
    drawing$edges[c("x", "xend")] <- lapply(drawing$edges[c("x", "xend")], function(x) layers[x])
    if (is.null(lanes)) {
        lanes <- rank(tapply(drawing$nodes$y, drawing$nodes$cluster, mean), ties.method = "first")
    }
    drawing$nodes$y <- unname(lanes[as.character(drawing$nodes$cluster)])
    drawing$edges$y <- unname(lanes[as.character(drawing$edges$from_cluster)])
    drawing$edges$yend <- unname(lanes[as.character(drawing$edges$to_cluster)])
    if (is.null(labels)) drawing$nodes$label <- NULL
    drawing
}

report_scores <- function(clusters, labels) {
    if (is.null(labels) || nlevels(labels) < 2L) return(NULL)
    score_clusters(clusters, label_codes(labels, "labels"))
}
