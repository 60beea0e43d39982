# Every function that may run for long, on data of the given size. x: features x cells
long_functions <- function() {
    fit <- function(x, solver, threads) {
        pnmf(x, rank = 5, scales = 8, solver = solver,
             control = pnmf_control(max_outer = 20, max_inner = 20, tol = 0, threads = threads, verbose = FALSE))
    }
    few <- pnmf_control(max_outer = 3, tol = 0, verbose = FALSE)
    path <- function(x) pnmf(x, rank = 4, scales = 6, control = few)
    list(
        scales = function(x) persistence_scales(x, threads = 2),
        neighbors = function(x) persistence_scales(x, graph = "knn", metric = "local"),
        approximate = function(x) persistence_scales(x, graph = "knn", tree = "approximate", threads = 2),
        sparse_neighbors = function(x) persistence_scales(methods::as(x, "CsparseMatrix"), graph = "knn", threads = 2),
        hals = function(x) fit(x, "hals", 2),
        mu = function(x) fit(x, "mu", 1),
        authors = function(x) fit(x, "authors", 2),
        nndsvda = function(x) nndsvda(methods::as(x, "CsparseMatrix"), 10),
        gnmf = function(x) fit_gnmf(x, 5, tol = 0, max_steps = 200, threads = 2),
        kmeans = function(x) path_clusters(path(x), k = 5, n_start = 20)$scale.1,
        path_clusters = function(x) path_clusters(path(x), k = 4),
        suggest_rank = function(x) suggest_rank(x, ranks = 2:4, n_repeats = 1, control = few)$evidence,
        suggest_scale = function(x) suggest_scale(path(x))$evidence,
        predict = function(x) predict(path(x), x, t = 1),
        reader = function(x) {
            file <- tempfile(fileext = ".csv")
            on.exit(unlink(file))
            utils::write.csv(round(x, 3), file)
            read_geo_counts(file)$counts
        }
    )
}

# Each round calls a function again and again until the interrupt comes, then sees that it still works on small data.
# Reports what ended each round, and the memory in use, in bytes, before and after all of them.
interrupt_rounds <- function(functions, rounds) {
    data <- function(features, cells) {
        x <- matrix(stats::rexp(features * cells), features) * stats::rbinom(features * cells, 1, 0.3)
        dimnames(x) <- list(paste0("f", seq_len(features)), paste0("c", seq_len(cells)))
        x + diag(1, features, cells)
    }
    set.seed(1)
    small <- data(30, 20)
    large <- data(700, 650)
    resident <- function() {
        gc()
        4096 * as.numeric(strsplit(readLines("/proc/self/statm"), " ")[[1]][2])
    }
    quietly <- function(expr) suppressWarnings(suppressMessages(expr))
    expected <- lapply(functions, function(f) quietly(f(small)))
    delays <- stats::runif(rounds, 0.02, 0.6)
    ended <- usable <- character(rounds)
    for (k in seq_len(rounds)) {
        # All functions have had a turn before memory is measured.
        if (k == length(functions) + 1L) before <- resident()
        at <- (k - 1L) %% length(functions) + 1L
        ended[k] <- tryCatch({
            system(sprintf("(sleep %.3f; kill -INT %d) &", delays[k], Sys.getpid()))
            repeat quietly(functions[[at]](large))
        }, interrupt = function(i) "interrupted", error = conditionMessage)
        same <- isTRUE(all.equal(quietly(functions[[at]](small)), expected[[at]], tolerance = 0))
        usable[k] <- if (same) "works" else names(functions)[at]
    }
    list(ended = ended, usable = usable, before = before, after = resident())
}

test_that("interrupts at random moments in every long function leave a session that works and keeps no memory", {
    skip_on_cran()
    skip_on_os(c("windows", "mac", "solaris"))
    rounds <- if (slow_tests()) 50 else 20
    done <- tempfile(fileext = ".rds")
    program <- tempfile(fileext = ".rds")
    saveRDS(list(long_functions = long_functions, interrupt_rounds = interrupt_rounds), program)
    start_session(c(
        sprintf("program <- readRDS(%s)", deparse(program)),
        "for (name in names(program)) environment(program[[name]]) <- globalenv()",
        sprintf("result <- program$interrupt_rounds(program$long_functions(), %d)", rounds),
        sprintf("saveRDS(result, %s)", deparse(paste0(done, ".part"))),
        sprintf("file.rename(%s, %s)", deparse(paste0(done, ".part")), deparse(done))
    ))
    expect_true(wait_for(done, 400))
    result <- readRDS(done)
    expect_identical(unique(result$ended), "interrupted")
    expect_identical(unique(result$usable), "works")
    # A call takes up to 20 MB beyond R's own: of 50, 36 that were kept would show. The allocator keeps some for itself.
    expect_lt(result$after - result$before, 250e6)
})
