# The files of shards in the shared folder. They hold numbers only, and reading them never restores R objects.

# Only this user can read and write the folder.
new_shard_folder <- function(shared) {
    made_folder(tempfile("pnmf-", shared_folder(shared)))
}

shared_folder <- function(shared) if (is.null(shared)) tempdir() else normalizePath(shared)

made_folder <- function(folder) {
    if (!dir.exists(folder) && !dir.create(folder, showWarnings = FALSE, mode = "0700")) {
        stop_pnmf("the folder \"", folder, "\" could not be created")
    }
    folder
}

state_folder <- function(checkpoint) paste0(checkpoint_path(checkpoint), ".shards")

new_state_folder <- function(checkpoint) made_folder(state_folder(checkpoint))

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

write_shards <- function(folder, x, shards, scales, start, parameters, unit) {
    model <- c(parameters$alpha, parameters$lambda_graph, parameters$lambda_smooth, parameters$lambda_anchor,
               parameters$control$tol > 0, unit)
    common <- list(rank = parameters$rank, thresholds = as.numeric(scales$threshold), model = as.numeric(model),
                   weight = as.numeric(scales$weight), gap = as.numeric(scales$gap),
                   directions = if (is.null(start$projection)) numeric(0) else as.numeric(t(start$projection$U)))
    for (s in seq_along(shards$cells)) {
        cells <- shards$cells[[s]]
        own <- list(H = as.numeric(unlist(lapply(start$H, function(whole) whole[, cells]), use.names = FALSE)),
                    coordinates = as.numeric(start$projection$UtX[, cells]))
        write_numbers(c(data_numbers(cells_of(x, cells)), common, shards$edges[[s]], own), shard_file(folder, s))
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

data_numbers <- function(x) {
    if (is(x, "dgCMatrix")) return(list(dim = dim(x), x = x@x, row = x@i, start = x@p))
    list(dim = dim(x), x = as.vector(x), row = integer(0), start = integer(0))
}

open_shard <- function(file) {
    numbers <- read_numbers(file)
    x <- if (length(numbers$start) == 0L) {
        matrix(numbers$x, numbers$dim[1], numbers$dim[2])
    } else {
        new("dgCMatrix", Dim = numbers$dim, x = numbers$x, i = numbers$row, p = numbers$start)
    }
    open_shard_cpp(x, numbers)
}

shard_fields <- c("dim", "x", "row", "start", "rank", "thresholds", "model", "weight", "gap", "inner_i", "inner_j",
                  "inner_length", "cell", "ghost", "crossing_length", "H", "directions", "coordinates")

# writeBin() and readBin() take at most 2^31 - 1 bytes at once.
max_numbers_at_once <- 2^27

# Types and lengths of the vectors, the vectors in the order of shard_fields, their digest.
write_numbers <- function(numbers, file) {
    numbers <- numbers[shard_fields]
    connection <- file(file, "wb")
    on.exit(close(connection))
    writeBin(vapply(numbers, is.double, logical(1)) + 0L, connection)
    writeBin(as.numeric(lengths(numbers)), connection)
    for (values in numbers) write_vector(values, connection)
    writeChar(digest_cpp(unname(numbers)), connection, eos = NULL)
    close(connection)
    on.exit()
    expected <- 12 * length(numbers) + payload_bytes_cpp(numbers) + 16
    if (file.size(file) != expected) {
        stop_pnmf("'shared' must be a folder with room for the data, but only ", format_bytes(file.size(file)),
                  " of ", format_bytes(expected), " could be written to \"", file, "\"")
    }
}

write_vector <- function(values, connection) {
    if (length(values) <= max_numbers_at_once) return(writeBin(values, connection))
    first <- seq_len(max_numbers_at_once)
    writeBin(values[first], connection)
    write_vector(values[-first], connection)
}

read_numbers <- function(file) {
    connection <- file(file, "rb")
    on.exit(close(connection))
    n <- length(shard_fields)
    double <- readBin(connection, integer(), n)
    size <- readBin(connection, double(), n)
    damaged <- length(size) != n || any(!double %in% 0:1) || any(size != floor(size)) ||
        12 * n + sum(size * (4 + 4 * double)) + 16 != file.size(file)
    if (is.na(damaged) || damaged) stop("the file ", file, " is damaged")
    numbers <- lapply(seq_len(n), function(k) read_vector(connection, double[k], size[k]))
    if (!identical(readChar(connection, 16L), digest_cpp(numbers))) stop("the file ", file, " is damaged")
    stats::setNames(numbers, shard_fields)
}

read_vector <- function(connection, double, size) {
    what <- if (double) double() else integer()
    values <- vector(typeof(what), size)
    at <- 0
    while (at < size) {
        n <- min(max_numbers_at_once, size - at)
        values[at + seq_len(n)] <- readBin(connection, what, n)
        at <- at + n
    }
    values
}
