#' Keep some cells of a path
#'
#' Returns a path with only the chosen cells, in the given order, with the same
#' bases and thresholds. Nothing is fitted again.
#'
#' The graphs of the fit are restricted to the remaining cells. The numbers of
#' edges and components and the spanning tree are those of the restricted
#' graphs. With `graph = "full"` (see [persistence_scales()]), they are exactly
#' the graphs of these cells at the same thresholds. With `graph = "knn"`, cells
#' that were only connected through dropped cells may stay apart at every scale.
#' The record of the fit ([objective()], [converged()]) does not change, and
#' [effective_cells()] remain those of all fitted cells.
#'
#' @param path A [pNMFPath-class], or a Seurat object or SingleCellExperiment
#'   that contains one.
#' @param cells Names of cells, their positions (negative positions drop cells),
#'   or one logical value per cell. Each cell may appear at most once.
#' @param reduction Name of the path, if the object holds several.
#' @return A [pNMFPath-class] of these cells.
#' @seealso `path[i]` for a subset of scales
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 4,
#'              control = pnmf_control(max_outer = 5, tol = 0))
#' dim(subset_cells(path, 1:40))
#' dim(subset_cells(path, colnames(path)[c(3, 1)]))
#' @export
subset_cells <- function(path, cells, reduction = NULL) {
    path <- as_path(path, reduction)
    kept <- cell_positions(cells, path@cell_names)
    if (identical(kept, seq_along(path@cell_names))) return(path)
    if (length(kept) < dim(path)[2]) path@parameters$fitted_cells <- fitted_cells(path)
    if (!is.null(path@data)) path@data <- path@data[, kept, drop = FALSE]
    path@parameters$empty_cells <- positions_kept(path@parameters$empty_cells, kept)
    path@H <- lapply(path@H, function(H) H[, kept, drop = FALSE])
    path@cell_names <- path@cell_names[kept]
    path@scales <- scales_of_cells(path@scales, kept)
    validObject(path)
    path
}

# The number of cells that the path was fitted to. A subset has fewer.
fitted_cells <- function(path) {
    n <- path@parameters$fitted_cells
    if (is.null(n)) dim(path)[2] else n
}

# Whether each cell had no positive value in the data of the fit.
empty_cells <- function(path) seq_along(path@cell_names) %in% path@parameters$empty_cells

# Where these positions are among the kept ones; NULL if they are gone.
positions_kept <- function(positions, kept) {
    left <- which(kept %in% positions)
    if (length(left) > 0L) left
}

cell_positions <- function(cells, cell_names) {
    if (missing(cells)) stop_pnmf("'cells' must be names or positions of cells of the path, but is missing")
    if (is.character(cells)) {
        kept <- match(cells, cell_names)
        if (anyNA(kept)) {
            stop_pnmf("'cells' must be cells of the path, but ", sum(is.na(kept)), " of ", length(cells),
                      " are not; the first is '", cells[is.na(kept)][1], "'")
        }
    } else {
        kept <- positions(cells, "cells", length(cell_names))
    }
    if (length(kept) == 0L) stop_pnmf("'cells' must keep at least one cell of the path")
    if (anyDuplicated(kept)) {
        stop_pnmf("'cells' must name each cell once, but '", cell_names[kept[duplicated(kept)][1]], "' is repeated")
    }
    kept
}

# The scales with the graphs restricted to the cells `kept`, renumbered in that order.
scales_of_cells <- function(scales, kept) {
    if (is.null(scales$edges) && !is.null(scales$space)) scales <- with_edges(scales)
    place <- match(seq_len(scales$n_cells), kept)
    renumber <- function(edges) {
        i <- place[edges$i]
        j <- place[edges$j]
        inside <- !is.na(i) & !is.na(j)
        list(i = pmin(i, j)[inside], j = pmax(i, j)[inside], length = edges$length[inside])
    }
    all_kept <- length(kept) == scales$n_cells
    scales$n_cells <- length(kept)
    scales["cell_names"] <- list(scales$cell_names[kept])
    if (!is.null(scales$coordinates)) scales$coordinates <- scales$coordinates[, kept, drop = FALSE]
    if (!is.null(scales$placement$coordinates)) {
        scales$placement$coordinates <- scales$placement$coordinates[, kept, drop = FALSE]
    }
    for (field in c("local_scale", "radius")) scales[[field]] <- scales[[field]][kept]
    if (!is.null(scales$edges)) scales$edges <- renumber(scales$edges)
    if (all_kept) {
        scales$mst <- as.data.frame(renumber(scales$mst))
        return(scales)
    }
    edges <- if (is.null(scales$edges)) renumber(scales$mst) else scales$edges
    scales_on_edges(scales, edges)
}

scales_on_edges <- function(scales, edges) {
    tree <- spanning_forest_cpp(scales$n_cells, edges$i, edges$j)$edges
    scales$mst <- as.data.frame(lapply(edges, `[`, tree))
    counts <- scale_counts(scales$threshold, scales$n_cells, scales$mst$length, edges$length)
    scales[names(counts)] <- counts
    scales
}
