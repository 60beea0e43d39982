# Mutation testing:  Rscript .ci/mutate.R [MUTANTS] [SEED]   (make mutate prepares what it needs)
#                    Rscript .ci/mutate.R LOG                 the survivors of an earlier run with the same sources
# Flips one operator or constant in a line of the core or in a function of R/, runs the tests that match, and reports
# the share of mutants that some test killed, and the survivors. Works on the copy in .build/mutants and on the package
# in .build/library; sources are not touched. Half of the mutants are of the core.
settings <- c(commandArgs(trailingOnly = TRUE), 200, 1)[1:2]
copy <- normalizePath(".build/mutants")
seconds_per_run <- 600

# --- What can be flipped ----------------------------------------------------------------------------------------------

# Token -> its mutant. Numbers are handled separately.
flips <- c(
  "<" = "<=", "<=" = "<", ">" = ">=", ">=" = ">", "==" = "!=", "!=" = "==", "&&" = "||", "||" = "&&", "+" = "-",
  "-" = "+", "*" = "/", "/" = "*", "+=" = "-=", "-=" = "+=", "true" = "false", "false" = "true", "TRUE" = "FALSE",
  "FALSE" = "TRUE", "std::min" = "std::max", "std::max" = "std::min", "pmin" = "pmax", "pmax" = "pmin", "any" = "all",
  "all" = "any", "&" = "|", "|" = "&"
)

flipped_number <- function(text) {
  if (grepl("^0[.]?0*L?$", text)) return(sub("0", "1", text))
  if (grepl("^1[.]?0*L?$", text)) return(sub("1", "2", text))
  NA_character_
}

# Operators stand between spaces in formatted C++, which tells them from templates, pointers and signs.
cpp_pattern <- paste0("(?<= )(<=|>=|==|!=|&&|\\|\\||\\+=|-=|<|>|\\+|-|\\*|/)(?= )|",
                      "\\b(true|false|std::min|std::max)\\b|(?<=[ (])[01](?=[;,) ])")

cpp_places <- function(file) {
  lines <- readLines(file)
  code <- grepl("[;{]$", lines) & !grepl("^ *(#|//|template|using|static_assert|constexpr .*unit)", lines)
  places <- lapply(which(code), function(at) {
    statement <- sub("//.*", "", lines[at])
    found <- gregexpr(cpp_pattern, statement, perl = TRUE)[[1]]
    if (found[1] < 0) return(NULL)
    text <- regmatches(statement, list(found))[[1]]
    data.frame(kind = "core", file = file, line = at, column = as.integer(found), text = text)
  })
  do.call(rbind, places)
}

# Tokens within top-level functions that are assigned to a name.
r_places <- function(file) {
  tokens <- utils::getParseData(parse(file, keep.source = TRUE))
  within <- function_lines(file)
  tokens <- tokens[tokens$terminal & tokens$line1 %in% within, ]
  number <- tokens$token == "NUM_CONST" & grepl("^([01]L?|TRUE|FALSE)$", tokens$text)
  operator <- tokens$token %in% c("LT", "LE", "GT", "GE", "EQ", "NE", "AND", "AND2", "OR", "OR2",
                                  "'+'", "'-'", "'*'", "'/'")
  call <- tokens$token == "SYMBOL_FUNCTION_CALL" & tokens$text %in% names(flips)
  tokens <- tokens[number | operator | call, ]
  if (nrow(tokens) == 0) return(NULL)
  data.frame(kind = "R", file = file, line = tokens$line1, column = tokens$col1, text = tokens$text)
}

function_lines <- function(file) {
  code <- parse(file, keep.source = TRUE)
  is_function <- vapply(code, function(e) {
    is.call(e) && identical(e[[1]], quote(`<-`)) && is.call(e[[3]]) && identical(e[[3]][[1]], quote(`function`))
  }, logical(1))
  unlist(lapply(attr(code, "srcref")[is_function], function(place) place[1]:place[3]))
}

mutant_text <- function(text) if (grepl("^[01]", text)) flipped_number(text) else unname(flips[text])

mutated_lines <- function(place) {
  lines <- readLines(place$file)
  line <- lines[place$line]
  lines[place$line] <- paste0(substr(line, 1, place$column - 1), mutant_text(place$text),
                              substring(line, place$column + nchar(place$text)))
  lines
}

# --- Killed or not ----------------------------------------------------------------------------------------------------

run <- function(program, arguments) {
  suppressWarnings(system2(program, arguments, stdout = FALSE, stderr = FALSE, timeout = seconds_per_run))
}

# Compiles the one file, runs the tests of its room and then all others; NA if it does not compile. The object of the
# original is put back.
core_killed <- function(place) {
  object <- file.path(copy, "tests/cpp/build/plain", sub("^src/(.*)[.]cpp$", "\\1.o", place$file))
  source <- file.path(copy, place$file)
  program <- file.path(copy, "tests/cpp/build/plain/core_tests")
  kept <- c(paste0(object, ".kept"), paste0(source, ".kept"))
  file.copy(c(object, source), kept, overwrite = TRUE, copy.date = TRUE)
  on.exit({
    file.copy(kept, c(object, source), overwrite = TRUE, copy.date = TRUE)
    unlink(kept)
    Sys.setFileTime(object, Sys.time())
  })
  writeLines(mutated_lines(place), source)
  built <- run("make", c("--no-print-directory", "-C", file.path(copy, "tests/cpp"), "build/plain/core_tests"))
  if (built != 0) return(NA)
  room <- basename(dirname(place$file))
  tests_fail <- function(...) run(program, c("--abort-after=1", ...)) != 0
  tests_fail(shQuote(sprintf("--source-file=*%s/test_*", room))) || tests_fail()
}

# NA if the tests also fail without a mutant: then the mutant proves nothing.
r_killed <- function(place) {
  if (is.null(passes[[place$file]])) passes[[place$file]] <- !r_tests_fail(place$file, readLines(place$file))
  if (passes[[place$file]]) r_tests_fail(place$file, mutated_lines(place)) else NA
}

passes <- new.env()

# Puts the functions of the given lines into the namespace of the installed package and runs the tests of the file's
# stem, or of files that name one of its functions where there is none.
r_tests_fail <- function(file, lines) {
  changed <- tempfile(fileext = ".R")
  script <- tempfile(fileext = ".R")
  on.exit(unlink(c(changed, script)))
  writeLines(lines, changed)
  own <- file.path("tests/testthat", paste0("test-", basename(file)))
  tests <- if (file.exists(own)) own else files_naming(file)
  if (length(tests) == 0) return(FALSE)
  stems <- sub("^test-(.*)[.]R$", "^\\1$", basename(tests))
  writeLines(c(
    "suppressPackageStartupMessages(library(testthat))", "Sys.setenv(NOT_CRAN = 'true')",
    "namespace <- asNamespace('pNMF')",
    sprintf("for (e in parse(%s)) {", deparse(changed)),
    "  if (!is.call(e) || !identical(e[[1]], quote(`<-`)) || !is.name(e[[2]]) || !is.call(e[[3]]) ||",
    "      !identical(e[[3]][[1]], quote(`function`))) next",
    "  name <- as.character(e[[2]])",
    "  unlockBinding(name, namespace)",
    "  assign(name, eval(e[[3]], namespace), namespace)",
    "  if (name %in% getNamespaceExports(namespace) && 'package:pNMF' %in% search()) {",
    "    unlockBinding(name, as.environment('package:pNMF'))",
    "    assign(name, get(name, namespace), as.environment('package:pNMF'))",
    "  }",
    "  method <- which(getNamespaceInfo(namespace, 'S3methods')[, 3] == name)",
    "  for (k in method) {",
    "    row <- getNamespaceInfo(namespace, 'S3methods')[k, ]",
    "    registerS3method(row[[1]], row[[2]], get(name, namespace), envir = namespace)",
    "  }",
    "}",
    sprintf("test_dir('tests/testthat', filter = %s, package = 'pNMF', load_package = 'none',",
            deparse(paste(stems, collapse = "|"))),
    "         env = new.env(parent = namespace), reporter = 'stop')"
  ), script)
  run(file.path(R.home("bin"), "Rscript"), script) != 0
}

files_naming <- function(file) {
  code <- parse(file)
  names <- unlist(lapply(code, function(e) if (is.call(e) && is.name(e[[2]])) as.character(e[[2]])))
  tests <- list.files("tests/testthat", "^test-.*R$", full.names = TRUE)
  pattern <- paste0("\\b(", paste(names, collapse = "|"), ")\\b")
  utils::head(tests[vapply(tests, function(test) any(grepl(pattern, readLines(test))), logical(1))], 3)
}

# --- The run ----------------------------------------------------------------------------------------------------------

# As many places of each kind, spread over the files.
chosen_places <- function(mutants, seed) {
  core <- do.call(rbind, lapply(Sys.glob("src/pnmf/*/*.cpp"), cpp_places))
  r <- do.call(rbind, lapply(setdiff(Sys.glob("R/*.R"), "R/RcppExports.R"), r_places))
  places <- list(core, r)
  set.seed(seed)
  counts <- c(mutants %/% 2, mutants - mutants %/% 2)
  chosen <- Map(function(all, n) {
    all <- all[!is.na(vapply(all$text, mutant_text, "")), ]
    all[sample.int(nrow(all), min(n, nrow(all))), ]
  }, places, counts)
  do.call(rbind, chosen)
}

# From the lines that outcomes() printed.
surviving_places <- function(log) {
  pattern <- "^(core|R) +[0-9]+ SURVIVED ([^:]+):([0-9]+):([0-9]+)  ([^ ]+) -> .*"
  lines <- grep(pattern, readLines(log), value = TRUE)
  data.frame(kind = sub(pattern, "\\1", lines), file = sub(pattern, "\\2", lines),
             line = as.integer(sub(pattern, "\\3", lines)), column = as.integer(sub(pattern, "\\4", lines)),
             text = sub(pattern, "\\5", lines))
}

if (run(file.path(copy, "tests/cpp/build/plain/core_tests"), character()) != 0) {
  stop("the core's tests fail without a mutant", call. = FALSE)
}
places <- if (file.exists(settings[1])) {
  surviving_places(settings[1])
} else {
  chosen_places(as.integer(settings[1]), as.integer(settings[2]))
}

# One row per mutant of one kind, printed as soon as it is known
outcomes <- function(places) {
  for (k in seq_len(nrow(places))) {
    place <- places[k, ]
    dead <- if (place$kind == "core") core_killed(place) else r_killed(place)
    places$outcome[k] <- if (is.na(dead)) "unusable" else if (dead) "killed" else "SURVIVED"
    cat(sprintf("%-4s %3d %-8s %s:%d:%d  %s -> %s   %s\n", place$kind, k, places$outcome[k], place$file, place$line,
                place$column, place$text, mutant_text(place$text), trimws(readLines(place$file)[place$line])))
  }
  places
}

# Mutants of the core and of R/ do not get in each other's way: they run side by side.
places$outcome <- NA_character_
done <- do.call(rbind, parallel::mclapply(split(places, places$kind), outcomes, mc.cores = 2))
count <- function(outcome) sum(done$outcome == outcome)
cat(sprintf("%d mutants: %d killed, %d survived, %d unusable: %.0f%% killed\n", nrow(done), count("killed"),
            count("SURVIVED"), count("unusable"), 100 * count("killed") / max(1, count("killed") + count("SURVIVED"))))
