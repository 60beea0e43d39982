# Containers subset, reorder and rename cells. They apply this to the embedding of the active scale, but not to the
# path. The functions here align the path with the embedding in the container.

# embedding: cells x rank, of scale t, from the container. Cells are matched by name if names and values agree,
# otherwise by the values of their embedding (renamed cells), otherwise by name alone (a rescaled embedding).
aligned_path <- function(path, embedding, t) {
    # Seurat 5 leaves names on the names of renamed cells.
    names <- unname(rownames(embedding))
    by_name <- if (!is.null(names)) match(names, path@cell_names)
    named <- !is.null(by_name) && !anyNA(by_name) && !anyDuplicated(by_name)
    if (named && same_rows(path, embedding, t, by_name)) return(subset_cells(path, by_name))
    by_value <- match_embedding(path, embedding, t)
    if (is.null(by_value) && !named) stop_unknown_cells(names, by_name, nrow(embedding))
    path <- subset_cells(path, if (is.null(by_value)) by_name else by_value)
    if (!is.null(names)) path <- renamed_cells(path, names)
    path
}

# The path whose active scale is the one that the container holds.
at_held_scale <- function(path, t) if (t == active_scale(path)) path else with_active_scale(path, t)

same_rows <- function(path, embedding, t, places) {
    H <- scale_embedding(path, t)
    ncol(embedding) == nrow(H) && all(unname(embedding) == t(H[, places, drop = FALSE]))
}

renamed_cells <- function(path, names) {
    names <- make.unique(names) # as the path's own names
    path@cell_names <- names
    if (!is.null(path@scales$cell_names)) path@scales$cell_names <- names
    validObject(path)
    path
}

stop_unknown_cells <- function(names, by_name, n) {
    unknown <- if (is.null(by_name)) n else sum(is.na(by_name))
    if (unknown == 0L) {
        stop_pnmf(sum(duplicated(by_name)), " of ", n, " cells repeat others of the stored path (the first is '",
                  names[duplicated(by_name)][1], "'): keep every cell once, or run RunPNMF() or runPNMF() again")
    }
    stop_pnmf(unknown, " of ", n, " cells are not in the stored path",
              if (anyNA(by_name)) paste0(" (the first is '", names[is.na(by_name)][1], "')"),
              ": it was fitted to other cells, run RunPNMF() or runPNMF() again")
}

# Positions in the path of rows that equal its embedding at scale t, or NULL if a row has no match. Cells with equal
# rows are matched in order. If some of them are missing, the match is a guess unless they are equal at all scales.
match_embedding <- function(path, embedding, t) {
    H <- scale_embedding(path, t)
    if (ncol(embedding) != nrow(H)) return(NULL)
    codes <- row_codes(rbind(t(H), unname(unclass(embedding))))
    old <- codes[seq_len(ncol(H))]
    new <- codes[-seq_len(ncol(H))]
    places <- match(paste(new, occurrence(new)), paste(old, occurrence(old)))
    if (anyNA(places)) return(NULL)
    counts <- tabulate(old, max(codes))
    unsure <- which(counts > tabulate(new, max(codes)) & tabulate(new, max(codes)) > 0L)
    assert_told_apart(path, which(old %in% unsure), old, t)
    places
}

# Equal rows get equal whole numbers. Codes stay below 2^53: (rows + 1)^2.
row_codes <- function(x) {
    code <- rep(1, nrow(x))
    for (j in seq_len(ncol(x))) {
        pair <- code * (nrow(x) + 1) + match(x[, j], unique(x[, j]))
        code <- match(pair, unique(pair))
    }
    as.integer(code)
}

# 1 for the first of equal values, 2 for the second, ...
occurrence <- function(x) {
    count <- integer(length(x))
    ordered <- order(x)
    count[ordered] <- sequence(rle(x[ordered])$lengths)
    count
}

assert_told_apart <- function(path, cells, group, t) {
    if (length(cells) == 0L) return(invisible())
    rows <- do.call(cbind, lapply(seq_along(path@H), function(t) t(scale_embedding(path, t, cells))))
    if (length(unique(row_codes(rows))) > length(unique(group[cells]))) {
        stop_pnmf("cells were dropped and renamed, and ", length(cells), " of the path's cells cannot be ",
                  "distinguished at scale ", t, ": restore their old names, or fit again")
    }
}
