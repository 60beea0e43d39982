# Every exported function must have a help page with examples.
# Methods are exempt: they are documented on the page of their class or generic.
exports <- sort(parseNamespaceFile(basename(getwd()), dirname(getwd()))$exports)

tags_of <- function(rd) vapply(rd, function(part) sub("^\\\\", "", attr(part, "Rd_tag")), "")

aliases_of <- function(rd) {
  vapply(rd[tags_of(rd) == "alias"], function(part) paste(unlist(part), collapse = ""), "")
}

pages <- tools::Rd_db(dir = ".")
with_examples <- vapply(pages, function(rd) "examples" %in% tags_of(rd), NA)
documented <- unlist(lapply(pages, aliases_of))
shown <- unlist(lapply(pages[with_examples], aliases_of))

without_page <- setdiff(exports, documented)
without_examples <- setdiff(exports, c(shown, without_page))
if (length(exports) == 0) stop("NAMESPACE exports nothing")
if (length(without_page) > 0) message("No help page: ", toString(without_page))
if (length(without_examples) > 0) message("No examples: ", toString(without_examples))
cat(sprintf("%d exports, %d without a page, %d without examples\n",
            length(exports), length(without_page), length(without_examples)))
quit(status = as.integer(length(c(without_page, without_examples)) > 0))
