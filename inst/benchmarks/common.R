# Functions shared by the benchmarks.

shared_file <- function(name) file.path(Sys.getenv("PNMF_SHARED"), "data", paste0(name, ".rds"))

# Without the data, so many simulated cells.
load_set <- function(name, n_cells = 150, n_genes = 4000) {
    if (file.exists(shared_file(name))) return(readRDS(shared_file(name))$X)
    message(name, " is missing: using simulated cells instead")
    normalize_counts(simulate_cells(n_cells = n_cells, n_genes = n_genes)$counts, method = "paper")
}

# Seconds on the clock, and of the processor over all threads.
spent <- function(expr) {
    used <- system.time(expr)
    c(wall = used[["elapsed"]], cpu = used[["user.self"]] + used[["sys.self"]])
}

elapsed <- function(expr) spent(expr)[["wall"]]

growth_exponent <- function(cells, y) stats::coef(stats::lm(log(y) ~ log(cells)))[[2]]

# |x - WH|^2 without the product.
squared_error <- function(x, W, H) {
    sum(x^2) - 2 * sum(Matrix::crossprod(x, W) * t(H)) + sum(crossprod(W) * tcrossprod(H))
}

# Runs the script again, in a process of its own, and returns the lines that it prints.
run_apart <- function(..., env = character()) {
    script <- normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
    system2(file.path(R.home("bin"), "Rscript"), shQuote(c(script, ...)), stdout = TRUE, env = env)
}

# The words that it prints after "measured".
measured_apart <- function(...) {
    line <- grep("^measured ", run_apart(...), value = TRUE)
    if (length(line) != 1) stop("the process for ", paste(..., collapse = " "), " failed", call. = FALSE)
    strsplit(line, " ")[[1]][-1]
}

core_options <- function(lambda_anchor, max_outer, max_inner = 10L, tol = 0, threads = 1L, penalties = 1,
                         chain = TRUE) {
    list(lambda_graph = penalties, lambda_smooth = penalties, lambda_anchor = lambda_anchor, max_outer = max_outer,
         max_inner = max_inner, tol = tol, record = FALSE, chain_start = chain, start_sweeps = 300L,
         refining_sweeps = 0L, extrapolate = TRUE, threads = threads,
         weight = numeric(0), gap = numeric(0))
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

# Cells of 25 types, with sizes that fall as 1/k^0.7. Every type raises the detection rate of 60 genes. Genes are
# assigned one at a time, so that nothing larger than the result is ever in memory.
# varied: whether genes have levels of their own
simulate_sparse_cells <- function(n_cells, n_genes, n_types = 25, density = 0.1, n_markers = 60, varied = TRUE) {
    set.seed(1)
    size <- as.vector(stats::rmultinom(1, n_cells, 1 / seq_len(n_types)^0.7))
    common <- stats::rgamma(n_genes, 1)
    cells_of_type <- function(k) {
        chance <- common / mean(common) * density
        markers <- sample.int(n_genes, n_markers)
        chance[markers] <- chance[markers] + 0.5
        chance <- pmin(chance * density / mean(chance), 0.95)
        seen <- stats::rbinom(n_genes, size[k], chance)
        gene <- rep.int(seq_len(n_genes), seen)
        level <- if (varied) 1 + stats::rexp(n_genes) / 2 else rep(1, n_genes)
        Matrix::sparseMatrix(i = gene, j = unlist(lapply(seen, sample.int, n = size[k])),
                             x = level[gene] * stats::rlnorm(length(gene), 0, 0.3), dims = c(n_genes, size[k]))
    }
    x <- do.call(cbind, lapply(which(size > 0), cells_of_type))
    x <- x[, sample.int(n_cells)]
    dimnames(x) <- list(paste0("gene", seq_len(n_genes)), paste0("cell", seq_len(n_cells)))
    x
}
