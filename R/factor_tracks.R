#' Follow gene programs along the path
#'
#' Matches the factors of each scale with those of the next, says how similar
#' they are, and finds where programs merge or split. Use it to read a factor
#' across scales: a track that runs unchanged from the finest to a coarse scale
#' is a program that does not depend on the scale.
#'
#' @details
#' The columns of each basis are scaled to unit length, and their mean over the
#' factors is subtracted. The rest describes how a factor differs from the
#' average factor, without the genes that all programs share. The similarity of
#' two factors is the cosine between these differences (or between the columns
#' themselves, if there is only one factor).
#'
#' Factors of neighbouring scales are matched one to one so that the sum of
#' similarities is largest (the assignment problem, [clue::solve_LSAP()]). A
#' match below `min_similarity` ends a track, and a new one begins. Two tracks
#' *merge* at the scale where their similarity reaches `alike`. They *split*
#' where it falls below `alike` again. Merged tracks share most of their weights,
#' but [factor_markers()] may still find genes that tell them apart. A program
#' *ends* at the first scale at which its weight is below a hundredth of the mean
#' weight: the model has no more use for it.
#'
#' @param path A [pNMFPath-class] with at least two scales, or a Seurat object
#'   or SingleCellExperiment that contains one.
#' @param at Scales to follow, ascending; `NULL` means all.
#' @param min_similarity Below this similarity a track ends.
#' @param alike Tracks at least this similar at a scale count as merged.
#' @param x A `factor_tracks` object.
#' @param stability `NULL`, or a [program_stability()] result, to mark programs
#'   without genes of their own: print and plot show them last and in grey.
#' @param swap_rownames,reduction As in [factor_markers()].
#' @return An object of class `factor_tracks`, a list:
#'   * `tracks`: data frame with one row per track: `track`, `first` and `last`
#'     (scales), `factor` (its number at scale `first`), `stability` (mean
#'     similarity from scale to scale), `weakest` (the smallest), `weight` (mean
#'     share of the fit), `supported` (at least at half of its scales, `NA`
#'     without `stability`), `features` (those that best distinguish it from the
#'     average factor at scale `first`);
#'   * `factors`: data frame with one row per scale and factor: `t`, `factor`,
#'     `track`, `similarity` (to the previous scale, `NA` at the first),
#'     `weight`, `group` (tracks that are alike, directly or through
#'     others, have the same number), `supported` (`NA` without `stability`);
#'   * `events`: data frame `t`, `event` (`"merge"`, `"split"`, `"end"`),
#'     `track`, `other`, `similarity` (the last two `NA` for `"end"`).
#'
#'   It has a `print()` method. `as.data.frame()` returns the tracks. `plot()`
#'   draws one line per track; tracks of one group run together.
#' @seealso [program_stability()], [factor_markers()], [factor_enrichment()]
#' @examples
#' data(pbmc_sorted)
#' x <- normalize_counts(pbmc_sorted$counts)[, 1:300]
#' path <- pnmf(x, rank = 6, scales = 6, control = pnmf_control(max_outer = 10, tol = 0))
#' tracks <- factor_tracks(path)
#' tracks
#' tracks$events
#' plot(tracks)
#' @export
factor_tracks <- function(path, at = NULL, min_similarity = 0.5, alike = 0.8, stability = NULL, swap_rownames = NULL,
                          reduction = NULL, ...) {
    object <- path
    path <- as_path(object, reduction)
    names <- displayed_names(object, path, swap_rownames, reduction)
    scales <- chosen_scales(path, several_scales(at, ...))
    if (length(scales) < 2L) {
        stop_pnmf("'at' must be at least two scales to follow factors along, not ", length(scales))
    }
    min_similarity <- assert_number(min_similarity, "min_similarity", min = 0, max = 1)
    alike <- assert_number(alike, "alike", min = 0, max = 1)
    bases <- lapply(scales, function(t) distinct_columns(unname(loading(path, t))))
    factors <- followed_factors(path, scales, bases, min_similarity)
    groups <- lapply(seq_along(scales), function(i) alike_groups(crossprod(bases[[i]]), alike))
    factors$group <- unlist(lapply(seq_along(scales), function(i) {
        # A group has the number of its first track.
        own <- factors$track[factors$t == scales[i]]
        stats::ave(own, groups[[i]], FUN = min)
    }))
    factors$supported <- known_support(stability, factors$factor, factors$t, n_factors(path))
    structure(
        list(tracks = track_table(names, factors, bases, scales), factors = factors,
             events = all_events(factors, bases, scales, alike)),
        class = "factor_tracks"
    )
}

# Columns of unit length, minus their mean, scaled to unit length again; a factor without loadings stays 0.
distinct_columns <- function(W) {
    W <- unit_columns(W)
    if (ncol(W) > 1L) W <- unit_columns(W - rowMeans(W))
    W
}

followed_factors <- function(path, scales, bases, min_similarity) {
    rank <- n_factors(path)
    track <- seq_len(rank)
    latest <- rank
    rows <- vector("list", length(scales))
    similarity <- rep(NA_real_, rank)
    for (i in seq_along(scales)) {
        if (i > 1L) {
            match <- matched_columns(bases[[i]], bases[[i - 1L]])
            similarity <- match$similarity
            track <- track[match$partner]
            lost <- similarity < min_similarity
            track[lost] <- latest + seq_len(sum(lost))
            latest <- latest + sum(lost)
        }
        weight <- factor_weights(path, scales[i])
        rows[[i]] <- data.frame(t = scales[i], factor = seq_len(rank), track = track, similarity = similarity,
                                weight = unname(weight) / max(sum(weight), 1e-300))
    }
    do.call(rbind, rows)
}

# Factors of the first scale x scales: the number of the same program at every scale.
factor_numbers <- function(path, scales) {
    bases <- lapply(scales, function(t) distinct_columns(unname(loading(path, t))))
    numbers <- matrix(seq_len(n_factors(path)), n_factors(path), length(scales))
    for (i in seq_along(scales)[-1]) {
        numbers[, i] <- matched_columns(bases[[i - 1L]], bases[[i]])$partner[numbers[, i - 1L]]
    }
    numbers
}

# Connected groups of factors whose similarity reaches `alike`.
alike_groups <- function(similarity, alike) {
    pairs <- which(similarity >= alike & upper.tri(similarity), arr.ind = TRUE)
    edge_components(pairs[, 1], pairs[, 2], nrow(similarity))
}

track_table <- function(names, factors, bases, scales) {
    by_track <- split(factors, factors$track)
    rows <- lapply(by_track, function(own) {
        links <- own$similarity[-1]
        first <- own[1, ]
        specific <- bases[[match(first$t, scales)]][, first$factor]
        top <- utils::head(order(-specific), 5L)
        data.frame(
            track = first$track, first = first$t, last = own$t[nrow(own)], factor = first$factor,
            stability = if (length(links) > 0L) mean(links) else NA_real_,
            weakest = if (length(links) > 0L) min(links) else NA_real_,
            weight = mean(own$weight), supported = mean(own$supported) >= 0.5,
            features = paste(names[top], collapse = " ")
        )
    })
    table <- do.call(rbind, rows)
    rownames(table) <- NULL
    table
}

all_events <- function(factors, bases, scales, alike) {
    events <- rbind(track_events(factors, bases, scales, alike), track_ends(factors))
    events[order(events$t), , drop = FALSE]
}

# Whether a program has at least a hundredth of the mean weight.
has_weight <- function(factors) factors$weight >= 0.01 / length(unique(factors$factor))

# The first scale at which a program of some weight has lost it.
track_ends <- function(factors) {
    alive <- has_weight(factors)
    first <- vapply(split(seq_along(alive), factors$track), function(rows) {
        lost <- which(!alive[rows][-1] & alive[rows][-length(rows)])
        if (length(lost) == 0L) NA_integer_ else rows[lost[1] + 1L]
    }, integer(1))
    first <- first[!is.na(first)]
    data.frame(t = factors$t[first], event = rep("end", length(first)), track = factors$track[first],
               other = rep(NA_integer_, length(first)), similarity = rep(NA_real_, length(first)))
}

# Pairs of tracks that are alike at one scale but not at the previous one (merge), or vice versa (split). Tracks that
# share a group only because both are like a third one never merged, and one that has ended does not split.
track_events <- function(factors, bases, scales, alike) {
    none <- data.frame(t = integer(0), event = character(0), track = integer(0), other = integer(0),
                       similarity = numeric(0))
    rows <- lapply(seq_along(scales)[-1], function(i) {
        now <- factors[factors$t == scales[i], ]
        before <- factors[factors$t == scales[i - 1L], ]
        kept <- now$track[now$track %in% before$track & has_weight(now)]
        if (length(kept) < 2L) return(none)
        pairs <- utils::combn(sort(kept), 2L)
        similarity <- pair_similarities(now, bases[[i]], pairs)
        merged <- similarity >= alike
        changed <- which(merged != (pair_similarities(before, bases[[i - 1L]], pairs) >= alike))
        data.frame(t = rep(scales[i], length(changed)), event = ifelse(merged[changed], "merge", "split"),
                   track = pairs[1, changed], other = pairs[2, changed], similarity = similarity[changed])
    })
    do.call(rbind, c(list(none), rows))
}

# Of pairs of tracks (2 x pairs) at a scale, whose factors are the columns of the basis.
pair_similarities <- function(factors, basis, pairs) {
    place <- matrix(match(pairs, factors$track), nrow = 2L)
    colSums(basis[, place[1L, ], drop = FALSE] * basis[, place[2L, ], drop = FALSE])
}

#' @rdname factor_tracks
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Not used.
#' @export
# nolint start: object_name_linter.
as.data.frame.factor_tracks <- function(x, row.names = NULL, optional = FALSE, ...) {
    # nolint end
    as.data.frame(x$tracks, row.names = row.names, optional = optional)
}

#' @rdname factor_tracks
#' @export
print.factor_tracks <- function(x, ...) {
    tracks <- x$tracks
    scales <- range(x$factors$t)
    whole <- sum(tracks$first == scales[1] & tracks$last == scales[2])
    unsupported <- tracks$supported %in% FALSE
    tracks <- tracks[order(unsupported, -tracks$stability, na.last = TRUE), ]
    shown <- utils::head(tracks, 10L)
    writeLines(c(
        sprintf("factor_tracks: %d tracks over %d scales (%d to %d), %d from end to end", nrow(tracks),
                length(unique(x$factors$t)), scales[1], scales[2], whole),
        event_line(x$events),
        if (any(unsupported)) sprintf("not supported: %d tracks, listed last", sum(unsupported)),
        sprintf("track %d, scales %d to %d, stability %.2f%s: %s", shown$track, shown$first, shown$last,
                shown$stability, ifelse(shown$supported %in% FALSE, ", not supported", ""), shown$features),
        if (nrow(tracks) > 10L) sprintf("and %d more", nrow(tracks) - 10L),
        "use: plot(x), as.data.frame(x), x$events"
    ))
    invisible(x)
}

# Such as: events: 2 merges (tracks 1 + 10 at scale 12, ...), 0 splits, 0 ends.
event_line <- function(events) {
    count <- function(kind) counted(sum(events$event == kind), kind)
    merged <- events[events$event == "merge", ]
    which <- sprintf("%d + %d at scale %d", merged$track, merged$other, merged$t)
    if (length(which) > 3L) which <- c(utils::head(which, 3L), "...")
    paste0("events: ", count("merge"), if (length(which) > 0L) paste0(" (", paste(which, collapse = ", "), ")"), ", ",
           count("split"), ", ", count("end"))
}
