# lapply() for tasks that do not talk to each other: in this process, or spread over BiocParallel workers.
# BiocParallel draws seeds for its workers; inside with_random_state() that leaves the session's stream alone.
run_independent <- function(tasks, work, BPPARAM = NULL, ...) {
    if (is.null(BPPARAM)) return(lapply(tasks, work, ...))
    assert_backend(BPPARAM)
    with_random_state(NULL, BiocParallel::bplapply(tasks, work, ..., BPPARAM = BPPARAM))
}

assert_backend <- function(BPPARAM) {
    if (!is.null(BPPARAM) && !is(BPPARAM, "BiocParallelParam")) {
        stop_pnmf("'BPPARAM' must be NULL or a BiocParallelParam object such as BiocParallel::SerialParam(), not ",
                  describe(BPPARAM))
    }
}

# Stops unless every package is there. `purpose` completes "<packages> needed for ...".
assert_installed <- function(packages, purpose) {
    missing <- packages[!vapply(packages, requireNamespace, logical(1), quietly = TRUE)]
    if (length(missing) > 0L) {
        stop_pnmf(purpose, " needs the package", if (length(missing) > 1L) "s", " ", paste(missing, collapse = ", "),
                  ": install ", if (length(missing) > 1L) "them" else "it", " first")
    }
    invisible(TRUE)
}
