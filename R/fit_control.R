#' Settings of a fit
#'
#' Controls *how* [pnmf()] computes: stopping, threads, memory, checkpoints and
#' starting factors. `NULL` means the default of the solver.
#'
#' @param max_outer Maximum number of sweeps over all scales. `"hals"`: 2.5
#'   million divided by the number of cells, between 18 and 1000; 1 where
#'   [pnmf()] starts from a sample, that is for more than 10,000 cells in memory.
#'   `"mu"`: 100, `"authors"`: 10.
#' @param max_inner Maximum number of steps at one scale within a sweep: 10 for
#'   `"hals"` (cheap steps between two passes over the data), 10 for `"mu"`,
#'   1000 for `"authors"`.
#' @param tol When to stop. `"hals"` stops once doubling the number of sweeps
#'   would move no embedding by more than this share of its length (Frobenius
#'   norm; default 0.03) and would lower the objective by less than
#'   `tol / 3000` of its value. Both are predicted, see the vignette "The method".
#'   `"mu"` and `"authors"` stop at this relative change of the loss (1e-4 and
#'   1e-3). `tol = 0` runs exactly `max_outer` sweeps (and `max_inner`
#'   multiplicative steps).
#' @param threads Number of threads: two by default (one on a machine with one
#'   core), unless `options(pNMF.threads = )`,
#'   `RcppParallel::setThreadOptions()` or the environment variable
#'   `RCPP_PARALLEL_NUM_THREADS` set another number. The result does not depend
#'   on it.
#' @param seed Seed for a random start. The random numbers of the session are
#'   not changed.
#' @param verbose Show a progress bar once the fit has taken two seconds (at once
#'   for more than 10,000 cells), and messages in which [pnmf()] says what it
#'   chose? By default messages always, the bar only in interactive sessions.
#'   `options(pNMF.progress = FALSE)` turns off these messages and the progress
#'   bars of all functions; `TRUE` also shows the bars in scripts.
#' @param checkpoint `NULL`, or the name of a file that receives the state of
#'   the fit, so that `pnmf(..., resume = )` can continue it: see [pnmf()].
#' @param every Number of sweeps between checkpoints. The state is also written
#'   after the start and at the end of the fit.
#' @param time_limit Time limit in seconds, counted from the call of [pnmf()].
#'   After that, no further sweep begins, and the path so far is returned, with a
#'   warning that it has not converged. The start is computed and at least one
#'   sweep is run in any case.
#' @param record Record the objective after every single update (panel c of the
#'   paper's convergence figure)? `"hals"` then does not extrapolate, so that
#'   every update is a descent step, and needs more sweeps.
#' @param start Starting factors: `"nndsvda"`, `"random"`, a list with `W` and
#'   `H` (one pair of matrices, or lists with one matrix per scale), or a
#'   [pNMFPath-class] of an earlier fit (scales are matched by threshold).
#' @param extrapolate Extrapolate the embeddings between sweeps? Only used by
#'   `"hals"`.
#' @param memory Bytes that the factors of a fit may take, or `Inf`; by default
#'   half of the memory of the machine. A fit that needs more gives an error.
#'   Data on disk that would take more are read in blocks, and the embeddings of
#'   a fit with `BPPARAM` that would take more stay on disk. It never changes the
#'   numbers in the result.
#' @param shared For fits with `BPPARAM`, see [pnmf()]: a folder that all workers
#'   can read and write, where the shards of cells are stored during the fit, and
#'   where embeddings that exceed `memory` remain afterwards; `NULL` means R's
#'   temporary folder.
#' @param ... Not used: an unknown argument gives an error that names a known one.
#' @return A list of class `"pnmf_control"`.
#' @examples
#' pnmf_control(max_outer = 20, threads = 1)
#' @export
pnmf_control <- function(max_outer = NULL, max_inner = NULL, tol = NULL, threads = default_threads(), seed = NULL,
                         verbose = getOption("pNMF.progress", interactive()), checkpoint = NULL, every = 1,
                         time_limit = Inf, record = FALSE, start = "nndsvda", extrapolate = TRUE,
                         memory = default_memory(), shared = NULL, ...) {
    if (identical(...names(), "keep")) {
        warn_pnmf("'keep' no longer has an effect: a path has its bases")
    } else {
        assert_no_dots(...)
    }
    structure(
        list(
            max_outer = if (!is.null(max_outer)) assert_count(max_outer, "max_outer"),
            max_inner = if (!is.null(max_inner)) assert_count(max_inner, "max_inner"),
            tol = if (!is.null(tol)) assert_number(tol, "tol", min = 0),
            threads = assert_count(threads, "threads"),
            seed = assert_seed(seed),
            verbose = assert_flag(verbose, "verbose"),
            messages = if (missing(verbose)) !isFALSE(getOption("pNMF.progress")) else verbose,
            checkpoint = if (!is.null(checkpoint)) assert_string(checkpoint, "checkpoint"),
            every = assert_count(every, "every"),
            time_limit = assert_limit(time_limit, "time_limit"),
            record = assert_flag(record, "record"),
            start = assert_start(start),
            extrapolate = assert_flag(extrapolate, "extrapolate"),
            memory = assert_limit(memory, "memory"),
            shared = assert_folder(shared, "shared")
        ),
        class = "pnmf_control"
    )
}

solver_defaults <- list(
    hals = list(max_inner = 10L, tol = 0.03), # with_sweeps() adds their number
    mu = list(max_outer = 100L, max_inner = 10L, tol = 1e-4),
    authors = list(max_outer = 10L, max_inner = 1000L, tol = 1e-3)
)

# The control with the defaults of the solver instead of NULL.
complete_control <- function(control, solver) {
    if (!inherits(control, "pnmf_control")) {
        stop_pnmf("'control' must be made by pnmf_control(), not ", describe(control))
    }
    for (name in names(solver_defaults[[solver]])) {
        if (is.null(control[[name]])) control[[name]] <- solver_defaults[[solver]][[name]]
    }
    control
}

#' @export
print.pnmf_control <- function(x, ...) {
    shown <- vapply(unclass(x), function(value) if (is.null(value)) "default" else describe(value), character(1))
    writeLines(sprintf("%-11s %s", names(shown), shown))
    invisible(x)
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
