# Runs tests/testthat against the installed package and fails on any failure:  Rscript .ci/run-tests.R [FILTER]
# Leaves "passed failed skipped" in .build/test-counts for .ci/run.
suppressPackageStartupMessages(library(testthat))

count_tests <- function(results) {
  table <- as.data.frame(results)
  failed <- table$failed > 0 | table$error
  skipped <- table$skipped & !failed
  c(passed = sum(!failed & !skipped), failed = sum(failed), skipped = sum(skipped))
}

skip_reasons <- function(results) {
  expectations <- unlist(lapply(results, `[[`, "results"), recursive = FALSE)
  skips <- Filter(function(e) inherits(e, "expectation_skip"), expectations)
  vapply(skips, function(e) sub("^Reason: ", "", conditionMessage(e)), "")
}

print_skips <- function(reasons) {
  if (length(reasons) == 0) return(invisible())
  counts <- sort(table(reasons), decreasing = TRUE)
  cat("\nSkipped, and why:\n")
  cat(sprintf("  %4d  %s\n", counts, names(counts)), sep = "")
}

print_slowest <- function(results, n = 5) {
  times <- with(as.data.frame(results), sort(tapply(real, file, sum), decreasing = TRUE))
  times <- times[seq_len(min(n, length(times)))]
  cat("\nSlowest files (seconds):\n")
  cat(sprintf("  %6.1f  %s\n", times, names(times)), sep = "")
}

filter <- commandArgs(trailingOnly = TRUE)
unlink(".build/test-counts")
Sys.setenv(NOT_CRAN = "true")
# Two processes share the files, except with TESTTHAT_PARALLEL=FALSE, which also prints the slowest files.
side_by_side <- !identical(Sys.getenv("TESTTHAT_PARALLEL"), "FALSE")
if (side_by_side) Sys.setenv(TESTTHAT_PARALLEL = "TRUE", TESTTHAT_CPUS = "2")
results <- test_dir(
  "tests/testthat", filter = if (length(filter) > 0) filter[1], package = "pNMF", load_package = "installed",
  reporter = "summary", stop_on_failure = FALSE
)
counts <- count_tests(results)
writeLines(paste(counts, collapse = " "), ".build/test-counts")
print_skips(skip_reasons(results))
if (!side_by_side) print_slowest(results)
cat(sprintf("\n%d expectations in %d tests\n", sum(as.data.frame(results)$nb), sum(counts)))
cat(sprintf("testthat: %d passed, %d failed, %d skipped\n", counts["passed"], counts["failed"], counts["skipped"]))
# Finding no test is also a failure.
quit(status = if (counts["failed"] == 0 && sum(counts) > 0) 0 else 1)
