# Fits the path on the workers of a BiocParallel backend. The cells are split into shards. A worker holds the data, the
# embeddings and the edges of its shards; this session holds the bases and the embeddings of cells at borders of shards.
fit_shards <- function(x, scales, start, parameters, run, BPPARAM, options, on_sweep) {
    control <- parameters$control
    shards <- split_cells_cpp(ncol(x), scales$edges, n_shards(ncol(x)))
    unit <- border_unit(x)
    resumed <- run$resumed
    begin <- if (is.null(resumed)) normalized_start(start)
    embeddings <- new_embedding_folder(length(scales$threshold), x, parameters)
    finished <- FALSE
    on.exit(if (!finished) unlink(embeddings, recursive = TRUE))
    workers <- start_shard_workers(shards$cells, control, resumed, embeddings, BPPARAM)
    on.exit(workers$stop(), add = TRUE, after = FALSE)
    write_shards(workers$folder, x, shards, scales, begin, parameters, options, unit)
    begin <- begin["W"]
    traffic <- list()
    last <- proc.time()[["elapsed"]]
    fit <- fit_shards_cpp(
        shards$borders, problem_size(x, scales), scales$threshold, parameters$alpha, unit,
        if (is.null(resumed)) begin$W else resumed$state, options, sweeps_between_saves(BPPARAM),
        function(sweep, objective) {
            now <- proc.time()[["elapsed"]]
            traffic[[sweep]] <<- c(workers$traffic(), now - last)
            last <<- now
            on_sweep(sweep, objective, sum(utils::head(traffic[[sweep]], 2L)))
        },
        checkpoint_target(control, run), workers$call
    )
    assert_finite_fit(fit)
    if (!is.null(embeddings)) fit$H <- stored_embeddings(embeddings, shards$cells, length(fit$H))
    finished <- TRUE
    fit$shards <- list(cells = lengths(shards$cells), crossing = shards$crossing, traffic = traffic_record(traffic),
                       embeddings = embeddings)
    fit
}

# Depends on the number of cells only: the result must not depend on the number of workers.
cells_per_shard <- 1000
max_shards <- 8
max_cells_per_shard <- 250000
n_shards <- function(n_cells) {
    max(1L, as.integer(min(floor(n_cells / cells_per_shard), max(max_shards, ceiling(n_cells / max_cells_per_shard)))))
}

# Embeddings of border cells are sent in single precision, whose range of exponents is small, and therefore in this
# unit.
border_unit <- function(x) {
    largest <- largest_entry(x)
    if (largest > 0) 2^floor(log2(largest)) else 1
}

normalized_start <- function(start) {
    used <- if (isTRUE(start$chain)) 1L else seq_along(start$W)
    c(normalized_start_cpp(start$W[used], start$H[used]), list(projection = start$projection))
}

problem_size <- function(x, scales) {
    nonzeros <- if (is_streamed(x)) x$nonzeros else sum(if (is(x, "dgCMatrix")) x@x != 0 else x != 0)
    list(features = nrow(x), cells = ncol(x), nonzeros = nonzeros, squared_norm = squared_norm(x),
         mean_edges = mean(findInterval(scales$threshold, scales$edges$length, left.open = TRUE)))
}

# How often workers store their embeddings without a checkpoint, so that a restarted worker finds them. Workers within
# this session cannot be lost.
sweeps_between_states <- 10L
sweeps_between_saves <- function(BPPARAM) if (is(BPPARAM, "SerialParam")) 0L else sweeps_between_states

# Bytes and seconds of each sweep; NA for sweeps of an earlier call. The first sweep includes the start.
traffic_record <- function(traffic) {
    seen <- vapply(traffic, function(sweep) if (is.null(sweep)) rep(NA_real_, 3) else unname(sweep), numeric(3))
    data.frame(outer = seq_along(traffic), sent = seen[1, ], received = seen[2, ], seconds = seen[3, ])
}
