# The workers that hold the shards of a fit. call(what, message) passes a message to all of them and returns
# list(results = ), list(lost = TRUE), list(failed = why) or list(unwritten = why), see RShards in r_fit_shards.cpp;
# traffic() returns the bytes sent and received since the last call. embeddings: the folder that receives the embeddings
# at the end, or NULL if this session does.
start_shard_workers <- function(cells, control, resumed, embeddings, BPPARAM) {
    folder <- made_folder(tempfile("pnmf-", shared_folder(control$shared)))
    # Where the states will be stored, and where they were stored last: the folder, and the place (0 or 1) in it.
    states <- if (is.null(control$checkpoint)) folder else made_folder(state_folder(control$checkpoint))
    stored <- if (!is.null(resumed)) stored_states(resumed, length(cells))
    ready <- FALSE
    on.exit(if (!ready) unlink(folder, recursive = TRUE))
    started <- !BiocParallel::bpisup(BPPARAM)
    if (started) BPPARAM <- BiocParallel::bpstart(BPPARAM)
    ready <- TRUE
    owners <- shard_owners(length(cells), BiocParallel::bpnworkers(BPPARAM))
    bytes <- c(sent = 0, received = 0)
    call <- function(what, message) {
        message$embeddings <- embeddings
        units <- lapply(owners, function(own) shard_unit(own, what, message, folder, states, stored))
        answer <- run_units(units, BPPARAM)
        bytes <<- bytes + c(payload_bytes_cpp(units), payload_bytes_cpp(answer))
        if (what == "save" && !is.null(answer$results)) stored <<- c(states, message$place)
        if (what == "collect" && !is.null(answer$results)) {
            # The largest entry stands for an embedding that stays in files.
            answer$results <- if (is.null(embeddings)) {
                in_cell_order(answer$results, cells)
            } else {
                matrix(max(unlist(answer$results)))
            }
        }
        answer
    }
    list(
        folder = folder, call = call,
        traffic = function() {
            seen <- bytes
            bytes[] <<- 0
            seen
        },
        # If a worker has died, calls to the others fail, too.
        stop = function() {
            forget <- lapply(owners, shard_unit, what = "forget", message = list(), folder, states, stored)
            if (!started) try(suppressWarnings(run_units(forget, BPPARAM)), silent = TRUE)
            if (is(BPPARAM, "SerialParam")) forget_shards()
            if (started) try(suppressWarnings(BiocParallel::bpstop(BPPARAM)), silent = TRUE)
            unlink(folder, recursive = TRUE)
        }
    )
}

# Neighbouring shards go to the same worker.
shard_owners <- function(n_shards, n_workers) {
    n_workers <- max(1L, min(n_workers, n_shards))
    unname(split(seq_len(n_shards), ceiling(seq_len(n_shards) * n_workers / n_shards)))
}

shard_unit <- function(own, what, message, folder, states, stored) {
    message$ghosts <- message$ghosts[own]
    list(what = what, shards = own, folder = folder, states = states, stored = stored, message = message)
}

run_units <- function(units, BPPARAM) {
    answers <- tryCatch(
        if (is(BPPARAM, "SerialParam")) {
            lapply(units, work_on_shards)
        } else {
            with_random_state(NULL, BiocParallel::bplapply(units, work_on_shards, BPPARAM = BPPARAM))
        },
        error = function(e) {
            list(list(failed = paste0("shards of cells were lost (", conditionMessage(e), ")")))
        }
    )
    for (problem in c("failed", "lost", "unwritten")) {
        for (answer in answers) if (!is.null(answer[[problem]])) return(answer[problem])
    }
    list(results = unlist(lapply(answers, `[[`, "results"), recursive = FALSE))
}

in_cell_order <- function(parts, cells) {
    H <- matrix(0, nrow(parts[[1]]), sum(lengths(cells)))
    for (s in seq_along(cells)) H[, cells[[s]]] <- parts[[s]]
    H
}

# The shards that this process holds. They belong to one fit at a time.
worker_state <- new.env(parent = emptyenv())

forget_shards <- function() {
    for (shard in worker_state$shards) close_shard_cpp(shard)
    worker_state$folder <- NULL
    worker_state$shards <- list()
}

# Runs on a worker. Where pNMF is not installed, the function arrives without its namespace.
work_on_shards <- function(unit) {
    if (!exists("worker_state")) stop("pNMF is not in the library of the worker: .libPaths(), R_LIBS", call. = FALSE)
    if (unit$what == "forget") {
        forget_shards()
        return(list())
    }
    if (!identical(worker_state$folder, unit$folder)) {
        forget_shards()
        worker_state$folder <- unit$folder
    }
    held <- lapply(unit$shards, function(s) held_shard(s, unit$message$version, unit$folder, unit$stored))
    if (any(vapply(held, is.null, logical(1)))) return(list(lost = TRUE))
    message <- unit$message
    switch(unit$what,
        answer = list(results = Map(function(shard, ghosts) answer_request_cpp(shard, message$request, ghosts), held,
                                    message$ghosts)),
        collect = if (is.null(message$embeddings)) {
            list(results = lapply(held, shard_embedding_cpp, t = message$t))
        } else {
            store_embeddings(held, embedding_file(message$embeddings, unit$shards), message$t)
        },
        save = saved_shards(held, state_file(unit$states, unit$shards, message$place))
    )
}

saved_shards <- function(held, files) {
    tryCatch({
        list(results = Map(save_shard_cpp, held, files))
    }, pnmf_unwritten_checkpoint = function(e) list(unwritten = conditionMessage(e)))
}

# The shard with the state of this version, from memory or from the shared folder; NULL if it is nowhere.
held_shard <- function(s, version, folder, stored) {
    name <- as.character(s)
    shard <- worker_state$shards[[name]]
    if (!is.null(shard) && shard_version_cpp(shard) == version) return(shard)
    if (!is.null(shard)) {
        close_shard_cpp(shard)
        worker_state$shards[[name]] <- NULL
    }
    shard <- open_shard_cpp(shard_file(folder, s))
    worker_state$shards[[name]] <- shard
    if (version == 0L) return(shard)
    if (is.null(stored)) return(NULL)
    if (restore_shard_cpp(shard, state_file(stored[1], s, stored[2]), version)) shard
}
