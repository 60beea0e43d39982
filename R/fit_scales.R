# Which scales a fit uses, and in which space and metric the distances between cells are measured.

# Distances between cells with more features than this are measured on principal components.
max_plain_features <- 100L
default_neighbors <- 15L

# Up to this many cells with few features keep all their scales and all pairs, whatever the solver.
max_plain_cells <- 100L

# The solvers of the paper keep all canonical scales up to the first number of cells, and all pairs up to the second.
max_cells_for_all_scales <- 500L
max_cells_for_all_pairs <- 2000L

# Above this many cells, the exact tree and exact neighbours in 50 dimensions take minutes.
max_cells_for_exact_tree <- 50000L

# scales: a persistence_scales object, a number of scales, "paper", or NULL for the default. space: cells x dimensions
# to measure distances in, or NULL. settings: what the caller gave of thin, metric, graph, n_neighbors and coarsest.
scales_for <- function(x, scales, parameters, space = NULL, settings = list()) {
    if (inherits(scales, "persistence_scales")) {
        assert_no_scale_settings(space, settings[setdiff(names(settings), c("alpha", "coarsest"))])
        assert_fits_memory(length(scales$threshold), x, parameters)
        return(assert_same_cells(scales, x))
    }
    plan <- scale_plan(x, scales, parameters$solver, space, settings)
    plan$lambda_graph <- parameters$lambda_graph
    plan$alpha <- parameters$alpha
    found <- planned_scales(plan, x, space, parameters$control)
    assert_fits_memory(length(found$threshold), x, parameters)
    found
}

scale_setting_names <- c("space", "thin", "metric", "graph", "n_neighbors", "alpha")

# The arguments that pnmf() passes to persistence_scales(), as given by the caller.
scale_settings <- function(...) {
    given <- list(...)
    ours <- names(given) %in% scale_setting_names
    if (length(given) > length(ours)) stop_unknown_argument("", pnmf_arguments())
    if (!all(ours)) stop_unknown_argument(names(given)[!ours][1], pnmf_arguments())
    checks <- list(
        thin = function(value) assert_choice(value, thin_choices, "thin"),
        metric = function(value) assert_choice(value, metric_choices, "metric"),
        graph = function(value) assert_choice(value, c("full", "knn"), "graph"),
        n_neighbors = function(value) assert_count(value, "n_neighbors"),
        alpha = function(value) assert_number(value, "alpha", above = 0)
    )
    given <- given[lengths(given) > 0L & names(given) != "space"] # checked where the cells are known
    Map(function(value, name) checks[[name]](value), given, names(given))
}

# How to find the scales: where distances are measured, how many scales, and the settings of persistence_scales().
scale_plan <- function(x, scales, solver, space, settings) {
    paper <- identical(scales, "paper")
    if (!is.null(scales) && !paper) {
        if (!is.numeric(scales)) {
            stop_pnmf("'scales' must be a persistence_scales object, a whole number, \"paper\" or NULL, not ",
                      describe(scales))
        }
        scales <- assert_count(scales, "scales")
    }
    few <- nrow(x) <= max_plain_features
    plain <- paper || solver != "hals" || (few && ncol(x) <= max_plain_cells && is.null(space))
    plan <- list(
        where = if (!is.null(space)) "space" else if (plain || few) "features" else "components",
        n_scales = if (is.numeric(scales)) scales else if (paper) NULL else default_number_of_scales(x, plain)
    )
    defaults <- list(
        thin = if (plain) "betti" else "effective", metric = if (plain) "euclidean" else "adaptive",
        graph = if (plain && (paper || ncol(x) <= max_cells_for_all_pairs)) "full" else "knn",
        n_neighbors = min(default_neighbors, ncol(x) - 1L)
    )
    c(plan, utils::modifyList(defaults, settings))
}

default_number_of_scales <- function(x, plain) {
    if (plain && ncol(x) <= max_cells_for_all_scales) NULL else default_scales
}

planned_scales <- function(plan, x, space, control) {
    threads <- control$threads
    if (plan$where == "features") assert_distances_at_hand(x)
    components <- if (plan$where == "components") principal_points(x, control)
    points <- switch(plan$where,
        space = cells_in_coordinates(space, x), components = components$coordinates, features = x
    )
    tree <- if (plan$graph == "knn") default_tree(ncol(x), control) else "exact"
    all_scales <- found_scales(points, plan$metric, plan$graph, plan$n_neighbors, tree, threads,
                               verbose = control$verbose)
    found <- if (plan$thin == "effective") {
        n_scales <- if (is.null(plan$n_scales)) default_scales else plan$n_scales
        even_scales(all_scales, n_scales, assert_coarsest(plan$coarsest, ncol(x)), plan$lambda_graph, plan$alpha,
                    threads)
    } else {
        thin_scales(all_scales, plan$n_scales, plan$thin)
    }
    found$measured_on <- plan$where
    if (plan$where == "components") found[component_fields] <- components[component_fields]
    found
}

principal_points <- function(x, control) {
    step <- progress_steps("computing components", 1, at_once = has_many_cells(x), control$verbose)
    components <- step(principal_components(x, default_components, control$threads))
    colnames(components$coordinates) <- colnames(x)
    components
}

# The penalty of the fit: as given; that of the scales; solved from `coarsest` if that was given; 1 in the setting of
# the paper and for scales that were not spread by effective cells.
graph_penalty <- function(scales, parameters, coarsest) {
    if (!is.null(parameters$lambda_graph)) return(parameters$lambda_graph)
    if (!is.null(scales$lambda_graph) && identical(scales$alpha, parameters$alpha)) return(scales$lambda_graph)
    if (is.null(coarsest) && is.null(scales$effective_cells)) return(1)
    solved_lambda(scales, assert_coarsest(coarsest, scales$n_cells), parameters$alpha,
                  effective_measure(scales, parameters$alpha, parameters$control$threads))
}

# Effective cells are part of every path whose scales were spread by them.
with_effective_cells <- function(scales, parameters) {
    if (is.null(scales$effective_cells)) return(scales)
    same <- identical(scales$lambda_graph, parameters$lambda_graph) && identical(scales$alpha, parameters$alpha)
    if (same) return(scales)
    scales$lambda_graph <- parameters$lambda_graph
    scales$alpha <- parameters$alpha
    measure <- effective_measure(scales, scales$alpha, parameters$control$threads)
    scales$effective_cells <- effective_along(scales, scales$lambda_graph, measure)
    scales
}

# Reports in one line what was chosen, if it is not the setting of the paper. own: whether a container's own components
# are the space of the distances.
inform_plan <- function(scales, x, rank, own = FALSE) {
    n <- length(scales$threshold)
    measured_on <- if (is.null(scales$measured_on)) "given" else scales$measured_on
    thinned <- measured_on == "features" && n == default_scales && scales$full_scales > max_cells_for_all_scales
    if (is.null(scales$effective_cells) && !thinned && !own) return(invisible())
    components <- counted(nrow(scales$coordinates), "principal component")
    used <- length(scales$variable)
    of_some <- if (used < nrow(x)) paste(" of the", used, "most variable features")
    where <- switch(measured_on,
        space = if (own) paste("the object's own", components) else "the given coordinates",
        features = "all features", components = paste0(components, of_some), given = "those of the given scales"
    )
    along <- if (is.null(scales$effective_cells)) {
        paste0(n, " of ", scales$full_scales, " scales")
    } else {
        ends <- format_effective(range(scales$effective_cells))
        paste0(counted(n, "scale"), " from ", ends[2L], " to ", ends[1L], " effective cells")
    }
    inform_pnmf("pnmf: ", counted(nrow(x), "feature"), "; ", along, "; rank ", rank, "; distances on ", where, " (",
                scales$metric, " metric)")
}

default_tree <- function(n_cells, control) {
    if (n_cells <= max_cells_for_exact_tree) return("exact")
    if (control$messages) {
        inform_pnmf("pnmf: ", n_cells, " cells: using the approximate spanning tree; pass 'scales' = ",
                    "persistence_scales(..., graph = \"knn\", tree = \"exact\") for the exact one")
    }
    "approximate"
}

# Dimensions x cells, in the order of the columns of x.
cells_in_coordinates <- function(coordinates, x) {
    values <- if (length(dim(coordinates)) == 2L) t(as.matrix(coordinates))
    if (!is.numeric(values)) {
        stop_pnmf("'space' must be a numeric matrix, cells x dimensions, not ", describe(coordinates))
    }
    assert_finite_values(values, "space")
    coordinates <- structure(values, own = NULL)
    if (!is.null(colnames(coordinates)) && !is.null(colnames(x))) {
        places <- match(colnames(x), colnames(coordinates))
        if (anyNA(places)) {
            stop_pnmf("'space' lacks ", sum(is.na(places)), " of the ", ncol(x),
                      " cells; the first is '", colnames(x)[is.na(places)][1], "'",
                      if (all(is.na(places))) paste0("; its rows must be cells, but the first is '",
                                                     colnames(coordinates)[1], "'"))
        }
        return(coordinates[, places, drop = FALSE])
    }
    if (ncol(coordinates) != ncol(x)) {
        stop_pnmf("'space' must have one row for each of the ", ncol(x), " cells, not ", ncol(coordinates))
    }
    coordinates
}

assert_distances_at_hand <- function(x) {
    if (is_streamed(x)) {
        stop_pnmf("'space' must be given for data on disk that exceed 'memory' of pnmf_control() (",
                  paste(dim(x), collapse = " x "), "): coordinates of the cells in which distances are measured, such ",
                  "as principal components")
    }
}

assert_same_cells <- function(scales, x) {
    threshold <- scales$threshold
    if (length(threshold) == 0L || !all(is.finite(threshold)) || is.unsorted(threshold, strictly = TRUE)) {
        stop_pnmf("'scales' must have finite, strictly ascending thresholds")
    }
    if (scales$n_cells != ncol(x)) {
        stop_pnmf("'scales' must be for the same cells as 'x': it has ", scales$n_cells, ", 'x' has ", ncol(x))
    }
    if (!is.null(scales$cell_names) && !is.null(colnames(x)) && !identical(scales$cell_names, colnames(x))) {
        first <- which(scales$cell_names != colnames(x))[1]
        stop_pnmf("'scales' must be for the same cells as 'x', in the same order: cell ", first, " is '",
                  scales$cell_names[first], "' there and '", colnames(x)[first], "' in 'x'")
    }
    scales
}

assert_fits_memory <- function(n_scales, x, parameters) {
    needed <- n_scales * scale_bytes(x, parameters)
    if (needed > parameters$control$memory) {
        stop_pnmf("a path of ", n_scales, " scales at rank ", parameters$rank, " needs about ", format_bytes(needed),
                  ", more than 'memory' of pnmf_control() (", format_bytes(parameters$control$memory),
                  "): use fewer 'scales' or a lower 'rank', or raise 'memory'")
    }
}

assert_no_scale_settings <- function(space, settings) {
    given <- c(if (!is.null(space)) "space", names(settings))
    if (length(given) > 0L) {
        stop_pnmf("'", given[1], "' must be NULL when 'scales' is a persistence_scales object: it already ",
                  "fixes the distances")
    }
}
