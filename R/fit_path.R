# Runs the solver in the core, from the start or the resumed state, and reports its progress. BPPARAM: the backend that
# computes the bases, NULL for this process.
fit_path <- function(x, scales, start, parameters, run = list(begun = proc.time()[["elapsed"]]), BPPARAM = NULL) {
    control <- parameters$control
    assert_scale_weights(scales)
    options <- list(
        lambda_graph = parameters$lambda_graph, lambda_smooth = parameters$lambda_smooth,
        lambda_anchor = parameters$lambda_anchor, max_outer = control$max_outer, max_inner = control$max_inner,
        tol = control$tol, record = control$record, chain_start = isTRUE(start$chain),
        extrapolate = control$extrapolate,
        threads = control$threads, keep_basis = control$keep == "all",
        weight = as.numeric(scales$weight), gap = as.numeric(scales$gap),
        shared_bases = has_shared_bases(length(scales$threshold), x, parameters)
    )
    progress <- sweep_progress(control)
    on.exit(progress$done())
    on_sweep <- function(sweep, objective) {
        progress$on_sweep(sweep, objective)
        proc.time()[["elapsed"]] - run$begun < control$time_limit
    }
    from <- if (is.null(run$resumed)) start[c("W", "H")] else run$resumed$state
    workers <- if (!is.null(BPPARAM)) start_workers(x, scales, parameters, options, BPPARAM)
    if (!is.null(workers)) on.exit(workers$stop(), add = TRUE)
    fit <- fit_path_cpp(x, scales$edges, scales$threshold, parameters$alpha, from, parameters$solver, options, on_sweep,
                        checkpoint_target(control, run), workers)
    assert_workers_answered(fit, control)
    assert_checkpoint_done(fit, control, run)
    assert_finite_fit(fit)
    fit
}

# A bar with sweep, objective and time left, from two seconds on; silent in rendered documents.
sweep_progress <- function(control) {
    silent <- !control$verbose || isTRUE(getOption("knitr.in.progress"))
    if (silent) return(list(on_sweep = function(sweep, objective) NULL, done = function() NULL))
    value <- NULL
    bar <- cli::cli_progress_bar(
        total = control$max_outer, clear = TRUE, .auto_close = FALSE, .envir = environment(),
        format = "pnmf {cli::pb_bar} sweep {cli::pb_current}/{cli::pb_total} | objective {value} | {cli::pb_eta_str}"
    )
    on_sweep <- function(sweep, objective) {
        value <<- format(objective, digits = 6)
        cli::cli_progress_update(set = sweep, id = bar, .envir = environment(on_sweep))
    }
    list(on_sweep = on_sweep, done = function() cli::cli_progress_done(id = bar, .envir = environment(on_sweep)))
}
