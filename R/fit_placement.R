# What a fit keeps with its scales so that new cells can be placed among its cells, and compared with them.

# Neighbours whose mean says what a cell should look like, and the number of cells that say how well it usually does.
score_neighbors <- 7L
max_typical_cells <- 1000L

# Fields of scales$placement:
#   rotation, center, variable   of the principal components, see principal_components()
#   coordinates        dimensions x cells on these components, if the distances were measured elsewhere
#   map                (1 + components) x dimensions: the linear map from components to the space of the distances, if
#                      that is neither the components nor the features
#   noise              of every feature, see surprise()
#   typical            the surprise of cells of the fit, ascending
with_placement <- function(scales, x, threads) {
    if (is_streamed(x) && is.null(scales$rotation)) return(scales)
    components <- if (is.null(scales$rotation)) {
        principal_components(x, default_components, threads)
    } else {
        c(scales[component_fields], list(coordinates = scales$coordinates))
    }
    placement <- components[component_fields]
    if (is.null(scales$rotation)) {
        placement$coordinates <- unname(components$coordinates)
        if (!isTRUE(scales$measured_on == "features") && !is.null(scales$coordinates)) {
            map <- stats::lm.fit(cbind(1, t(components$coordinates)), t(scales$coordinates))$coefficients
            placement$map <- replace(map, is.na(map), 0)
        }
    }
    if (!is_streamed(x)) placement <- c(placement, usual_surprise(x, components, threads))
    scales[component_fields] <- NULL
    scales$placement <- placement
    scales
}

# Cells as they are and as the means of their neighbours, at unit length: x / |x| - p / |p|, features x cells.
#   near: cells x neighbours, positions in `coordinates`
differences <- function(x, components, near) {
    middle <- 0
    for (k in seq_len(ncol(near))) middle <- middle + components$coordinates[, near[, k], drop = FALSE]
    expected <- components$rotation %*% (middle / ncol(near)) + components$center
    unit_length(as.matrix(x)) - unit_length(expected)
}

unit_length <- function(x) x / rep(pmax(sqrt(colSums(x^2)), .Machine$double.xmin), each = nrow(x))

# How unlike the cells near it a cell is: the mean over features of (x / |x| - p / |p|)^2 / noise. A feature that hardly
# varies among the cells of the fit, as the markers of types that are not among them, counts for much.
#   squares: of the differences
surprise <- function(squares, noise) colMeans(squares / noise)

# Of some cells of the fit, each left out of the noise that it is compared with. The floor of the noise is for features
# that no cell has.
usual_surprise <- function(x, components, threads) {
    n <- ncol(x)
    some <- unique(round(seq(1, n, length.out = min(n, max_typical_cells))))
    if (length(some) < 3L) return(NULL)
    near <- other_neighbors(components$coordinates, some, score_neighbors, threads)
    leverage <- 1 / n + colSums((components$coordinates[, some, drop = FALSE] / component_lengths(components))^2)
    of_block <- function(block) {
        kept <- 1 - pmin(leverage[block], 0.9)
        difference <- differences(x[, some[block], drop = FALSE], components, near[block, , drop = FALSE])
        difference / rep(kept, each = nrow(x))
    }
    squares <- lapply(split(seq_along(some), (seq_along(some) - 1L) %/% 100L), function(block) of_block(block)^2)
    total <- Reduce(`+`, lapply(squares, rowSums))
    floor <- max(0.003 * mean(total) / length(some), .Machine$double.xmin)
    typical <- lapply(squares, function(square) {
        surprise(square, pmax(total - square, 0) / (length(some) - 1) + floor)
    })
    list(noise = unname(total) / length(some) + floor, typical = sort(unlist(typical, use.names = FALSE)))
}

component_lengths <- function(components) {
    length <- sqrt(rowSums(components$coordinates^2))
    ifelse(length > 1e-7 * max(length), length, Inf)
}

# The nearest k other cells of some cells: cells x k.
other_neighbors <- function(coordinates, cells, k, threads = default_threads()) {
    points <- t(coordinates)
    k <- min(k, nrow(points) - 1L)
    found <- query_neighbors(points, points[cells, , drop = FALSE], k + 1L, threads)$index
    # The cell itself, or the last of many duplicates.
    own <- max.col(cbind(found == cells, TRUE), ties.method = "first")
    own <- pmin(own, k + 1L)
    matrix(t(found)[t(col(found) != own)], nrow(found), k, byrow = TRUE)
}

# index and distance, cells x k, nearest first. points, query: cells x dimensions
query_neighbors <- function(points, query, k, threads = default_threads()) {
    query_neighbors_cpp(t(unname(points)), t(unname(query)), k, threads)
}
