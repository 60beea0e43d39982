# Shared by RunPNMF() and runPNMF(), which take data out of a container and call pnmf().

# x: features x cells. coordinates: cells x dimensions for the distances, or NULL for x itself; `space_name` is their
# name in errors. Further arguments are passed to pnmf().
container_fit <- function(x, rank, n_scales, coordinates = NULL, space_name = "space", scales = NULL, ...) {
    if (is.null(scales)) {
        # There are never more canonical scales than cells.
        scales <- if (!is.null(n_scales)) min(n_scales, ncol(x))
    } else if (!is.null(coordinates)) {
        stop_pnmf("'scales' must be NULL when distances are measured in a reduction: it already defines them")
    }
    if (!is.null(coordinates)) coordinates <- t(cells_in_coordinates(coordinates, x, space_name))
    pnmf(x, rank = rank, scales = scales, space = coordinates, ...)
}

# Whether the further arguments of a fit leave open where distances are measured.
leaves_distances_open <- function(..., scales = NULL, solver = "hals") is.null(scales) && identical(solver[1], "hals")

# The first principal components of the object, cells x dimensions.
own_components <- function(components, verbose = TRUE) {
    if (is.null(components) || nrow(components) < 2L) return(NULL)
    components <- components[, seq_len(min(ncol(components), default_components)), drop = FALSE]
    if (verbose) inform_pnmf("pnmf: using the object's own principal components")
    components
}

# `space` and the older argument of the host mean the same. Returns the one that was given, as list(given, name).
one_space <- function(space, earlier, earlier_name) {
    if (is.null(space)) return(list(given = earlier, name = earlier_name))
    if (!is.null(earlier)) {
        stop_pnmf("'", earlier_name, "' must be NULL when 'space' is given: they are two names for one argument")
    }
    list(given = space, name = "space")
}

# cells x dimensions, restricted to `dims` (positions, or NULL for all).
chosen_dimensions <- function(coordinates, name, dims, dims_name) {
    if (length(dim(coordinates)) != 2L) {
        stop_pnmf("'", name, "' must be the name of a reduction or a matrix, cells x dimensions, not ",
                  describe(coordinates))
    }
    if (is.null(dims)) return(coordinates)
    coordinates[, assert_indices(dims, dims_name, ncol(coordinates)), drop = FALSE]
}

# In memory, or still on disk if pnmf() would read it in blocks.
container_data <- function(data, name, memory) {
    if (is_on_disk(data) && exceeds_memory(data, name, memory)) return(data)
    as_data_matrix(data, name)
}

# The memory that pnmf() may take with these further arguments.
fit_memory <- function(control = pnmf_control(), ...) {
    if (inherits(control, "pnmf_control")) control$memory else Inf
}
