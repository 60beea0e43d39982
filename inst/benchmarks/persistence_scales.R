# Time and memory of persistence_scales() against hclust(dist(t(x)), "single"), and how both grow with the cells.
#   Rscript persistence_scales.R [REPEATS]
# Every measurement runs in its own process. Peak memory is the kernel's VmHWM since the data were made, minus that of a
# process that holds the same data and has loaded the same code. The best of REPEATS (3) runs counts. Linux only.

dimensions <- 50
compared_cells <- 5000
grown_cells <- c(2500, 5000, 10000, 20000)

tasks <- list(
  nothing = function(x) NULL,
  scales = function(x) pNMF::persistence_scales(x, threads = 1),
  hclust = function(x) stats::hclust(stats::dist(t(x)), "single")
)

peak_megabytes <- function() peak_memory() * 1e9 / 2^20

# Loading packages briefly takes more memory than the work on few cells: reset that peak.
reset_peak <- function() {
  invisible(gc())
  writeLines("5", "/proc/self/clear_refs")
}

# In the child: loads code with a small run, makes the data, runs the task once, prints seconds and peak.
run_task <- function(task, n) {
  small <- matrix(stats::rnorm(20), 2)
  for (warm_up in tasks) warm_up(small)
  set.seed(1)
  x <- matrix(stats::rnorm(dimensions * n), dimensions)
  reset_peak()
  seconds <- system.time(tasks[[task]](x), gcFirst = FALSE)[["elapsed"]]
  writeLines(sprintf("measured %.4f %.3f", seconds, peak_megabytes()))
}

measured <- function(task, n) as.numeric(measured_apart("--run", task, n))

best <- function(task, n, repeats) {
  runs <- vapply(seq_len(repeats), function(k) measured(task, n), numeric(2))
  c(seconds = min(runs[1, ]), megabytes = min(runs[2, ]))
}

measurements <- function(task, n, repeats) {
  alone <- vapply(n, function(cells) best("nothing", cells, repeats)[["megabytes"]], numeric(1))
  found <- vapply(n, function(cells) best(task, cells, repeats), numeric(2))
  data.frame(cells = n, seconds = found["seconds", ], megabytes = pmax(found["megabytes", ] - alone, 0.1))
}

report <- function(repeats) {
  theirs <- measurements("hclust", compared_cells, repeats)
  ours <- measurements("scales", compared_cells, repeats)
  writeLines(sprintf("%d cells x %d dimensions, one thread, best of %d", compared_cells, dimensions, repeats))
  line <- "  %-30s %7.2f s  %8.1f MB beyond the data"
  writeLines(sprintf(line, "hclust(dist(t(x)), \"single\")", theirs$seconds, theirs$megabytes))
  writeLines(sprintf(line, "persistence_scales(x)", ours$seconds, ours$megabytes))
  writeLines(sprintf("  speed ratio   %.1f (wanted: at least 3)", theirs$seconds / ours$seconds))
  writeLines(sprintf("  memory ratio  1/%.0f (wanted: below 1/5)", theirs$megabytes / ours$megabytes))
  growth <- measurements("scales", grown_cells, repeats)
  print(growth, row.names = FALSE, digits = 3)
  # Less than a megabyte fits into memory that R has already allocated, so the exponent is for data and work together.
  with_data <- growth$megabytes + growth$cells * dimensions * 8 / 2^20
  writeLines(sprintf("growth exponents: time %.2f, memory (with the data) %.2f",
                     growth_exponent(growth$cells, growth$seconds), growth_exponent(growth$cells, with_data)))
  last <- nrow(growth)
  writeLines(sprintf("beyond the data, at %d cells: %.0f bytes a cell; a distance matrix would take %.0f",
                     growth$cells[last], growth$megabytes[last] * 2^20 / growth$cells[last], 8 * growth$cells[last]))
}

arguments <- commandArgs(trailingOnly = TRUE)
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "common.R"))
if (identical(arguments[1], "--run")) {
  run_task(arguments[2], as.integer(arguments[3]))
} else {
  report(if (length(arguments) > 0) as.integer(arguments[1]) else 3L)
}
