# BiocCheck on a tarball:  Rscript .ci/bioccheck.R FILE
# Left out is what asks Bioconductor's servers: about the maintainer or the release, not about the package.
left_out <- c("deprecated", "remotes", "version-num", "R-ver", "CRAN", "bioc-help")
options <- stats::setNames(rep(list(TRUE), length(left_out)), paste0("no-check-", left_out))
result <- do.call(BiocCheck::BiocCheck, c(commandArgs(trailingOnly = TRUE)[1], options))
quit(status = as.integer(length(unlist(result$error)) > 0))
