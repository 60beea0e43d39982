# The R session of shards.slurm:  Rscript shards_mpi.R DATA RESULT WORKERS SECONDS
# Change the arguments of pnmf() to yours.
arguments <- commandArgs(trailingOnly = TRUE)
result <- arguments[2]
checkpoint <- paste0(result, ".ckpt")

library(pNMF)
path <- pnmf(
    readRDS(arguments[1]), rank = 10, scales = 10,
    resume = if (file.exists(checkpoint)) checkpoint,
    BPPARAM = BiocParallel::SnowParam(as.integer(arguments[3]), type = "MPI"),
    control = pnmf_control(checkpoint = checkpoint, shared = dirname(result), verbose = FALSE,
                           time_limit = as.numeric(arguments[4]))
)
saveRDS(path, paste0(result, ".part"))
file.rename(paste0(result, ".part"), result)
Rmpi::mpi.finalize()
