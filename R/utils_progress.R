# lapply() with a progress bar, which cli shows after two seconds. The format leaves room for the remaining time within
# 80 columns.
progress_lapply <- function(tasks, work, ..., label, shown = interactive()) {
    if (!shown) return(lapply(tasks, work, ...))
    bar <- cli::cli_progress_bar(
        total = length(tasks), clear = TRUE,
        format = "{label} {cli::pb_bar} {cli::pb_current}/{cli::pb_total} | {cli::pb_eta_str}"
    )
    frame <- environment()
    lapply(tasks, function(task) {
        result <- work(task, ...)
        cli::cli_progress_update(id = bar, .envir = frame)
        result
    })
}
