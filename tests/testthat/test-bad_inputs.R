# Users must never see internal errors.
internal_words <- paste(
    "subscript out of bounds", "Rcpp", "std::", "[cC]\\+\\+", "xception", "Eigen", "SEXP", "non-numeric argument",
    "argument is of length zero", "missing value where TRUE/FALSE", "incorrect number of", "object .* not found",
    "unable to find an inherited method", "invalid 'type'", "no applicable method", "must be of mode",
    sep = "|"
)

# What a bad call did, or NULL if it gave the expected error.
complaint <- function(bad, fixtures) {
    outcome <- tryCatch(suppressWarnings(suppressMessages(eval(bad$call, fixtures))), error = identity)
    shown <- paste(deparse(bad$call, width.cutoff = 200L), collapse = " ")
    if (!inherits(outcome, "error")) return(paste(shown, "was accepted"))
    message <- conditionMessage(outcome)
    if (!inherits(outcome, "pnmf_error")) return(sprintf("%s stopped with another error: %s", shown, message))
    if (!grepl(paste0("'", bad$argument), message, fixed = TRUE)) {
        return(sprintf("%s: the message does not name '%s': %s", shown, bad$argument, message))
    }
    if (grepl(internal_words, message)) return(sprintf("%s: internals shown: %s", shown, message))
    NULL
}

test_that("every bad call is refused with an error that names its argument", {
    skip_if_not_installed("SeuratObject")
    table <- all_bad_calls()
    expect_gte(length(table), 150L)
    complaints <- unlist(lapply(table, complaint, fixtures = call_fixtures()))
    expect_identical(complaints, NULL)
})

test_that("a huge size is refused before memory is asked for", {
    # An object that claims more rows than 32 bits can index; nothing of that size exists.
    expect_error(assert_index_limits(c(2^31, 10), "x"), "'x' must have fewer than 2\\^31", class = "pnmf_error")
    expect_error(assert_index_limits(c(10, 2^53), "x"), "'x' must have fewer than 2\\^31", class = "pnmf_error")
    expect_no_error(assert_index_limits(c(2^31 - 1, 2^31 - 1), "x"))
    scales <- persistence_scales(random_cells(10))
    scales$n_edges[5] <- 2^31
    expect_error(scale_graph(scales, 5), "'t' must be a scale with fewer than 2\\^31 edges", class = "pnmf_error")
})

test_that("every exported function has its bad calls, or a reason to have none", {
    reasons <- c(
        show = "takes a path and nothing else, and other classes have methods of their own"
    )
    exported <- getNamespaceExports("pNMF")
    exported <- exported[!grepl("^\\.__", exported)]
    # A primitive is exported with its methods only.
    covered <- setdiff(vapply(all_bad_calls(), `[[`, "", "fun"), "[")
    expect_identical(sort(setdiff(exported, c(covered, names(reasons)))), character())
    # Neither the table nor the list may contain a removed function.
    expect_identical(setdiff(c(covered, names(reasons)), exported), character())
})
