# Line coverage of the tests for R and for C++, and the lines that no test reaches.
copy <- normalizePath(commandArgs(trailingOnly = TRUE)[1])
generated <- c("R/RcppExports.R", "src/RcppExports.cpp")
# Failing tests are reported by make test; they must not prevent the figures.
run_tests <- c(
  "Sys.setenv(NOT_CRAN = 'true')",
  sprintf("testthat::test_dir('%s', package = 'pNMF', load_package = 'installed', stop_on_failure = FALSE)",
          file.path(copy, "tests/testthat")),
  # Sessions that tests kill may leave an incomplete record of their lines.
  "for (record in list.files(dirname(find.package('pNMF')), '^covr_trace_', full.names = TRUE)) {",
  "  tryCatch(invisible(readRDS(record)), error = function(e) unlink(record))",
  "}"
)
# covr compiles with -O0, which makes Eigen some ten times slower. With -O1 lines are still counted one by one.
loadNamespace("covr")
options(covr.flags = sub("-O0", "-O1", getOption("covr.flags")))
coverage <- covr::package_coverage(copy, type = "none", code = run_tests, line_exclusions = generated)
lines <- covr::tally_coverage(coverage, by = "line")
lines$language <- ifelse(grepl("^R/", lines$filename), "R", "C++")

# 1, 2, 3, 7 become "1-3, 7"
as_ranges <- function(numbers) {
  runs <- split(numbers, cumsum(c(1, diff(numbers) > 1)))
  toString(vapply(runs, function(run) paste(unique(range(run)), collapse = "-"), ""))
}

unreached <- lines[lines$value == 0, ]
ranges <- vapply(split(unreached$line, unreached$filename), function(numbers) as_ranges(sort(numbers)), "")
cat(sprintf("not reached: %s: %s\n", names(ranges), ranges), sep = "")
per_file <- aggregate(value ~ filename, lines, function(hits) 100 * mean(hits > 0))
cat(sprintf("%6.1f%%  %s\n", per_file$value, per_file$filename), sep = "")
for (language in unique(lines$language)) {
  hits <- lines$value[lines$language == language]
  cat(sprintf("coverage of %s: %.1f%% of %d lines\n", language, 100 * mean(hits > 0), length(hits)))
}
