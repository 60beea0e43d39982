# Fits in shards of ten cells.

shard_data <- function(seed, cells = 80) small_data(seed, features = 30, cells = cells)

shard_fit <- function(x, BPPARAM = BiocParallel::SerialParam(), sweeps = 6, tol = 0, scales = 6, resume = NULL,
                      lambda_graph = 1, ...) {
    set_namespace_value("cells_per_shard", 10)
    pnmf(x, rank = 3, scales = scales, BPPARAM = BPPARAM, resume = resume,
         lambda_graph = lambda_graph,
         control = pnmf_control(max_outer = sweeps, tol = tol, threads = 1, verbose = FALSE, ...))
}

processes <- function(n) {
    tryCatch(
        BiocParallel::bpstart(BiocParallel::SnowParam(n, exportglobals = FALSE, exportvariables = FALSE)),
        error = function(e) skip(paste("no worker processes can be started here:", conditionMessage(e)))
    )
}

# Does something before the given call of the workers.
before_call <- function(number, action, frame = parent.frame()) {
    run_before <- run_units
    calls <- 0
    set_namespace_value("run_units", function(units, BPPARAM) {
        calls <<- calls + 1
        if (calls == number) action()
        run_before(units, BPPARAM)
    }, frame)
}
