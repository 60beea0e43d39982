# Mutation testing:  Rscript .ci/mutate.R [MUTANTS] [SEED]   (make mutate prepares what it needs)
#                    Rscript .ci/mutate.R LOG                 the survivors of an earlier run with the same sources
# Flips one operator or constant in a line of the core or in a function of R/, runs the tests that can notice, and
# reports the share of mutants that some test killed, and the survivors. Works on the copy in .build/mutants and on the
# package in .build/library; sources are not touched. Half of the mutants are of the core.
settings <- c(commandArgs(trailingOnly = TRUE), 200, 1)[1:2]
copy <- normalizePath(".build/mutants")
core_tests <- file.path(copy, "tests/cpp/build/plain/core_tests")
records <- ".build/reached"
dir.create(records, showWarnings = FALSE)

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
  within <- function_of_line(file)
  tokens <- tokens[tokens$terminal & tokens$line1 %in% names(within), ]
  number <- tokens$token == "NUM_CONST" & grepl("^([01]L?|TRUE|FALSE)$", tokens$text)
  operator <- tokens$token %in% c("LT", "LE", "GT", "GE", "EQ", "NE", "AND", "AND2", "OR", "OR2",
                                  "'+'", "'-'", "'*'", "'/'")
  call <- tokens$token == "SYMBOL_FUNCTION_CALL" & tokens$text %in% names(flips)
  tokens <- tokens[number | operator | call, ]
  if (nrow(tokens) == 0) return(NULL)
  data.frame(kind = "R", file = file, line = tokens$line1, column = tokens$col1, text = tokens$text)
}

# Names of functions; their names are the lines.
function_of_line <- function(file) {
  code <- parse(file, keep.source = TRUE)
  is_function <- vapply(code, function(e) {
    is.call(e) && identical(e[[1]], quote(`<-`)) && is.call(e[[3]]) && identical(e[[3]][[1]], quote(`function`))
  }, logical(1))
  names <- vapply(code[is_function], function(e) as.character(e[[2]]), "")
  lines <- lapply(attr(code, "srcref")[is_function], function(place) place[1]:place[3])
  stats::setNames(rep(names, lengths(lines)), unlist(lines))
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

# The status of a program. A mutant that runs for long counts as killed: the limit is far above the usual time.
run <- function(program, arguments, usual_seconds) {
  suppressWarnings(system2(program, arguments, stdout = FALSE, stderr = FALSE, timeout = 60 + 3 * usual_seconds))
}

# Compiles the one file, runs the tests of its room and then all others; NA if it does not compile, or to the same
# machine code. The object of the original is put back.
core_killed <- function(place) {
  object <- file.path(copy, "tests/cpp/build/plain", sub("^src/(.*)[.]cpp$", "\\1.o", place$file))
  source <- file.path(copy, place$file)
  kept <- c(paste0(object, ".kept"), paste0(source, ".kept"))
  file.copy(c(object, source), kept, overwrite = TRUE, copy.date = TRUE)
  on.exit({
    file.copy(kept, c(object, source), overwrite = TRUE, copy.date = TRUE)
    unlink(kept)
    Sys.setFileTime(object, Sys.time())
  })
  writeLines(mutated_lines(place), source)
  built <- run("make", c("--no-print-directory", "-C", file.path(copy, "tests/cpp"), "build/plain/core_tests"), 120)
  if (built != 0 || identical(machine_code(object), machine_code(kept[1]))) return(NA)
  room <- basename(dirname(place$file))
  tests_fail <- function(...) run(core_tests, c("--abort-after=1", ...), core_seconds) != 0
  tests_fail(shQuote(sprintf("--source-file=*%s/test_*", room))) || tests_fail()
}

machine_code <- function(object) {
  stripped <- tempfile()
  on.exit(unlink(stripped))
  system2("strip", c("--strip-debug", "-o", stripped, object))
  tools::md5sum(stripped)[[1]]
}

# The test files of the stem come first, then all others that reach the function, the quickest first.
r_killed <- function(place) {
  name <- function_of_line(place$file)[[as.character(place$line)]]
  reaching <- reached$stem[vapply(reached$functions, function(names) name %in% names, logical(1))]
  if (length(reaching) == 0) return(FALSE)
  own <- startsWith(reaching, sub("[.]R$", "", basename(place$file)))
  changed <- tempfile(fileext = ".R")
  on.exit(unlink(changed))
  writeLines(mutated_lines(place), changed)
  r_tests_fail(changed, reaching[own]) || r_tests_fail(changed, reaching[!own])
}

r_tests_fail <- function(changed, stems) {
  if (length(stems) == 0) return(FALSE)
  seconds <- sum(reached$seconds[reached$stem %in% stems])
  run(file.path(R.home("bin"), "Rscript"), c(".ci/mutate-tests.R", "change", changed, stems), seconds) != 0
}

# Which functions of the package a test file calls, and its time. Kept until the package or the file changes; NULL for
# a file that fails without a mutant, and proves nothing.
reached_by <- function(stem) {
  record <- file.path(records, paste0(stem, ".rds"))
  sources <- c(".build/installed", sprintf("tests/testthat/test-%s.R", stem))
  if (!file.exists(record) || any(file.mtime(sources) > file.mtime(record))) {
    names <- tempfile()
    on.exit(unlink(names))
    seconds <- system.time(run(file.path(R.home("bin"), "Rscript"), c(".ci/mutate-tests.R", "reach", names, stem), 600))
    saveRDS(if (file.exists(names)) list(seconds = seconds[["elapsed"]], names = readLines(names)), record)
  }
  readRDS(record)
}

# One row per test file that passes, the quickest first
reached_functions <- function() {
  stems <- sub("^test-(.*)[.]R$", "\\1", list.files("tests/testthat", "^test-.*R$"))
  found <- stats::setNames(parallel::mclapply(stems, reached_by, mc.cores = 2, mc.preschedule = FALSE), stems)
  found <- Filter(length, found)
  table <- data.frame(stem = names(found), seconds = vapply(found, `[[`, 0, "seconds"))
  table$functions <- lapply(found, `[[`, "names")
  table[order(table$seconds), ]
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

places <- if (file.exists(settings[1])) {
  surviving_places(settings[1])
} else {
  chosen_places(as.integer(settings[1]), as.integer(settings[2]))
}

if (any(places$kind == "core")) {
  core_seconds <- system.time(core_status <- run(core_tests, character(), 600))[["elapsed"]]
  if (core_status != 0) stop("the core's tests fail without a mutant", call. = FALSE)
}
if (any(places$kind == "R")) reached <- reached_functions()

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
