# The R packages in DESCRIPTION. Uses base R only, because it runs before anything else is installed.
#   Rscript .ci/packages.R missing run|test [PACKAGE ...]   "required NAME" or "optional NAME" per missing package
#   Rscript .ci/packages.R closure PACKAGE ...              missing packages needed to build these from CRAN
#   Rscript .ci/packages.R install PACKAGE ...              from CRAN, or Bioconductor where CRAN has none

# "testthat (>= 3.0.0), R (>= 4.2)" -> c(testthat = "3.0.0"): names and least versions, R itself left out
parse_field <- function(text) {
  entries <- trimws(strsplit(text, ",")[[1]])
  entries <- entries[nzchar(entries)]
  versions <- ifelse(grepl(">=", entries), sub(".*>=\\s*([^) ]+).*", "\\1", entries), "0")
  names(versions) <- sub("[ (\n].*", "", entries)
  versions[names(versions) != "R"]
}

declared <- function(fields) {
  description <- read.dcf("DESCRIPTION")
  fields <- intersect(fields, colnames(description))
  do.call(c, lapply(fields, function(field) parse_field(description[1, field])))
}

is_missing <- function(package, version) {
  path <- find.package(package, quiet = TRUE)
  length(path) == 0 || utils::packageVersion(package, dirname(path[1])) < version
}

missing_of <- function(versions) {
  unique(names(versions)[as.logical(mapply(is_missing, names(versions), versions))])
}

print_missing <- function(purpose, extra) {
  extra <- stats::setNames(rep("0", length(extra)), extra)
  required <- missing_of(c(declared(c("Depends", "Imports", "LinkingTo")), extra))
  optional <- if (purpose == "test") setdiff(missing_of(declared("Suggests")), required)
  writeLines(c(sprintf("required %s", required), sprintf("optional %s", optional)))
}

# R outside Debian may have no mirror set; the first of R's own list serves everywhere.
use_a_mirror <- function() {
  if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) {
    utils::chooseCRANmirror(graphics = FALSE, ind = 1, local.only = TRUE)
  }
}

print_closure <- function(packages) {
  index <- utils::available.packages()
  needed <- unlist(tools::package_dependencies(packages, index, recursive = TRUE))
  writeLines(setdiff(unique(needed), rownames(utils::installed.packages())))
}

writable_library <- function() {
  writable <- .libPaths()[file.access(.libPaths(), 2) == 0]
  if (length(writable) > 0) return(writable[1])
  user <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep)[[1]][1]
  dir.create(user, recursive = TRUE, showWarnings = FALSE)
  .libPaths(user)
  user
}

install <- function(packages) {
  library <- writable_library()
  cores <- max(1, parallel::detectCores(), na.rm = TRUE)
  on_cran <- packages %in% rownames(utils::available.packages())
  if (any(on_cran)) utils::install.packages(packages[on_cran], lib = library, Ncpus = cores)
  if (all(on_cran)) return(invisible())
  if (!requireNamespace("BiocManager", quietly = TRUE)) utils::install.packages("BiocManager", lib = library)
  BiocManager::install(packages[!on_cran], lib = library, ask = FALSE, update = FALSE, Ncpus = cores)
}

arguments <- commandArgs(trailingOnly = TRUE)
use_a_mirror()
switch(arguments[1],
  missing = print_missing(arguments[2], arguments[-(1:2)]),
  closure = print_closure(arguments[-1]),
  install = install(arguments[-1]),
  stop("unknown command: ", arguments[1])
)
