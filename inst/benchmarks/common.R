# Functions shared by the benchmarks of the solvers.

load_set <- function(name) {
    file <- file.path(Sys.getenv("PNMF_SHARED"), "data", paste0(name, ".rds"))
    if (file.exists(file)) return(readRDS(file)$X)
    message(name, " is missing: using simulated cells instead")
    normalize_counts(simulate_cells(n_cells = 150, n_genes = 4000)$counts)
}

elapsed <- function(expr) system.time(expr)[["elapsed"]]

core_options <- function(lambda_anchor, max_outer, max_inner = 10L, tol = 0, threads = 1L, penalties = 1,
                         chain = TRUE) {
    list(lambda_graph = penalties, lambda_smooth = penalties, lambda_anchor = lambda_anchor, max_outer = max_outer,
         max_inner = max_inner, tol = tol, record = FALSE, chain_start = chain, extrapolate = TRUE, threads = threads,
         keep_basis = TRUE, shared_bases = FALSE, weight = numeric(0), gap = numeric(0))
}

# One fit in the core; `on_sweep(sweep, objective, seconds)` returns FALSE to stop it.
timed_fit <- function(x, scales, start, solver, lambda_anchor, max_outer, max_inner, tol, threads, on_sweep,
                      penalties = 1, chain = TRUE) {
    options <- core_options(lambda_anchor, max_outer, max_inner, tol, threads, penalties, chain)
    begun <- proc.time()[["elapsed"]]
    seconds <- function() proc.time()[["elapsed"]] - begun
    pNMF:::fit_path_cpp(x, scales$edges, scales$threshold, 1.5, list(W = list(start$W), H = list(start$H)), solver,
                        options, function(sweep, objective) on_sweep(sweep, objective, seconds()), NULL)
    seconds()
}

# Peak resident memory of this process so far, in GB.
peak_memory <- function() {
    line <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
    as.numeric(gsub("[^0-9]", "", line)) * 1024 / 1e9
}
