# The documentation as web pages:  Rscript .ci/site.R SOURCE DESTINATION
# From the installed package and without a network; a page missing from _pkgdown.yml's index fails.
arguments <- commandArgs(trailingOnly = TRUE)
options(pkgdown.internet = FALSE)
destination <- file.path(normalizePath(dirname(arguments[2])), basename(arguments[2]))
unlink(destination, recursive = TRUE)
site <- pkgdown::as_pkgdown(arguments[1], override = list(destination = destination))
pkgdown::check_pkgdown(site)
pkgdown::build_site(site, devel = FALSE, preview = FALSE, new_process = FALSE, install = FALSE)

expected <- c("index.html", "reference/index.html", "articles/index.html", "news/index.html",
              file.path("articles", sub("Rmd$", "html", dir("vignettes", "[.]Rmd$"))),
              file.path("reference", sub("Rd$", "html", dir("man", "[.]Rd$"))))

# Pictures that a page names and the site lacks, of which pkgdown only warns.
missing_pictures <- function(page) {
  text <- paste(readLines(page, warn = FALSE), collapse = "\n")
  named <- regmatches(text, gregexpr("(?<=<img src=\")[^\":]+(?=\")", text, perl = TRUE))[[1]]
  named[!file.exists(file.path(dirname(page), named))]
}

missing <- expected[!file.exists(file.path(destination, expected))]
if (length(missing) > 0) stop("pages that were not built: ", toString(missing), call. = FALSE)
pages <- dir(destination, "[.]html$", recursive = TRUE, full.names = TRUE)
missing <- unlist(lapply(pages, missing_pictures))
if (length(missing) > 0) stop("pictures that pages name and the site lacks: ", toString(missing), call. = FALSE)
cat(sprintf("%d pages in %s\n", length(pages), destination))
