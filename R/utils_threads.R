# Never uses all cores without being asked. setThreadOptions() of RcppParallel sets the environment variable.
default_threads <- function() {
    option <- getOption("pNMF.threads")
    if (!is.null(option)) return(assert_count(option, "options(pNMF.threads)"))
    asked <- suppressWarnings(as.integer(Sys.getenv("RCPP_PARALLEL_NUM_THREADS")))
    if (!is.na(asked) && asked > 0L) return(asked)
    max(1L, min(2L, RcppParallel::defaultNumThreads()))
}
