# Shared by RunPNMF() and runPNMF(), which take data out of a container and call pnmf().

# x: features x cells. coordinates: cells x dimensions for the distances, or NULL for x itself. Further arguments are
# passed to pnmf().
container_fit <- function(x, rank, n_scales, coordinates = NULL, scales = NULL, ...) {
    if (is.null(scales)) {
        # There are never more canonical scales than cells.
        scales <- if (!is.null(n_scales)) min(n_scales, ncol(x))
    } else if (!is.null(coordinates)) {
        stop_pnmf("'scales' must be NULL when distances are measured in a reduction: it already defines them")
    }
    pnmf(x, rank = rank, scales = scales, space = coordinates, ...)
}

# Whether the further arguments of a fit leave open where distances are measured.
leaves_distances_open <- function(..., scales = NULL, solver = "hals") is.null(scales) && identical(solver[1], "hals")

# The first principal components of the object, cells x dimensions, marked as its own for the message of pnmf().
own_components <- function(components) {
    if (is.null(components) || nrow(components) < 2L) return(NULL)
    structure(components[, seq_len(min(ncol(components), default_components)), drop = FALSE], own = TRUE)
}

# The call with arguments of version 0.99.1 under their present names, or NULL if it has none.
with_new_names <- function(call, renamed) {
    old <- intersect(names(renamed), names(call))
    if (length(old) == 0L) return(NULL)
    new <- renamed[[old[1]]]
    if (new %in% names(call)) {
        stop_pnmf("'", old[1], "' must be NULL when '", new, "' is given: it is the former name of that argument")
    }
    warn_pnmf("'", old[1], "' is now called '", new, "': the former name will stop working in the next version")
    names(call)[names(call) == old[1]] <- new
    call
}

# cells x dimensions, restricted to `dims` (positions, or NULL for all).
chosen_dimensions <- function(coordinates, dims, dims_name) {
    if (length(dim(coordinates)) != 2L) {
        stop_pnmf("'space' must be the name of a reduction or a matrix, cells x dimensions, not ",
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
