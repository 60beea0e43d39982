# Small objects of every kind, for tables of calls that walk through all exported functions. Made once.
call_fixtures <- local({
    made <- NULL
    function() {
        if (is.null(made)) made <<- make_call_fixtures()
        list2env(made, parent = environment(make_call_fixtures))
    }
})

make_call_fixtures <- function() {
    x <- small_data(7, features = 12, cells = 15)
    dimnames(x) <- list(paste0("gene", 1:12), paste0("cell", 1:15))
    scales <- persistence_scales(x, n_scales = 5)
    path <- fit_small(x, 2, c(1, 1, 0.1), scales = scales, max_outer = 4, tol = 0)
    group <- rep_len(c("a", "b", "c"), 15)
    scores <- score_path(path, group, n_start = 2)
    list(
        x = x, sparse = as_sparse(x), scales = scales, path = path, group = group, scores = scores,
        start = random_start(1, x, 2), fit = fit_nmf(x, 2, max_steps = 5, tol = 0),
        clusters = path_clusters(path, 3, n_start = 2),
        unsorted_scales = utils::modifyList(scales, list(threshold = rev(scales$threshold))),
        repeated_scales = utils::modifyList(scales, list(threshold = scales$threshold[c(1, 1, 2:4)])),
        renamed_scales = utils::modifyList(scales, list(cell_names = rev(colnames(x)))),
        radar = data.frame(lambda_graph = 1, lambda_smooth = 1, lambda_anchor = 1, scores[1, -1]),
        seurat = seurat_with_path, sce = sce_with_path,
        gif = tempfile(fileext = ".gif"), page = tempfile(fileext = ".html"), empty_file = written(character()),
        table_file = written(delimited(small_counts(c("A", "B", "C")), ","))
    )
}

# The matrix with another value at one of its nonzero entries.
with_entry <- function(x, value) {
    if (is.matrix(x)) x[which(x != 0)[1]] <- value else x@x[1] <- value
    x
}

# An empty list, or an S4 object without content, that claims to be of a class.
fake <- function(class) {
    if (class == "pNMFPath") methods::new(class) else structure(list(), class = class)
}
