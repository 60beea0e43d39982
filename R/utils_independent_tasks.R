# lapply() for tasks that do not talk to each other: in this process, or spread over BiocParallel workers.
# BiocParallel draws seeds for its workers; inside with_random_state() that leaves the session's stream alone.
# `label`: what a progress bar calls the tasks in this process.
run_independent <- function(tasks, work, BPPARAM = NULL, ..., label = "pNMF") {
    if (is.null(BPPARAM)) return(progress_lapply(tasks, work, ..., label = label))
    assert_backend(BPPARAM)
    with_random_state(NULL, BiocParallel::bplapply(tasks, work, ..., BPPARAM = BPPARAM))
}
