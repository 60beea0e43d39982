# The page of a large path: CPU seconds to write it, its size, and seconds until headless chromium has drawn it.
#   Rscript path_report.R [CELLS] [SCALES]     (50,000 and 20)
# Opening is measured from the address to the finished drawing, best of three; then one step of the slider. The second
# line draws every cell instead of a sample. Needs chromium and the packages plotly and processx.
library(pNMF)
source(system.file("scripts", "headless_browser.R", package = "pNMF", mustWork = TRUE))

rank <- 8
kinds <- 12

# A path like that of a fit, but simulated: groups that approach each other towards the coarse end.
large_path <- function(cells, scales) {
  x <- abs(matrix(stats::rnorm(2 * 60), 2))
  path <- pnmf(x, rank = 1, scales = scales, control = pnmf_control(max_outer = 1, tol = 0))
  kind <- rep_len(seq_len(kinds), cells)
  centres <- matrix(stats::rexp(rank * kinds), rank)
  noise <- matrix(stats::rexp(rank * cells, 4), rank)
  path@H <- lapply(seq_len(scales), function(t) {
    towards <- (t - 1) / scales
    (1 - towards) * centres[, kind] + towards * rowMeans(centres) + (1 - towards / 2) * noise
  })
  path@W <- rep(list(matrix(stats::rexp(2000 * rank), 2000)), scales)
  path@parameters$rank <- rank
  path@feature_names <- paste0("gene", seq_len(2000))
  path@cell_names <- sprintf("AAACCTGAGAAACCAT-%d", seq_len(cells))
  deaths <- sort(stats::rexp(cells - 1))
  path@scales$mst <- data.frame(i = seq_len(cells - 1), j = seq_len(cells)[-1], length = deaths)
  path@scales$threshold <- deaths[round(seq(1, cells - 1, length.out = scales))]
  path@scales$betti0 <- as.integer(cells - findInterval(path@scales$threshold, deaths, left.open = TRUE))
  path@scales$n_cells <- cells
  path@scales[c("cell_names", "coordinates")] <- list(NULL)
  methods::validObject(path)
  list(path = path, kind = paste("kind", kind))
}

ready <- "document.documentElement.dataset.pnmf === 'ready'"

seconds_to_open <- function(page) {
  browser <- open_browser()
  on.exit(close_browser(browser))
  seconds <- system.time({
    visit(browser, page)
    wait_until(browser, ready)
  })[["elapsed"]]
  errors <- page_errors(browser)
  if (length(errors) > 0) stop("the page has errors: ", errors[1], call. = FALSE)
  step <- system.time({
    set_value(browser, "#pnmf-scale", 9)
    wait_until(browser, ready)
  })[["elapsed"]]
  c(open = seconds, step = step)
}

report <- function(name, made, ...) {
  page <- tempfile(fileext = ".html")
  on.exit(unlink(page))
  written <- system.time(path_report(made$path, page, labels = made$kind, suggested = NA, ...))[["user.self"]]
  times <- replicate(3, seconds_to_open(page))
  line <- "  %-32s %6.1f s of CPU to write %6.1f MB %6.2f s to open (wanted: below 5) %6.2f s a step of the slider"
  writeLines(sprintf(line, name, written, file.size(page) / 1e6, min(times["open", ]), min(times["step", ])))
}

arguments <- as.integer(commandArgs(trailingOnly = TRUE))
size <- c(50000L, 20L)
size[seq_along(arguments)] <- arguments
set.seed(1)
made <- large_path(size[1], size[2])
writeLines(sprintf("%d cells x %d scales, rank %d", size[1], size[2], rank))
report("UMAP of a sample of 5,000", made)
report("two factors, every cell drawn", made, factors = 1:2, max_cells = size[1])
