# Runs the solver in the core, from the start or the resumed state, and reports its progress. start: a list, or an
# environment, which the core empties. BPPARAM: the backend whose workers hold the cells, NULL for this process.
fit_path <- function(x, scales, start, parameters, run = list(begun = proc.time()[["elapsed"]]), BPPARAM = NULL) {
    control <- parameters$control
    assert_scale_weights(scales)
    options <- core_options(x, scales, start, parameters)
    progress <- sweep_progress(control)
    on.exit(progress$done())
    on_sweep <- function(sweep, objective, bytes = NULL) {
        progress$on_sweep(sweep, objective, bytes)
        proc.time()[["elapsed"]] - run$begun < control$time_limit
    }
    with_named_arguments(control, if (is.null(BPPARAM)) {
        from <- if (is.null(run$resumed)) handed_over(start) else run$resumed$state
        fit <- fit_path_cpp(x, scales$edges, scales$threshold, parameters$alpha, from, parameters$solver, options,
                            on_sweep, checkpoint_target(control, run))
        assert_finite_fit(fit)
        fit
    } else {
        fit_shards(x, scales, start, parameters, run, BPPARAM, options, on_sweep)
    })
}

# What the core needs to know besides data, scales and start.
core_options <- function(x, scales, start, parameters) {
    control <- parameters$control
    list(
        lambda_graph = parameters$lambda_graph, lambda_smooth = parameters$lambda_smooth,
        lambda_anchor = parameters$lambda_anchor, max_outer = control$max_outer, max_inner = control$max_inner,
        tol = control$tol, record = control$record, chain_start = isTRUE(start$chain),
        start_sweeps = if (is.null(parameters$start_sweeps)) 300L else parameters$start_sweeps,
        refining_sweeps = if (isTRUE(parameters$sampled)) sweeps_after_sample else 0L,
        extrapolate = control$extrapolate, threads = control$threads,
        weight = as.numeric(scales$weight), gap = as.numeric(scales$gap)
    )
}

# R would keep the start of a fit until its end, because the callers hold it, too.
handed_over <- function(start) {
    if (!is.environment(start)) return(start)
    function() {
        factors <- as.list(start)
        rm(list = names(factors), envir = start)
        factors
    }
}

# Errors of the core say what happened; these say to which argument.
with_named_arguments <- function(control, fit) {
    tryCatch(fit,
        pnmf_unwritten_checkpoint = function(e) {
            stop_pnmf("'checkpoint' could not be written to \"", control$checkpoint, "\": ", conditionMessage(e),
                      "; the previous checkpoint is intact, and 'resume' continues from it")
        },
        pnmf_unusable_checkpoint = function(e) {
            stop_pnmf("'resume' must be a checkpoint of pnmf(), but it ", conditionMessage(e))
        },
        pnmf_failed_workers = function(e) {
            remedy <- resume_remedy(control, "with a 'checkpoint' in pnmf_control(), 'resume' could continue the fit")
            stop_pnmf("a worker of 'BPPARAM' failed: ", conditionMessage(e), "; ", remedy)
        }
    )
}

# How to go on with a fit that ended early.
resume_remedy <- function(control, without_checkpoint) {
    if (is.null(control$checkpoint)) return(without_checkpoint)
    paste0("call pnmf() again with resume = \"", control$checkpoint, "\" to continue from the last checkpoint")
}

# Sweep and objective, from two seconds on; silent in rendered documents. Nobody knows how many sweeps are left.
sweep_progress <- function(control) {
    if (!progress_shown(control$verbose)) return(list(on_sweep = function(...) NULL, done = function() NULL))
    value <- NULL
    bar <- cli::cli_progress_bar(
        total = control$max_outer, clear = TRUE, .auto_close = FALSE, .envir = environment(),
        format = "pnmf {cli::pb_spin} sweep {cli::pb_current}, at most {cli::pb_total} | {value}"
    )
    on_sweep <- function(sweep, objective, bytes = NULL) {
        value <<- progress_value(sweep, objective, bytes)
        cli::cli_progress_update(set = sweep, id = bar, .envir = environment(on_sweep))
    }
    list(on_sweep = on_sweep, done = function() cli::cli_progress_done(id = bar, .envir = environment(on_sweep)))
}

# The start has another objective than the fit, of fewer scales.
progress_value <- function(sweep, objective, bytes = NULL) {
    if (sweep == 0) return("finding a start")
    value <- format(objective, digits = 4)
    if (is.null(bytes)) paste("objective", value) else paste0(value, ", ", format_bytes(bytes))
}

# weight: number of scales of the full path that each scale represents; gap: number of steps of the full path since the
# previous scale (not used for the first). Both may be missing.
assert_scale_weights <- function(scales) {
    n_scales <- length(scales$threshold)
    positive <- function(values, used) {
        is.null(values) || (is.numeric(values) && length(values) == n_scales &&
                                all(is.finite(values[used])) && all(values[used] > 0))
    }
    if (!positive(scales$weight, seq_len(n_scales)) || !positive(scales$gap, seq_len(n_scales)[-1])) {
        stop_pnmf("'scales' must have a positive 'weight' and 'gap' for each of its ", n_scales, " scales, or none")
    }
}

# An overflow inside a fit is an error, not a result.
assert_finite_fit <- function(fit) {
    finite <- all(is.finite(fit$objective)) && all(vapply(fit$H, is_finite_nonnegative, logical(1)))
    if (!finite) {
        stop_pnmf("the fit overflowed: rescale 'x' or use smaller penalties ('lambda_graph', 'lambda_smooth', ",
                  "'lambda_anchor')")
    }
}
