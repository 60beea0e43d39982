# The place of new cells on a path: the model's own problem for a cell, with everything else held fixed. A cell sees its
# features, its neighbours among the cells of the path, and itself at the neighbouring scales.

# Cells this close, compared with the spread of the cells, are the same cell.
same_cell_distance <- 1e-6

# newdata: the features known$features of the path. Returns list(H: rank x cells at scale t, score)
placed_cells <- function(path, newdata, known, t, threads, score) {
    pieces <- split(seq_len(ncol(newdata)), (seq_len(ncol(newdata)) - 1L) %/% 2000L)
    step <- progress_steps("placing new cells", length(pieces), at_once = has_many_cells(newdata))
    bases <- lapply(seq_len(n_scales(path)), function(t) unname(loading(path, t))[known$features, , drop = FALSE])
    placed <- lapply(pieces, function(piece) {
        step(place_piece(path, bases, newdata[, piece, drop = FALSE], known$features, t, threads, score))
    })
    list(H = do.call(cbind, unname(lapply(placed, `[[`, "H"))),
         score = unlist(lapply(placed, `[[`, "score"), use.names = FALSE))
}

place_piece <- function(path, bases, x, features, t, threads, score) {
    places <- new_places(path@scales, x, features)
    twin <- twins(places)
    H <- matrix(0, n_factors(path), ncol(x))
    known <- !is.na(twin)
    if (any(known)) H[, known] <- scale_embedding(path, t, twin[known])
    if (!all(known)) {
        x_new <- x[, !known, drop = FALSE]
        edges <- if (is_hals(path)) edges_to_new(path, x_new, features, subset_places(places, !known))
        H[, !known] <- solved_scales(path, bases, x_new, edges, t, threads)
    }
    list(H = H, score = if (score) cell_scores(path@scales$placement, x, features, places))
}

is_hals <- function(path) identical(path@parameters$solver, "hals")

# Where new cells are on the principal components of the path: own and reference coordinates, dimensions x cells. A
# feature that new cells lack counts as its mean.
new_places <- function(scales, x, features) {
    placement <- scales$placement
    if (is.null(placement)) return(NULL)
    if (!is.null(placement$variable) && !any(features %in% placement$variable)) {
        stop_pnmf("'newdata' must have features that vary among the cells of the path, but has none of these")
    }
    list(own = component_coordinates(x, placement, 1L, features), reference = reference_coordinates(scales))
}

reference_coordinates <- function(scales) {
    if (is.null(scales$placement$coordinates)) scales$coordinates else scales$placement$coordinates
}

subset_places <- function(places, cells) {
    if (is.null(places)) return(NULL)
    places$own <- places$own[, cells, drop = FALSE]
    places
}

# The cell of the path that each new cell is, or NA.
twins <- function(places) {
    if (is.null(places)) return(NA_integer_)
    nearest <- query_neighbors(t(places$reference), t(places$own), 1L)
    spread <- sqrt(sum(places$reference^2) / ncol(places$reference))
    ifelse(nearest$distance[, 1L] <= same_cell_distance * spread, nearest$index[, 1L], NA_integer_)
}

# min over all scales of a cell; see PlacementProblem in the core. Other solvers than "hals" scale their factors at the
# end, so that the penalties no longer apply: their cells are projected onto the basis of one scale.
solved_scales <- function(path, bases, x, edges, t, threads) {
    if (!is_hals(path)) return(project_cells_cpp(x, bases[[t]], 20000L, 1e-10, threads))
    p <- path@parameters
    scales <- path@scales
    graphs <- lapply(seq_along(bases), function(t) new_cell_graph(edges, scales, t, p$alpha, ncol(x)))
    r <- Map(function(W, graph, t) {
        basis_product_cpp(x, W, threads) + p$lambda_graph * neighbor_sum(path, t, graph)
    }, bases, graphs, seq_along(bases))
    degree <- vapply(graphs, Matrix::colSums, numeric(ncol(x)))
    c <- p$lambda_graph * t(matrix(degree, ncol(x))) + p$lambda_anchor
    ones <- rep(1, length(bases))
    weight <- if (is.null(scales$weight)) ones else scales$weight
    gap <- if (is.null(scales$gap)) ones else scales$gap
    place_cells_cpp(r, lapply(bases, crossprod), c, weight, p$lambda_smooth / gap, 2000L, 1e-7, threads)[[t]]
}

# sum_j A_ij h_j:  rank x new cells
neighbor_sum <- function(path, t, graph) {
    used <- which(Matrix::rowSums(graph) > 0)
    if (length(used) == 0L) return(0)
    as.matrix(scale_embedding(path, t, used) %*% graph[used, , drop = FALSE])
}

# Weights between the path's cells and the new ones at a scale: cells x new cells.
new_cell_graph <- function(edges, scales, t, alpha, n_new) {
    shape <- c(scales$n_cells, n_new)
    below <- which(edges$length < scales$threshold[t])
    if (length(below) == 0L) return(Matrix::sparseMatrix(i = integer(), j = integer(), x = numeric(), dims = shape))
    Matrix::sparseMatrix(i = edges$i[below], j = edges$j[below], dims = shape,
                         x = edge_weights(edges$length[below], scales$threshold[t], alpha))
}

# The edges that a cell at the place of each new cell would have had in the fit: to its nearest neighbours, and to cells
# that would count it among theirs. i: cell of the path, j: new cell. NULL if the space of the distances is not known.
edges_to_new <- function(path, x, features, places) {
    scales <- path@scales
    points <- points_of_distances(path, x, features, places)
    if (is.null(points)) return(NULL)
    full <- scales$graph == "full"
    k <- if (full) scales$n_cells else min(3L * scales$n_neighbors, scales$n_cells)
    found <- query_neighbors(t(points$reference), t(points$own), k)
    i <- as.vector(found$index)
    j <- as.vector(row(found$index))
    d <- as.vector(found$distance)
    kept <- full | as.vector(col(found$index)) <= scales$n_neighbors | d < scales$radius[i]
    length <- metric_length(scales, d, i, own_scale(scales, found$distance)[j])
    kept <- kept & length < max(scales$threshold)
    list(i = i[kept], j = j[kept], length = length[kept])
}

# Coordinates of the path's and of the new cells where distances were measured, dimensions x cells.
points_of_distances <- function(path, x, features, places) {
    scales <- path@scales
    points <- if (isTRUE(scales$measured_on == "features")) {
        reference <- if (is.null(scales$coordinates)) path@data else scales$coordinates
        if (!is.null(reference)) {
            list(own = as.matrix(x), reference = as.matrix(reference)[features, , drop = FALSE])
        }
    } else if (!is.null(scales$placement$map)) {
        list(own = crossprod(scales$placement$map, rbind(1, places$own)), reference = scales$coordinates)
    } else if (!is.null(places) && is.null(scales$placement$coordinates)) {
        places
    }
    if (is.null(points) || scales$metric != "cosine") return(points)
    lapply(points, unit_length)
}

# Distance of a new cell to its 7th neighbour, as local_scales() has it for the cells of the path.
own_scale <- function(scales, distance) {
    s <- distance[, min(local_scale_neighbor, ncol(distance))]
    if (is.null(scales$local_scale)) s else pmax(s, min(scales$local_scale))
}

# Euclidean distances d between the path's cells i and new cells with local scales s, in the metric of the path.
metric_length <- function(scales, d, i, s) {
    local <- scales$local_scale
    switch(scales$metric,
        cosine = d^2 / 2, euclidean = d, local = d / sqrt(local[i] * s) * mean(local),
        adaptive = d / pmax(local[i], s) * mean(local)
    )
}

# Share of the cells of the fit that are as unlike their neighbours as the new cell, or more: 0 to 1; 0 for cells
# without values. NA if the path does not know, as after a fit of data on disk.
cell_scores <- function(placement, x, features, places) {
    if (is.null(placement$typical)) return(rep(NA_real_, ncol(x)))
    k <- min(score_neighbors, ncol(places$reference))
    near <- query_neighbors(t(places$reference), t(places$own), k)$index
    components <- list(rotation = placement$rotation[features, , drop = FALSE], center = placement$center[features],
                       coordinates = places$reference)
    blocks <- split(seq_len(ncol(x)), (seq_len(ncol(x)) - 1L) %/% 100L)
    found <- unlist(lapply(blocks, function(block) {
        surprise(differences(x[, block, drop = FALSE], components, near[block, , drop = FALSE])^2,
                 placement$noise[features])
    }), use.names = FALSE)
    typical <- placement$typical
    score <- (1 + length(typical) - findInterval(found, typical, left.open = TRUE)) / (1 + length(typical))
    ifelse(Matrix::colSums(x) == 0, 0, score)
}
