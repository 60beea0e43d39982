# R tests for mutate.R, against the package in .build/library:
#   Rscript .ci/mutate-tests.R change FILE STEM ...  with the functions of FILE in place of the package's; ends with
#                                                    status 1 at the first failure
#   Rscript .ci/mutate-tests.R reach FILE STEM       FILE gets the names of the functions that the test file calls
suppressPackageStartupMessages(library(testthat))
Sys.setenv(NOT_CRAN = "true")
settings <- commandArgs(trailingOnly = TRUE)
namespace <- asNamespace("pNMF")
methods <- getNamespaceInfo(namespace, "S3methods")

put <- function(name, value) {
  unlockBinding(name, namespace)
  assign(name, value, namespace)
  for (k in which(methods[, 3] == name)) registerS3method(methods[k, 1], methods[k, 2], value, envir = namespace)
}

change <- function(file) {
  for (e in parse(file)) {
    if (is.call(e) && identical(e[[1]], quote(`<-`)) && is.call(e[[3]]) && identical(e[[3]][[1]], quote(`function`))) {
      put(as.character(e[[2]]), eval(e[[3]], namespace))
    }
  }
}

# Each function notes its name where it is called.
note_calls <- function(called) {
  for (name in ls(namespace, all.names = TRUE)) {
    value <- get(name, namespace)
    if (!is.function(value) || isS4(value)) next
    body(value) <- bquote({
      assign(.(name), TRUE, .(called))
      .(body(value))
    })
    put(name, value)
  }
}

called <- new.env()
if (settings[1] == "reach") note_calls(called) else change(settings[2])
for (stem in settings[-(1:2)]) {
  test_dir("tests/testthat", filter = paste0("^", stem, "$"), package = "pNMF", load_package = "none",
           env = new.env(parent = namespace), reporter = "stop")
}
if (settings[1] == "reach") writeLines(ls(called, all.names = TRUE), settings[2])
