# Progress bars of everything but a fit, which has its own (fit_path.R). cli shows a bar after two seconds.

# The format of every bar. With the time left it fits within 80 columns.
progress_format <- function(label, more = "") {
    paste0(label, " {cli::pb_bar} {cli::pb_current}/{cli::pb_total} | ", more, "{cli::pb_eta_str}")
}

default_verbose <- function() isTRUE(getOption("pNMF.progress", interactive()))

# Not in rendered documents.
progress_shown <- function(verbose) verbose && !isTRUE(getOption("knitr.in.progress"))

# From this many cells on, single steps take seconds, and bars are drawn at once.
many_cells <- 10000L

# A function that evaluates one step, moves the bar and returns the value of the step. The bar ends with `frame`.
# at_once: whether the bar is drawn before the first step, because that step alone takes long
progress_steps <- function(label, total, at_once = FALSE, verbose = default_verbose(),
                           frame = parent.frame()) {
    if (!progress_shown(verbose)) return(identity)
    # Without a known number of steps, there is no time left to show.
    unknown <- paste0(label, " {cli::pb_spin} {cli::pb_current} pieces | {cli::pb_elapsed}")
    bar <- cli::cli_progress_bar(total = total, clear = TRUE, .envir = frame,
                                 format = if (is.na(total)) unknown else progress_format(label))
    if (at_once) cli::cli_progress_update(set = 0, id = bar, force = TRUE, .envir = frame)
    function(value) {
        force(value)
        cli::cli_progress_update(id = bar, .envir = frame)
        value
    }
}

progress_lapply <- function(tasks, work, ..., label) {
    step <- progress_steps(label, length(tasks))
    lapply(tasks, function(task) step(work(task, ...)))
}
