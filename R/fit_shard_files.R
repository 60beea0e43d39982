# The files of shards in the shared folder. They hold numbers only, and reading them never restores R objects.

shared_folder <- function(shared) if (is.null(shared)) tempdir() else normalizePath(shared)

# Only this user can read and write a new folder.
made_folder <- function(folder) {
    if (!dir.exists(folder) && !dir.create(folder, showWarnings = FALSE, mode = "0700")) {
        stop_pnmf("the folder \"", folder, "\" could not be created")
    }
    folder
}

state_folder <- function(checkpoint) paste0(checkpoint_path(checkpoint), ".shards")

# Folder and place of the states that belong to a checkpoint.
stored_states <- function(resumed, n_shards) {
    folder <- state_folder(resumed$file)
    missing <- !file.exists(state_file(folder, seq_len(n_shards), resumed$place))
    if (any(missing)) {
        stop_pnmf("'resume' must be a checkpoint with the states of its shards in \"", folder, "\", but ",
                  sum(missing), " of ", n_shards, " are missing")
    }
    c(folder, resumed$place)
}

shard_file <- function(folder, s) file.path(folder, sprintf("shard-%03d.data", s))

state_file <- function(folder, s, place) file.path(folder, sprintf("shard-%03d.%s", s, place))

write_shards <- function(folder, x, shards, scales, start, parameters, options, unit) {
    model <- list(rank = parameters$rank, thresholds = as.numeric(scales$threshold), alpha = parameters$alpha,
                  unit = unit)
    for (s in seq_along(shards$cells)) {
        cells <- shards$cells[[s]]
        own <- lapply(start$H, function(whole) whole[, cells, drop = FALSE])
        projection <- start$projection
        if (!is.null(projection)) projection$UtX <- projection$UtX[, cells, drop = FALSE]
        tryCatch(
            write_shard_cpp(shard_file(folder, s), cells_of(x, cells), shards$edges[[s]], model, options, own,
                            projection),
            pnmf_unwritten_checkpoint = function(e) {
                stop_pnmf("'shared' must be a folder with room for the data, but a shard could not be written to \"",
                          folder, "\": ", conditionMessage(e))
            }
        )
    }
}

# Data on disk are read once per shard.
cells_of <- function(x, cells) {
    if (!is_streamed(x)) return(x[, cells, drop = FALSE])
    last <- c(x$first[-1] - 1L, ncol(x))
    do.call(cbind, lapply(seq_along(x$first), function(block) {
        inside <- cells[cells >= x$first[block] & cells <= last[block]]
        if (length(inside)) next_block(x, block)[, inside - x$first[block] + 1L, drop = FALSE]
    }))
}
