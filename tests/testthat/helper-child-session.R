# What a child R session computes, with the given environment variables set.
in_child_session <- function(code, environment = character()) {
    file <- tempfile(fileext = ".rds")
    script <- tempfile(fileext = ".R")
    on.exit(unlink(c(file, script)))
    libraries <- deparse1(.libPaths())
    writeLines(c(sprintf(".libPaths(%s)", libraries), "library(pNMF)",
                 sprintf("saveRDS({%s}, '%s')", paste(deparse(code), collapse = "\n"), file)), script)
    rscript <- file.path(R.home("bin"), "Rscript")
    status <- system2(rscript, c("--vanilla", shQuote(script)), env = environment, stdout = FALSE, stderr = FALSE)
    if (status != 0) stop("the child session failed")
    readRDS(file)
}
