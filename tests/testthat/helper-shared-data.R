# Data for checks that is not part of the package: the RDS `name` (with or without extension) in $PNMF_SHARED/data, else
# in shared/data beside this project or beside any directory above it. Skips the calling test where the file is absent.
shared_data <- function(name) {
  file <- sub("(\\.rds)?$", ".rds", name)
  found <- Filter(file.exists, file.path(shared_data_directories(), file))
  if (length(found) == 0) {
    testthat::skip(sprintf("shared data file '%s' not found; set PNMF_SHARED", file))
  }
  readRDS(found[[1]])
}

shared_data_directories <- function() {
  parents <- Reduce(function(directory, i) dirname(directory), seq_len(8), normalizePath(getwd()), accumulate = TRUE)
  roots <- c(Sys.getenv("PNMF_SHARED"), file.path(unique(parents), "shared"))
  file.path(roots[nzchar(roots)], "data")
}
