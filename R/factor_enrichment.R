#' Find the gene sets that a factor represents
#'
#' Names gene programs: compares the genes of every factor with known gene sets,
#' such as pathways or the markers of cell types.
#'
#' @details
#' `method = "overlap"` takes the top `n` genes of a factor: those that are most
#' specific to it ([factor_markers()], with a score above 0) or those with the
#' largest loadings (`by = "loading"`). For each set, a one-sided Fisher's exact
#' test checks whether the set contains more of these genes than expected by
#' chance. Only genes of the `background` count, both in the sets and among the
#' top genes. By default the background is the path's own features, because no
#' other gene could have been found. A wider background gives p-values that are
#' too small.
#'
#' `method = "ranked"` uses the whole ranking without a cut-off. It runs a gene
#' set enrichment analysis on the scores (or the loadings) with the package
#' fgsea, which must be installed. Its permutations are the same in every call.
#'
#' p-values are adjusted over all factors and sets of the call (Benjamini and
#' Hochberg). Factors and tests use the same cells, and genes are not
#' independent: use them to rank sets, not as proof.
#'
#' @inheritParams factor_markers
#' @param sets Gene sets: a named list of character vectors, or the name of a
#'   file in GMT format (one line per set: name, description and genes,
#'   separated by tabs; may be gzipped).
#' @param method `"overlap"` or `"ranked"`.
#' @param n Top genes per factor for `method = "overlap"`.
#' @param background Names of all genes that count; `NULL` means the features of
#'   the path, under the names shown.
#' @param size Two numbers: sets with fewer genes in the background than the
#'   first, or more than the second, are left out.
#' @return A data frame of class `factor_enrichment`, best first within a
#'   factor: `t`, `factor`, `set`, `size` (genes of the set in the background),
#'   then for `"overlap"` `overlap`, `expected` (by chance), `odds_ratio` (of
#'   the sample), for `"ranked"` `es` and `nes` (enrichment score, and
#'   normalised); `p`, `p_adjusted`, `features` (the overlap, or the leading
#'   edge). It has a `print()` method, and `plot()` shows the best sets of every
#'   factor.
#' @references Subramanian et al. (2005) Gene set enrichment analysis. PNAS 102,
#'   15545-15550.
#' @seealso [factor_markers()]
#' @examples
#' data(pbmc_sorted)
#' x <- normalize_counts(pbmc_sorted$counts)
#' path <- pnmf(x, rank = 8, scales = 4, control = pnmf_control(max_outer = 10, tol = 0))
#' sets <- list(
#'     "B cell" = c("CD79A", "CD79B", "MS4A1", "TCL1A", "CD74", "HLA-DRA"),
#'     "NK cell" = c("GNLY", "NKG7", "GZMB", "PRF1", "KLRF1", "CLIC3"),
#'     "monocyte" = c("S100A8", "S100A9", "LYZ", "CD14", "FCN1", "CST3"),
#'     "T cell" = c("CD3D", "CD3E", "CD3G", "IL7R", "LTB", "CD27")
#' )
#' found <- factor_enrichment(path, sets, x = x, size = c(3, 500))
#' found
#' plot(found)
#' @export
factor_enrichment <- function(path, sets, t = NULL, method = c("overlap", "ranked"), by = c("score", "loading"),
                              n = 50, factors = NULL, background = NULL, size = c(5, 500), x = NULL,
                              swap_rownames = NULL, reduction = NULL) {
    object <- path
    path <- as_path(object, reduction)
    t <- chosen_scale(t, path)
    method <- assert_choice(method, c("overlap", "ranked"), "method")
    by <- assert_choice(by, c("score", "loading"), "by")
    n <- assert_count(n, "n")
    factors <- chosen_factors(factors, path)
    names <- displayed_names(object, path, swap_rownames, reduction)
    background <- assert_background(background, names)
    sets <- sets_in_background(read_gene_sets(sets), background, size)
    if (by == "score") x <- path_data(object, path, x, reduction, "by = \"score\"")
    rankings <- factor_rankings(path, t, factors, by, x, names, background)
    table <- if (method == "overlap") {
        overlap_table(rankings, sets, n, length(background))
    } else {
        ranked_table(rankings, sets)
    }
    new_enrichment(table, t, method, by, n, background, sets)
}

new_enrichment <- function(table, t, method, by, n, background, sets) {
    table$p_adjusted <- stats::p.adjust(table$p, "BH")
    table <- table[order(table$factor, table$p, table$set), , drop = FALSE]
    last <- c("p", "p_adjusted", "features")
    table <- cbind(t = rep(t, nrow(table)), table[setdiff(names(table), last)], table[last])
    rownames(table) <- NULL
    structure(table, class = c("factor_enrichment", "data.frame"), method = method, by = by, n = n,
              background = length(background), sets = length(sets))
}

# A named list of character vectors, from a list or a GMT file.
read_gene_sets <- function(sets) {
    if (is.character(sets) && length(sets) == 1L && is.null(names(sets))) sets <- read_gmt(sets)
    valid <- is.list(sets) && length(sets) > 0L && !is.null(names(sets)) && all(nzchar(names(sets))) &&
        all(vapply(sets, function(set) is.character(set) || is.factor(set), logical(1)))
    if (!valid) {
        stop_pnmf("'sets' must be a named list of character vectors or the name of a GMT file, not ", describe(sets))
    }
    if (anyDuplicated(names(sets))) {
        stop_pnmf("'sets' must have unique names, but '", names(sets)[duplicated(names(sets))][1], "' appears twice")
    }
    lapply(sets, function(set) {
        set <- unique(as.character(set))
        set[!is.na(set) & nzchar(set)]
    })
}

read_gmt <- function(file) {
    if (!file.exists(file) || dir.exists(file)) {
        stop_pnmf("'sets' must be a named list or an existing GMT file, not ", describe(file))
    }
    lines <- tryCatch(readLines(file, warn = FALSE), error = function(e) {
        stop_pnmf("'sets' cannot be read: ", conditionMessage(e))
    })
    lines <- lines[nzchar(trimws(lines))]
    fields <- strsplit(lines, "\t", fixed = TRUE)
    short <- which(lengths(fields) < 3L)
    if (length(lines) == 0L || length(short) > 0L) {
        stop_pnmf("'sets' must be a GMT file, whose lines hold a name, a description and genes, separated by ",
                  "tabs, but ", if (length(lines) == 0L) "it is empty" else paste0("line ", short[1], " does not"))
    }
    stats::setNames(lapply(fields, function(line) trimws(line[-c(1L, 2L)])), vapply(fields, `[`, "", 1L))
}

sets_in_background <- function(sets, background, size) {
    whole <- is.numeric(size) && length(size) == 2L && !anyNA(size) && all(size == round(size))
    if (!whole || size[1] < 1 || size[2] < size[1]) {
        stop_pnmf("'size' must be two whole numbers, the least and the most genes of a set, not ", describe(size))
    }
    inside <- lapply(sets, intersect, background)
    if (all(lengths(inside) == 0L)) {
        stop_pnmf("'sets' must contain genes of the background, but has none of them: the first gene of the sets is '",
                  unlist(sets)[1], "', that of the background '", background[1], "'; use 'swap_rownames' for other ",
                  "feature names")
    }
    kept <- inside[lengths(inside) >= size[1] & lengths(inside) <= size[2]]
    if (length(kept) == 0L) {
        stop_pnmf("'sets' must have a set with ", size[1], " to ", size[2], " genes in the background, but their ",
                  "sizes are ", min(lengths(inside)), " to ", max(lengths(inside)), ": change 'size'")
    }
    kept
}

# One decreasing named vector per factor, of the path's genes in the background.
factor_rankings <- function(path, t, factors, by, x, names, background) {
    if (by == "score") {
        scores <- marker_scores(x, embedding(path, t))
        factors <- used_factors(factors, scores$used, t)
        values <- loaded_scores(scores$score, unname(loading(path, t))[, scores$used, drop = FALSE])
        values <- values[, match(factors, scores$used), drop = FALSE]
    } else {
        values <- loading(path, t)[, factors, drop = FALSE]
    }
    rankings <- lapply(seq_along(factors), function(j) {
        value <- stats::setNames(values[, j], names)
        value <- value[!is.na(value) & names %in% background]
        value[order(-value)]
    })
    stats::setNames(rankings, factors)
}

# P(overlap or more) of a hypergeometric draw: Fisher's exact test, one-sided. Genes without a positive value are never
# among the top ones.
overlap_table <- function(rankings, sets, n, n_background) {
    size <- unname(lengths(sets))
    rows <- lapply(names(rankings), function(j) {
        ranking <- rankings[[j]]
        top <- names(utils::head(ranking[ranking > 0], n))
        shared <- lapply(sets, function(set) top[top %in% set])
        k <- unname(lengths(shared))
        data.frame(
            factor = as.integer(j), set = names(sets), size = size, overlap = k,
            expected = size * length(top) / n_background,
            odds_ratio = k * (n_background - size - length(top) + k) / ((size - k) * (length(top) - k)),
            p = stats::phyper(k - 1, size, n_background - size, length(top), lower.tail = FALSE),
            features = vapply(shared, paste, "", collapse = " ", USE.NAMES = FALSE)
        )
    })
    do.call(rbind, rows)
}

ranked_table <- function(rankings, sets) {
    assert_installed("fgsea", "method = \"ranked\"")
    rows <- lapply(names(rankings), function(j) {
        ranking <- rankings[[j]]
        kind <- if (all(ranking >= 0)) "pos" else "std"
        found <- with_random_state(NULL, fgsea::fgsea(
            pathways = sets, stats = ranking, minSize = 1, maxSize = Inf, scoreType = kind,
            BPPARAM = BiocParallel::SerialParam()
        ))
        data.frame(factor = rep(as.integer(j), nrow(found)), set = found$pathway, size = found$size, es = found$ES,
                   nes = found$NES, p = found$pval,
                   features = vapply(found$leadingEdge, paste, "", collapse = " "))
    })
    do.call(rbind, rows)
}

#' @rdname factor_enrichment
#' @param ... Not used.
#' @export
print.factor_enrichment <- function(x, n = 3, ...) {
    n <- assert_count(n, "n")
    method <- attr(x, "method")
    # A subset of rows or columns is printed as a plain table.
    if (is.null(method) || !all(c("factor", "set", "p", "p_adjusted", "features") %in% names(x))) {
        return(invisible(print(as.data.frame(x))))
    }
    test <- if (method == "overlap") {
        sprintf("Fisher's exact test of the top %d genes by %s", attr(x, "n"), attr(x, "by"))
    } else {
        sprintf("gene set enrichment analysis of all genes by %s", attr(x, "by"))
    }
    best <- as.data.frame(x)[stats::ave(seq_len(nrow(x)), x$factor, FUN = seq_along) <= n & x$p < 0.5, ]
    best <- best[setdiff(names(best), c("t", "odds_ratio", "es"))]
    best$features <- cut_text(best$features, 40L)
    writeLines(c(
        sprintf("factor_enrichment: %s at scale %d, %s, background of %s",
                counted(length(unique(x$factor)), "factor"), x$t[1], counted(attr(x, "sets"), "set"),
                counted(attr(x, "background"), "gene")),
        paste0(test, ", p adjusted over all tests"),
        sprintf("the best sets of every factor, at most %d, with p below 0.5:", n)
    ))
    print(best, digits = 3, row.names = FALSE)
    invisible(x)
}

cut_text <- function(text, width) ifelse(nchar(text) > width, paste0(substr(text, 1L, width - 3L), "..."), text)

#' @rdname factor_enrichment
#' @param row.names,optional As in [as.data.frame()].
#' @export
# nolint start: object_name_linter.
as.data.frame.factor_enrichment <- function(x, row.names = NULL, optional = FALSE, ...) {
    # nolint end
    for (name in c("method", "by", "n", "background", "sets")) attr(x, name) <- NULL
    class(x) <- "data.frame"
    as.data.frame(x, row.names = row.names, optional = optional)
}

assert_background <- function(background, names) {
    if (is.null(background)) return(unique(names))
    if (!is.character(background) || length(background) == 0L || anyNA(background)) {
        stop_pnmf("'background' must be names of genes or NULL, not ", describe(background))
    }
    if (!any(names %in% background)) {
        stop_pnmf("'background' must contain genes of the path, but has none of its ", length(names), " genes (the ",
                  "first is '", names[1], "')")
    }
    unique(background)
}
