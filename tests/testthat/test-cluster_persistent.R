# A path of one cheap scale or more whose coordinates are these points. points: cells x dimensions
path_of_points <- function(points, scales = 12) {
    x <- t(points) - min(points) + 1
    suppressMessages(suppressWarnings(
        pnmf(x, rank = min(3L, dim(x)), scales = scales, metric = "adaptive", graph = "knn",
             n_neighbors = min(15, nrow(points) - 1), control = pnmf_control(max_outer = 3, tol = 0))
    ))
}

clouds <- function(sizes, centers, spread = 1, seed = 1) {
    with_random_state(seed, do.call(rbind, lapply(seq_along(sizes), function(i) {
        noise <- matrix(stats::rnorm(sizes[i] * ncol(centers)), sizes[i])
        sweep(noise * rep_len(spread, length(sizes))[i], 2, centers[i, ], `+`)
    })))
}

is_nested <- function(fine, coarse) all(tapply(coarse, fine, function(l) length(unique(l))) == 1L)

test_that("clusters nest, their number never rises towards coarse, and one numbering holds everywhere", {
    cells <- simulate_cells(seed = 1)
    path <- suppressMessages(pnmf(normalize_counts(cells$counts, "paper"), rank = 6))
    found <- persistent_clusters(path)
    scales <- n_scales(path)
    expect_s3_class(found, "persistent_clusters")
    expect_identical(names(found$clusters), paste0("scale.", seq_len(scales)))
    expect_identical(rownames(found$clusters), colnames(cells$counts))
    expect_identical(found$k, unname(vapply(found$clusters, function(l) length(unique(l)), 1L)))
    expect_false(is.unsorted(rev(found$k)))
    for (t in seq_len(scales - 1L)) expect_true(is_nested(found$clusters[[t]], found$clusters[[t + 1L]]))
    expect_identical(names(found$tree), c("cluster", "parent", "birth", "death", "size", "persistence", "support",
                                          "p_value", "continuum"))
    # The recommended clusters are those of the recommended scale, numbered by size, with the numbers of the tree.
    expect_identical(unname(found$flat), found$clusters[[found$flat_scale]])
    expect_identical(found$k[found$flat_scale], found$flat_k)
    expect_setequal(found$flat, seq_len(found$flat_k))
    expect_false(is.unsorted(rev(tabulate(found$flat))))
    expect_identical(found$tree$size[match(seq_len(found$flat_k), found$tree$cluster)], tabulate(found$flat))
    # Both levels of the simulation are there.
    expect_identical(cluster_scores(cells$type, cut(found, k = 6))[["ari"]], 1)
    expect_identical(cluster_scores(cells$lineage, cut(found, k = 2))[["ari"]], 1)
    expect_true(all(found$tree$p_value <= 0.05, na.rm = TRUE))
    expect_true(all(found$tree$support >= 0 & found$tree$support <= 1))
    expect_identical(names(found$confidence), colnames(cells$counts))
})

test_that("every row of the tree is a cluster of the scales between its birth and its death", {
    cells <- simulate_cells(seed = 3)
    found <- persistent_clusters(suppressMessages(pnmf(normalize_counts(cells$counts, "paper"), rank = 6)))
    last <- length(found$k)
    tree <- found$tree
    expect_setequal(tree$cluster, unlist(found$clusters))
    for (row in seq_len(nrow(tree))) {
        here <- vapply(found$clusters, function(l) sum(l == tree$cluster[row]), 1L)
        expect_identical(unname(which(here > 0)), seq(tree$birth[row], min(tree$death[row] - 1L, last, na.rm = TRUE)))
        expect_true(all(here[here > 0] == tree$size[row]))
        if (is.na(tree$parent[row])) next
        parent <- unique(found$clusters[[tree$death[row]]][found$clusters[[tree$birth[row]]] == tree$cluster[row]])
        expect_identical(parent, tree$parent[row])
    }
    expect_identical(sum(is.na(tree$parent)), found$k[last])
    expect_true(all(tree$persistence >= 0 & tree$persistence <= 1))
})

test_that("clusters do not depend on the order of the cells or on the session's random numbers", {
    cells <- simulate_cells(n_cells = 120, seed = 5)
    x <- normalize_counts(cells$counts, method = "paper")
    order <- with_random_state(9, sample(ncol(x)))
    fit <- function(x) persistent_clusters(suppressMessages(pnmf(x, rank = 5, scales = 10)))
    one <- fit(x)
    start_stream(77)
    before <- .Random.seed
    again <- fit(x)
    expect_identical(.Random.seed, before)
    expect_identical(again, one)
    other <- fit(x[, order])
    expect_identical(other$flat[colnames(x)], one$flat)
    expect_identical(other$k, one$k)
    expect_identical(other$clusters[colnames(x), ], one$clusters)
})

test_that("data without structure are one cluster", {
    for (seed in 1:3) {
        cloud <- with_random_state(seed, matrix(stats::rnorm(250 * 6), 250))
        found <- persistent_clusters(path_of_points(cloud))
        expect_identical(found$flat_k, 1L)
        expect_true(all(found$k == 1L))
        expect_output(print(found), "no structure found")
    }
    cells <- simulate_cells(n_cells = 200, seed = 1)
    x <- as.matrix(normalize_counts(cells$counts, method = "paper"))
    shuffled <- with_random_state(1, apply(x, 2, sample))
    expect_identical(persistent_clusters(suppressWarnings(suppressMessages(pnmf(shuffled, rank = 4))))$flat_k, 1L)
    by_gene <- with_random_state(1, t(apply(x, 1, sample)))
    expect_identical(persistent_clusters(suppressWarnings(suppressMessages(pnmf(by_gene, rank = 4))))$flat_k, 1L)
})

test_that("well separated clusters of very different size and density are all found", {
    centers <- rbind(c(0, 0, 0), c(60, 0, 0), c(0, 60, 0), c(0, 0, 60))
    sizes <- c(400, 150, 40, 15)
    points <- clouds(sizes, centers, spread = c(4, 1, 0.2, 2))
    found <- persistent_clusters(path_of_points(points))
    expect_identical(found$flat_k, 4L)
    expect_identical(cluster_scores(rep(1:4, sizes), found$flat)[["ari"]], 1)
})

test_that("dust is no cluster but belongs to one", {
    points <- clouds(c(100, 100), rbind(c(0, 0), c(40, 0)))
    dust <- rbind(c(3, 9), c(41, -10), c(-2, -9))
    found <- persistent_clusters(path_of_points(rbind(points, dust)))
    expect_identical(found$flat_k, 2L)
    expect_false(anyNA(found$clusters))
    # Twelve cells of their own, too few for a cluster, join the nearer of two others.
    sizes <- c(100, 100, 12)
    points <- clouds(sizes, rbind(c(0, 0), c(40, 0), c(60, 0)), spread = c(1, 1, 0.1))
    found <- persistent_clusters(path_of_points(points), min_size = 15)
    expect_identical(cluster_scores(rep(c(1, 2, 2), sizes), found$flat)[["ari"]], 1)
})

test_that("dust joins the leaf with the nearest mean", {
    points <- t(rbind(c(1, 0), c(3, 0), c(0, 1), c(0, 3), c(0.3, 1.9), c(1.8, 0.2)))
    expect_equal(with_dust(c(1, 1, 2, 2, 0, 0), points), c(1, 1, 2, 2, 2, 1))
})

test_that("paths of one scale, of equal cells, of few cells and without a graph have an answer", {
    expect_identical(persistent_clusters(path_of_points(matrix(2, 20, 2)))$flat_k, 1L)
    few <- with_random_state(1, matrix(stats::rexp(8), 4))
    expect_identical(persistent_clusters(path_of_points(few, scales = 2))$flat_k, 1L)
    two <- clouds(c(60, 60), rbind(c(0, 0), c(50, 0)))
    one_scale <- persistent_clusters(path_of_points(two, scales = 1))
    expect_identical(length(one_scale$k), 1L)
    expect_identical(one_scale$flat_k, 2L)
    no_graph <- pnmf(t(two) - min(two), rank = 2, lambda_graph = 0, scales = 5,
                     control = pnmf_control(max_outer = 2, tol = 0))
    expect_identical(persistent_clusters(no_graph)$flat_k, 2L)
    expect_error(persistent_clusters(1), "'x' must be a pNMFPath", class = "pnmf_error")
    expect_error(persistent_clusters(no_graph, min_size = 1), "'min_size' must be a whole number",
                 class = "pnmf_error")
    expect_error(persistent_clusters(no_graph, min_size = 5000), "'min_size' must be", class = "pnmf_error")
    expect_error(persistent_clusters(no_graph, k = 3), "'k' is found from the data.*cut\\(", class = "pnmf_error")
    expect_error(persistent_clusters(no_graph, resolution = 1), "'resolution' is found from the data.*cut\\(",
                 class = "pnmf_error")
})

test_that("a path whose distances were measured in many features is clustered by its embedding", {
    cells <- simulate_cells(n_cells = 120, seed = 2)
    path <- suppressMessages(pnmf(normalize_counts(cells$counts, method = "paper"), rank = 6, scales = "paper",
                                  control = pnmf_control(max_outer = 20, tol = 0)))
    expect_null(path@scales$coordinates)
    found <- persistent_clusters(path)
    expect_gt(cluster_scores(cells$type, cut(found, k = 6))[["ari"]], 0.9)
    expect_gt(found$flat_k, 1L)
})

test_that("cut() gives the clusters of a scale or a number of them", {
    cells <- simulate_cells(seed = 1)
    found <- persistent_clusters(suppressMessages(pnmf(normalize_counts(cells$counts, "paper"), rank = 6, scales = 10)))
    expect_identical(unname(cut(found, t = 3)), found$clusters[[3]])
    expect_identical(cluster_scores(cut(found, t = 3), found$clusters[[3]])[["ari"]], 1)
    for (k in seq_len(max(found$k))) expect_identical(length(unique(cut(found, k = k))), k)
    expect_identical(cut(found, k = found$flat_k), found$flat)
    expect_identical(cut(found, t = found$flat_scale), found$flat)
    expect_error(persistent_clusters(1), "'x' must be .*, or persistence_scales\\(\\), not 1", class = "pnmf_error")
    expect_error(cut(found), "give either 't'", class = "pnmf_error")
    expect_error(cut(found, 5), "use k = 5 for a number of clusters, or t = 5 for a scale", class = "pnmf_error")
    expect_error(cut(found, k = 99), "'k' must be at most", class = "pnmf_error")
    expect_error(cut(found, t = 11), "'t' must be a whole number between 1 and 10", class = "pnmf_error")
    expect_identical(as.data.frame(found), found$tree)
    expect_identical(summary(found)$cluster, sort(unique(unname(found$flat))))
    expect_identical(summary(found)$size, tabulate(found$flat))
})

# Average linkage of modularity, merged one by one by the formula.
test_that("the tree of communities is average linkage by modularity", {
    points <- with_random_state(6, matrix(stats::rnorm(40 * 3), 3))
    near <- nearest_neighbors(points, 5L, FALSE, 1L)
    links <- spanning_tree_cpp(points, "euclidean", numeric(), 1L)$edges
    tree <- community_tree_cpp(similarity_graph_cpp(near$index, near$distance, links), 2L)
    w <- tanimoto_weights(near, links)
    expected <- merged_by_modularity(w, min_size = 2L)
    expect_equal(tree$resolution, expected, tolerance = 1e-10)
})

test_that("a path whose spanning tree names other cells is refused", {
    path <- path_of_points(clouds(c(20, 20), rbind(c(0, 0), c(9, 9))))
    path@scales$mst$i[1] <- dim(path)[2] + 1L
    expect_error(persistent_clusters(path), "'x' must have a spanning tree of its [0-9]+ cells",
                 class = "pnmf_error")
})

test_that("scales need no fit: they have the clusters of any path on them", {
    cells <- simulate_cells(seed = 2)
    path <- suppressMessages(pnmf(normalize_counts(cells$counts, "paper"), rank = 4,
                                  control = pnmf_control(max_outer = 2, tol = 0)))
    scales <- path@scales
    expect_identical(persistent_clusters(scales)$flat_k, persistent_clusters(path)$flat_k)
    expect_identical(unname(persistent_clusters(scales)$flat), unname(persistent_clusters(path)$flat))
    # Without a known penalty, that of a default path is used.
    bare <- persistence_scales(scales$coordinates, metric = "adaptive", graph = "knn", n_scales = 8)
    expect_identical(cluster_scores(cells$type, cut(persistent_clusters(bare), k = 6))[["ari"]], 1)
    expect_error(persistent_clusters(persistence_scales(stats::dist(t(scales$coordinates)))), "coordinates",
                 class = "pnmf_error")
})

test_that("scales of expression data have clusters, whatever the number of features", {
    cells <- simulate_cells(seed = 2)
    x <- normalize_counts(cells$counts)
    expect_gt(nrow(x), max_kept_dimensions) # otherwise this tests nothing
    scales <- persistence_scales(x, metric = "adaptive", graph = "knn", thin = "effective")
    expect_identical(dim(scales$components), c(20L, ncol(x)))
    expect_identical(cluster_scores(cells$type, persistent_clusters(scales)$flat)[["ari"]], 1)
    expect_error(persistent_clusters(persistence_scales(x)), 'graph = "knn"', fixed = TRUE, class = "pnmf_error")
})

test_that("cells without counts are in no cluster, and are named", {
    cells <- simulate_cells(n_cells = 120, seed = 4)
    x <- as.matrix(normalize_counts(cells$counts, "paper"))
    x[, c(7, 90)] <- 0
    path <- suppressWarnings(suppressMessages(pnmf(x, rank = 5)))
    expect_message(found <- persistent_clusters(path), "cell7 cell90", class = "pnmf_message")
    empty <- c("cell7", "cell90")
    expect_identical(names(which(is.na(found$flat))), empty)
    expect_true(all(is.na(found$clusters[empty, ])) && all(is.na(found$confidence[empty])))
    expect_identical(sum(tabulate(found$flat)), 118L)
    expect_identical(found$k, unname(vapply(found$clusters, function(l) length(unique(l[!is.na(l)])), 1L)))
})

test_that("eight cells of a type of their own among 950 are a cluster if asked for", {
    points <- clouds(c(600, 342, 8), rbind(rep(0, 10), c(12, rep(0, 9)), c(0, 14, rep(0, 8))))
    found <- persistent_clusters(path_of_points(points, scales = 6), min_size = 5)
    expect_identical(as.integer(table(found$clusters$scale.1[943:950])), 8L)
    expect_identical(sum(found$clusters$scale.1 == found$clusters$scale.1[950]), 8L)
})

test_that("eight real monocytes among other cells are a supported cluster by default", {
    held <- new.env()
    utils::data("pbmc_sorted", package = "pNMF", envir = held)
    monocyte <- held$pbmc_sorted$type == "CD14+"
    kept <- !monocyte | cumsum(monocyte) <= 8
    points <- principal_components(normalize_counts(held$pbmc_sorted$counts[, kept]), 20L, 1L)$coordinates
    found <- persistent_clusters(persistence_scales(points, metric = "adaptive", graph = "knn", thin = "effective"))
    cluster <- unique(found$flat[monocyte[kept]])
    expect_length(cluster, 1L)
    # 14 cells sorted as CD34+ are with the monocytes whatever their number.
    expect_lt(sum(found$flat == cluster), 30)
    expect_lt(found$tree$p_value[found$tree$cluster == cluster], 0.05)
})

test_that("five cells of a type of their own among 10,000 are a cluster if asked for", {
    skip_unless_slow()
    sizes <- c(5000, 3000, 1500, 495, 5)
    points <- clouds(sizes, with_random_state(2, matrix(stats::rnorm(100, sd = 3), 5)))
    scales <- persistence_scales(t(points), metric = "adaptive", graph = "knn", thin = "effective")
    found <- persistent_clusters(scales, min_size = 5, support = TRUE)
    expect_identical(found$supported_k, 5L)
    expect_identical(cluster_scores(rep(1:5, sizes), found$clusters$scale.1)[["ari"]], 1)
})
