# BiocCheck on a tarball:  Rscript .ci/bioccheck.R FILE
# Skips the checks that ask Bioconductor's servers about the maintainer or the release.
left_out <- c("deprecated", "remotes", "version-num", "R-ver", "CRAN", "bioc-help")

# BiocManager asks a server for the release that belongs to this R, and BiocCheck stops without an answer. So the last
# release of each R version is listed here.
releases <- c("4.2" = "3.16", "4.3" = "3.18", "4.4" = "3.20", "4.5" = "3.22")
this_r <- sub("^([0-9]+\\.[0-9]+).*", "\\1", getRversion())
release <- releases[[if (this_r %in% names(releases)) this_r else length(releases)]]
step <- function(version, by) paste(unlist(numeric_version(version)) + c(0, by), collapse = ".")
config <- tempfile(fileext = ".yaml")
writeLines(c(
  sprintf("release_version: \"%s\"", release), sprintf("devel_version: \"%s\"", step(release, 1)),
  "r_ver_for_bioc_ver:", # an old, the present and a coming one: fewer are taken for a mistake
  sprintf("  \"%s\": \"%s\"", c(step(release, -1), release, step(release, 1)), c(this_r, this_r, step(this_r, 1))),
  "rspm_ver_for_bioc_ver:", sprintf("  \"%s\": \"none\"", release),
  "mran_ver_for_bioc_ver:", sprintf("  \"%s\": \"none\"", release)
), config)
options(BIOCONDUCTOR_CONFIG_FILE = paste0("file://", config))

options <- stats::setNames(rep(list(TRUE), length(left_out)), paste0("no-check-", left_out))
result <- do.call(BiocCheck::BiocCheck, c(commandArgs(trailingOnly = TRUE)[1], options))
quit(status = as.integer(length(unlist(result$error)) > 0))
