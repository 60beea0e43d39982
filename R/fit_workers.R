# Computes the bases of "hals", the part of a sweep that reads the data, on the workers of a BiocParallel backend. Every
# worker reads the problem once from a file. Each sweep then sends embeddings and bases to the workers and receives new
# bases.
start_workers <- function(x, scales, parameters, options, BPPARAM) {
    folder <- if (is.null(parameters$control$shared)) tempdir() else parameters$control$shared
    file <- tempfile("pnmf-", folder, ".rds")
    file.create(file)
    Sys.chmod(file, "0600", use_umask = FALSE) # workers restore R objects from it: for this user's eyes and hands only
    saveRDS(list(x = x, edges = scales$edges, thresholds = scales$threshold, alpha = parameters$alpha,
                 rank = parameters$rank, options = options), file, compress = FALSE)
    ready <- FALSE
    on.exit(if (!ready) unlink(file))
    started <- !BiocParallel::bpisup(BPPARAM)
    if (started) BPPARAM <- BiocParallel::bpstart(BPPARAM)
    ready <- TRUE
    list(
        units = max(1L, as.integer(BiocParallel::bpnworkers(BPPARAM))),
        run = function(units) run_units(units, file, BPPARAM),
        # If a worker died, stopping the others is an error, too.
        stop = function() {
            unlink(file)
            if (started) try(suppressWarnings(BiocParallel::bpstop(BPPARAM)), silent = TRUE)
        }
    )
}

run_units <- function(units, file, BPPARAM) {
    tryCatch({
        results <- with_random_state(NULL, BiocParallel::bplapply(units, update_on_worker, file = file,
                                                                  BPPARAM = BPPARAM))
        list(results = results)
    }, error = function(e) {
        scales <- unlist(lapply(units, `[[`, "scales"))
        list(failed = paste0("the bases of scales ", abbreviated(scales, 12L), " were lost (", conditionMessage(e),
                             ")"))
    })
}

# The problem that a worker read last, kept between sweeps.
worker_state <- new.env(parent = emptyenv())

update_on_worker <- function(unit, file) {
    if (!identical(worker_state$file, file)) {
        worker_state$file <- NULL
        p <- readRDS(file)
        worker_state$problem <- worker_problem_cpp(p$x, p$edges, p$thresholds, p$alpha, p$rank, p$options)
        worker_state$file <- file
    }
    update_bases_cpp(worker_state$problem, unit)
}
