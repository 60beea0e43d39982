# Validators of single arguments. Each returns the value in its canonical type or stops, naming the argument.

assert_number <- function(x, name, min = -Inf, max = Inf, above = NULL) {
    fits <- is.numeric(x) && !is.object(x) && length(x) == 1L && is.finite(x) && x >= min && x <= max
    if (fits && !is.null(above)) fits <- x > above
    if (!fits) {
        stop_pnmf("'", name, "' must be ", number_range(min, max, above), ", not ", describe(x))
    }
    as.numeric(x)
}

number_range <- function(min, max, above) {
    if (!is.null(above)) return(sprintf("a finite number above %s", format(above)))
    if (is.finite(max)) return(sprintf("a number between %s and %s", format(min), format(max)))
    sprintf("a finite number of at least %s", format(min))
}

assert_count <- function(x, name, min = 1, max = .Machine$integer.max) {
    fits <- is.numeric(x) && !is.object(x) && length(x) == 1L && is.finite(x) &&
        x >= min && x <= max && x == round(x)
    if (!fits) {
        range <- if (max < .Machine$integer.max) {
            sprintf("between %s and %s", format(min), format(max))
        } else {
            sprintf("of at least %s", format(min))
        }
        stop_pnmf("'", name, "' must be a whole number ", range, ", not ", describe(x))
    }
    as.integer(x)
}

assert_flag <- function(x, name) {
    if (!is.logical(x) || length(x) != 1L || is.na(x)) {
        stop_pnmf("'", name, "' must be TRUE or FALSE, not ", describe(x))
    }
    x
}

assert_string <- function(x, name) {
    if (!is.character(x) || length(x) != 1L || is.na(x) || !nzchar(x)) {
        stop_pnmf("'", name, "' must be a single string, not ", describe(x))
    }
    x
}

# match.arg() with the error class of this package; the default vector means its first entry.
assert_choice <- function(x, choices, name) {
    if (identical(x, choices)) return(choices[1])
    if (!is.character(x) || length(x) != 1L || is.na(x) || !(x %in% choices)) {
        stop_pnmf("'", name, "' must be one of ", paste0("\"", choices, "\"", collapse = ", "),
                  ", not ", describe(x))
    }
    x
}

# Whole numbers in 1..n, such as a set of scales.
assert_indices <- function(x, name, n) {
    fits <- is.numeric(x) && !is.object(x) && length(x) > 0L && all(is.finite(x)) &&
        all(x == round(x)) && all(x >= 1) && all(x <= n)
    if (!fits) {
        came <- if (is.numeric(x) && length(x) > 1L) {
            bad <- x[!(is.finite(x) & x == round(x) & x >= 1 & x <= n)]
            format(bad[1])
        } else {
            describe(x)
        }
        stop_pnmf("'", name, "' must be whole numbers between 1 and ", n, ", not ", came)
    }
    as.integer(x)
}

assert_class <- function(x, class, name, made_by) {
    if (!is(x, class)) {
        stop_pnmf("'", name, "' must be a ", class, " object, as ", made_by, " returns, not ", describe(x))
    }
    x
}

assert_seed <- function(x, name = "seed") {
    if (is.null(x)) return(NULL)
    assert_count(x, name, min = 0)
}

assert_baseline_start <- function(start, x, rank) {
    if (is.null(start)) return(NULL)
    if (!is.list(start) || !all(c("W", "H") %in% names(start))) {
        stop_pnmf("'start' must be NULL or a list with W and H, not ", describe(start))
    }
    list(W = assert_factor(start$W, c(nrow(x), rank), "start$W"),
         H = assert_factor(start$H, c(rank, ncol(x)), "start$H"))
}

assert_weights <- function(weights, max_length = Inf) {
    fits <- is.numeric(weights) && !is.object(weights) && length(weights) > 0L && all(is.finite(weights)) &&
        all(weights >= 0) && any(weights > 0)
    if (!fits) {
        came <- if (is.numeric(weights) && length(weights) > 0L) abbreviated(weights) else describe(weights)
        stop_pnmf("'weights' must be finite numbers of at least 0, not all of them 0, not ", came)
    }
    if (length(weights) > max_length) {
        stop_pnmf("'weights' must have at most ", max_length, " entries, one less than the number of cells, not ",
                  length(weights))
    }
    as.numeric(weights)
}

assert_checkpoint_target <- function(checkpoint, resume) {
    if (is.null(checkpoint)) return(invisible())
    file <- checkpoint_path(checkpoint)
    exists <- file.exists(file)
    refuse <- function(reason) {
        stop_pnmf("'checkpoint' must be a file that can be written, but \"", checkpoint, "\" cannot: ", reason)
    }
    if (dir.exists(file)) refuse("it is a folder")
    tryCatch(try_checkpoint_cpp(enc2native(file), exists),
             pnmf_unwritten_checkpoint = function(e) refuse(conditionMessage(e)))
    if (exists && is.null(resume)) {
        inform_pnmf("pnmf: replacing the earlier checkpoint \"", checkpoint, "\"; 'resume' would continue from it")
    }
}

# For functions that run several fits with one control: the fits would overwrite each other's checkpoint.
assert_no_checkpoint <- function(control) {
    if (inherits(control, "pnmf_control") && !is.null(control$checkpoint)) {
        stop_pnmf("'control' must have no 'checkpoint' when several fits are run, not \"", control$checkpoint, "\"")
    }
}

assert_folder <- function(folder, name) {
    if (is.null(folder)) return(NULL)
    folder <- path.expand(assert_string(folder, name))
    if (!dir.exists(folder) || file.access(folder, 2L) != 0L) {
        stop_pnmf("'", name, "' must be a folder that can be written to, not \"", folder, "\"")
    }
    normalizePath(folder)
}

# A positive number, or Inf for none.
assert_limit <- function(limit, name) {
    if (identical(limit, Inf)) return(Inf)
    assert_number(limit, name, above = 0)
}

assert_start <- function(start) {
    if (is.character(start)) return(assert_choice(start, c("nndsvda", "random"), "start"))
    if (is(start, "pNMFPath")) return(start)
    if (is.list(start) && all(c("W", "H") %in% names(start))) return(start)
    stop_pnmf("'start' must be \"nndsvda\", \"random\", a list with W and H, or a pNMFPath, not ", describe(start))
}

# Above 900 cells, the square root gives more factors than a few cell types need: the extra factors are single genes,
# and held-out data are predicted worse. On pbmc_sorted, ranks 8, 12, 20, 30 and 32 have held-out errors of .764, .768,
# .790, .820 and .831, and 0, 0, 0, 3 and 6% of their factors are single genes; the finest scale's score is .945 or .946
# at all of them (inst/experiments/default_rank.R).
largest_default_rank <- 30L

assert_rank <- function(rank, x) {
    if (is.null(rank)) return(as.integer(min(ceiling(sqrt(ncol(x))), largest_default_rank, dim(x))))
    assert_count(rank, "rank", max = min(dim(x)))
}

# Independent of the unit for "hals"; the paper's decay for the paper's setting and solvers.
assert_alpha <- function(alpha, solver, scales) {
    if (is.null(alpha)) return(if (solver == "hals" && !identical(scales, "paper")) 2 else 1.5)
    assert_number(alpha, "alpha", above = 0)
}

assert_anchor <- function(lambda_anchor, solver) {
    if (is.null(lambda_anchor)) return(if (solver == "hals") 0.1 else 1)
    assert_number(lambda_anchor, "lambda_anchor", min = 0)
}

assert_fit_arguments <- function(...) {
    known <- c("lambda_graph", "lambda_smooth", "lambda_anchor", "alpha", "solver")
    extra <- setdiff(names(list(...)), known)
    if (length(list(...)) > 0L && (is.null(names(list(...))) || length(extra) > 0L)) {
        stop_pnmf("further arguments must be ", paste(known, collapse = ", "), " of pnmf(), not ",
                  if (length(extra) > 0L && nzchar(extra[1])) paste0("'", extra[1], "'") else "one without a name")
    }
}

assert_ranks <- function(ranks, x, splits) {
    max_rank <- min(nrow(x), ncol(x) - length(unlist(splits[1], recursive = FALSE)$cells))
    if (is.null(ranks)) {
        top <- min(max_rank, max(4, ceiling(2 * sqrt(ncol(x)))), 40)
        ranks <- round(exp(seq(log(min(2, top)), log(top), length.out = 8)))
    }
    ranks <- sort(unique(assert_indices(ranks, "ranks", max_rank)))
    if (length(ranks) < 2L) stop_pnmf("'ranks' must be at least two different ranks to compare, not ", length(ranks))
    ranks
}

assert_shardable <- function(BPPARAM, solver, control) {
    if (is.null(BPPARAM)) return(invisible())
    if (solver != "hals") {
        stop_pnmf("'BPPARAM' must be NULL for solver \"", solver, "\": it updates its scales one after the other")
    }
    if (inherits(BPPARAM, "BatchtoolsParam")) {
        stop_pnmf("'BPPARAM' must be a backend whose workers live as long as the fit, such as SnowParam() or ",
                  "SnowParam(type = \"MPI\"), not a BatchtoolsParam, whose jobs end after each call; suggest_rank() ",
                  "and parameter_analysis() accept it")
    }
    if (control$record) stop_pnmf("'record' must be FALSE with 'BPPARAM': workers update all scales in one step")
}

# A name among `known`, or a position in it.
assert_one_of <- function(value, known, name, what) {
    if (is.numeric(value)) return(assert_count(value, name, max = length(known)))
    if (!is.character(value) || length(value) != 1L || !(value %in% known)) {
        stop_pnmf("'", name, "' must be one of the object's ", what, " (",
                  if (length(known) == 0L) "there are none" else paste(known, collapse = ", "), "), not ",
                  describe(value))
    }
    value
}

assert_readable_file <- function(path, name) {
    path <- assert_string(path, name)
    if (!file.exists(path) || dir.exists(path)) {
        stop_pnmf("'", name, "' must be a file that exists, not \"", path, "\"")
    }
    if (file.access(path, 4L) != 0L) {
        stop_pnmf("'", name, "' must be a file that can be read, but \"", path, "\" cannot")
    }
    path
}

assert_gif_name <- function(file) {
    file <- assert_string(file, "file")
    if (!grepl("\\.gif$", file, ignore.case = TRUE)) stop_pnmf("'file' must end in .gif, not ", describe(file))
    if (!dir.exists(dirname(file))) stop_pnmf("'file' must be in an existing folder, not in ", describe(dirname(file)))
    file
}

# Checked before the work begins, not after it.
assert_page_name <- function(file, overwrite) {
    file <- assert_string(file, "file")
    if (!grepl("\\.html?$", file, ignore.case = TRUE)) stop_pnmf("'file' must end in .html, not ", describe(file))
    if (!dir.exists(dirname(file))) stop_pnmf("'file' must be in an existing folder, not in ", describe(dirname(file)))
    if (file.exists(file) && !overwrite) {
        stop_pnmf("'file' already exists: ", describe(file), "; choose another name, or set overwrite = TRUE")
    }
    if (dir.exists(file) || file.access(if (file.exists(file)) file else dirname(file), 2L) != 0L) {
        stop_unwritable(file, "no permission to write there")
    }
    file
}

assert_clustering_names <- function(settings) {
    known <- c("method", "normalize", "n_start", "n_neighbors", "resolution", "BPPARAM")
    unknown <- setdiff(if (is.null(names(settings))) rep("", length(settings)) else names(settings), known)
    if (length(unknown) > 0L) {
        stop_pnmf("unknown argument ", if (nzchar(unknown[1])) paste0("'", unknown[1], "'") else "(unnamed)",
                  ": in addition to its own arguments, path_report() takes those of path_clusters() (",
                  paste(known, collapse = ", "), ")")
    }
    settings
}

# How to search neighbours: with a BiocNeighbors parameter object, or in the core, exactly or approximately.
assert_search <- function(BNPARAM, approximate = FALSE) {
    if (!is.null(BNPARAM) && !is(BNPARAM, "BiocNeighborParam")) {
        stop_pnmf("'BNPARAM' must be a parameter object of BiocNeighbors, such as KmknnParam(), or NULL, not ",
                  describe(BNPARAM))
    }
    list(BNPARAM = BNPARAM, approximate = approximate)
}

assert_neighbors <- function(n_neighbors, space) {
    if (inherits(space$x, "dist")) {
        stop_pnmf("'graph' must be \"full\" when 'x' is a dist object: the search for neighbours needs coordinates")
    }
    assert_count(n_neighbors, "n_neighbors", max = space$n - 1L)
}

assert_tree <- function(tree, graph) {
    tree <- assert_choice(tree, c("exact", "approximate"), "tree")
    if (tree == "approximate" && graph != "knn") {
        stop_pnmf("'tree' must be \"exact\" with graph = \"full\": the approximate tree belongs to the neighbour ",
                  "graph, and the components of the full graph would differ")
    }
    tree
}

assert_backend <- function(BPPARAM) {
    if (!is.null(BPPARAM) && !is(BPPARAM, "BiocParallelParam")) {
        stop_pnmf("'BPPARAM' must be NULL or a BiocParallelParam object such as BiocParallel::SerialParam(), not ",
                  describe(BPPARAM))
    }
}

# Stops unless every package is installed. `purpose` begins the error "... needs the package".
assert_installed <- function(packages, purpose) {
    missing <- packages[!vapply(packages, requireNamespace, logical(1), quietly = TRUE)]
    if (length(missing) > 0L) {
        stop_pnmf(purpose, " needs the package", if (length(missing) > 1L) "s", " ", paste(missing, collapse = ", "),
                  ": install ", if (length(missing) > 1L) "them" else "it", " first")
    }
    invisible(TRUE)
}

# Stops if there are further arguments, which the caller does not have.
assert_no_dots <- function(...) {
    if (...length() == 0L) return(invisible())
    stop_unknown_argument(first_name(...), setdiff(names(formals(sys.function(sys.parent()))), "..."))
}

# Further arguments of RunPNMF() and runPNMF() are those of pnmf(). `own`: names that the host uses for arguments of
# pnmf(); `also`: further arguments of the methods.
assert_fit_dots <- function(..., own = character(), also = character()) {
    if (...length() == 0L) return(invisible())
    allowed <- setdiff(c(pnmf_arguments(), also), c("...", "object", setdiff(names(own), "scales")))
    given <- if (is.null(...names())) rep("", ...length()) else ...names()
    unknown <- given[!(given %in% allowed)]
    if (length(unknown) == 0L) return(invisible())
    known <- union(setdiff(names(formals(sys.function(sys.parent()))), "..."), allowed)
    stop_unknown_argument(unknown[1], known, own)
}

assert_no_scale_settings <- function(space, settings) {
    given <- c(if (!is.null(space)) "space", names(settings))
    if (length(given) > 0L) {
        stop_pnmf("'", given[1], "' must be NULL when 'scales' is a persistence_scales object: it already ",
                  "fixes the distances")
    }
}
