test_that("the lifetimes and persistence of persistent_clusters() are those of its tree", {
    path <- report_path()
    found <- persistent_clusters(path)
    view <- report_view(path, clusters = found, suggested = NA)
    tree <- found$tree[found$tree$size < 60, ]
    tree$last <- ifelse(is.na(tree$death), 7L, tree$death) - 1L
    by_row <- function(table, columns) unname(as.matrix(table[do.call(order, unname(table[columns])), columns]))
    names(tree)[names(tree) == "birth"] <- "first"
    expect_equal(by_row(view$lifetimes, c("first", "last", "size", "persistence", "continuum")),
                 by_row(tree, c("first", "last", "size", "persistence", "continuum")))
    expect_false(is.unsorted(-view$lifetimes$persistence))
    expect_identical(sum(view$lifetimes$recommended), found$flat_k)
    some <- report_view(path, at = c(2, 6), suggested = NA)$lifetimes
    shown <- found$clusters[c(2, 6)]
    for (row in seq_len(nrow(some))) {
        exists <- vapply(shown, function(labels) some$cluster[row] %in% labels, logical(1))
        expect_identical(unname(which(exists)), seq.int(some$first[row], some$last[row]))
    }
    expect_setequal(some$cluster, setdiff(unlist(shown), found$tree$cluster[found$tree$size == 60]))
})

test_that("only persistent clusters have lifetimes, and one cluster of all cells has none to show", {
    path <- report_path()
    clusters <- persistent_clusters(path)$clusters
    view <- report_view(path, clusters = clusters, suggested = NA)
    expect_null(view$lifetimes)
    expect_null(persistence_panel(view))
    found <- persistent_clusters(path)
    whole <- cluster_lifetimes(utils::modifyList(found, list(tree = found$tree[found$tree$size == 60, ])), 1:6)
    expect_identical(nrow(whole), 0L)
})
