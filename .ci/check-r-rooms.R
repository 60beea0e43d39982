# The prefix of a file in R/ is its room. A file may use functions and constants of its own room and of lower ones:
# "<file>: <room> may not use <name>() of <file>" otherwise. Methods are found by their class, so they belong to nobody:
# a generic in a lower room may be given methods in higher ones. No name is defined twice: the last file would win.

# Lower rooms first. AllClasses.R and AllGenerics.R are what the rooms above input_ agree on. The last three are what
# only the paper needs; they do not see each other.
floors <- list("utils", "input", c("AllClasses", "AllGenerics"), "scales", "fit", "path", "cluster", "factor", "host",
               "plot", "report", "paper", c("baseline", "theory"))
# Generated, documentation, and names that are kept for one more version.
exempt <- c("RcppExports.R", "pNMF-package.R", "pNMF-deprecated.R")

floor_of <- function(room) which(vapply(floors, function(rooms) room %in% rooms, logical(1)))

# Names that a file defines at top level.
definitions <- function(expressions) {
    names <- lapply(expressions, function(e) {
        assigned <- is.call(e) && as.character(e[[1]])[1] %in% c("<-", "=")
        if (assigned && is.name(e[[2]])) return(as.character(e[[2]]))
        if (is.call(e) && identical(e[[1]], quote(setGeneric))) return(e[[2]])
        character(0)
    })
    unique(unlist(names))
}

# Names that a file uses from outside its functions: local variables and arguments do not count.
used_names <- function(expressions) {
    globals <- lapply(expressions, function(e) {
        wrapper <- as.function(list(e), envir = baseenv())
        found <- codetools::findGlobals(wrapper)
        # A top-level assignment hides its own name, which is no use of another room.
        found
    })
    unique(unlist(globals))
}

files <- setdiff(list.files("R", pattern = "[.]R$"), exempt)
parsed <- lapply(file.path("R", files), parse, keep.source = FALSE)
names(parsed) <- files
room_of <- function(file) sub("(_.*|[.]R)$", "", file)
rooms <- room_of(files)
home <- unlist(lapply(files, function(file) {
    names <- definitions(parsed[[file]])
    stats::setNames(rep(file, length(names)), names)
}))

twice <- unique(names(home)[duplicated(names(home))])
problems <- vapply(twice, function(name) {
    sprintf("%s is defined more than once: R/%s", name, paste(home[names(home) == name], collapse = ", R/"))
}, "")
for (k in seq_along(files)) {
    own <- floor_of(rooms[k])
    if (length(own) == 0L) {
        problems <- c(problems, sprintf("R/%s is in no room: name it after one, or give the room a floor", files[k]))
        next
    }
    used <- intersect(used_names(parsed[[k]]), names(home))
    for (name in used) {
        room <- room_of(home[[name]])
        if (room == rooms[k] || isTRUE(floor_of(room) < own)) next
        problems <- c(problems, sprintf("R/%s: %s_ may not use %s of R/%s", files[k], rooms[k], name, home[[name]]))
    }
}
writeLines(problems, stderr())
quit(status = length(problems) > 0L)
