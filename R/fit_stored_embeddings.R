# Embeddings of a fit in shards that would take more than 'memory' stay in files: one per shard, which its worker writes
# at the end, with one matrix (rank x cells of the shard) per scale. This session never holds them.

# A new folder for the embeddings, or NULL if they fit into memory, beside what this session holds anyway.
new_embedding_folder <- function(n_scales, x, parameters) {
    control <- parameters$control
    embeddings <- 8 * n_scales * parameters$rank * as.numeric(ncol(x))
    needed <- n_scales * scale_bytes(x, parameters) + embeddings
    if (needed <= control$memory) return(NULL)
    assert_installed("HDF5Array", "a path whose embeddings take more than 'memory' of pnmf_control()")
    folder <- made_folder(tempfile("pnmf-embeddings-", shared_folder(control$shared)))
    inform_pnmf("bases and embeddings (", format_bytes(needed), ") would take more than 'memory' (",
                format_bytes(control$memory), "): the path reads its embeddings (", format_bytes(embeddings),
                ") from files in \"", folder, "\"",
                if (is.null(control$shared)) ", which are deleted when this session ends; set 'shared' to keep them")
    folder
}

embedding_file <- function(folder, s) file.path(folder, sprintf("embeddings-%03d.h5", s))

# Runs on a worker. Returns the largest entry of each shard, which is not finite if any entry is not. t: from 0
store_embeddings <- function(held, files, t) {
    store <- function(shard, file) {
        if (t == 0L) unlink(file) # left by a worker that was lost
        H <- shard_embedding_cpp(shard, t)
        chunk <- c(nrow(H), min(ncol(H), 1000L))
        HDF5Array::writeHDF5Array(H, file, name = scale_name(t + 1L), chunkdim = chunk, level = 0L)
        max(H)
    }
    tryCatch(list(results = Map(store, held, files)), error = function(e) {
        list(failed = paste0("embeddings could not be written to \"", dirname(files[1]), "\": ", conditionMessage(e)))
    })
}

# The embeddings in the files, as delayed matrices. cells: of each shard
stored_embeddings <- function(folder, cells, n_scales) {
    files <- embedding_file(folder, seq_along(cells))
    places <- order(unlist(cells, use.names = FALSE))
    lapply(seq_len(n_scales), function(t) {
        parts <- lapply(files, HDF5Array::HDF5Array, name = scale_name(t))
        do.call(BiocGenerics::cbind, parts)[, places, drop = FALSE]
    })
}
