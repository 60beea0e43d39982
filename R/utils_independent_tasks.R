# lapply() for independent tasks, in this process or on BiocParallel workers. BiocParallel draws seeds for its workers;
# inside with_random_state() the session's stream is left alone. `label`: name of the tasks in the progress
# bar of this process.
run_independent <- function(tasks, work, BPPARAM = NULL, ..., label = "pNMF") {
    if (is.null(BPPARAM)) return(progress_lapply(tasks, work, ..., label = label))
    assert_backend(BPPARAM)
    with_random_state(NULL, BiocParallel::bplapply(tasks, work, ..., BPPARAM = BPPARAM))
}
