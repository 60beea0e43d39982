# A folder on a disk of its own.
local_disk <- function(size, frame = parent.frame()) {
    skip_on_os(c("windows", "mac", "solaris"))
    folder <- tempfile("disk")
    dir.create(folder)
    mount <- function(...) suppressWarnings(system2("mount", c(...), stdout = FALSE, stderr = FALSE)) == 0L
    skip_if_not(nzchar(Sys.which("mount")) && mount("-t", "tmpfs", "-o", paste0("size=", size), "tmpfs", folder),
                "no disk can be mounted here")
    undo <- bquote(system2("umount", c("-l", .(folder)), stdout = FALSE, stderr = FALSE))
    do.call("on.exit", list(undo, add = TRUE), envir = frame)
    list(folder = folder, lock = function() mount("-o", "remount,ro", folder))
}

# Stands in for BPCells' class of matrices on disk: it can be subset and turned into a dgCMatrix, and nothing else.
# Reading everything would be the mistake: at most `most` entries may be asked for at once.
local_disk_matrix <- function(x, most = Inf, env = parent.frame()) {
    here <- globalenv()
    setClass("IterableMatrix", slots = c(held = "dgCMatrix"), where = here)
    setMethod("dim", "IterableMatrix", function(x) dim(x@held), where = here)
    setMethod("dimnames", "IterableMatrix", function(x) dimnames(x@held), where = here)
    setMethod("dimnames<-", "IterableMatrix", function(x, value) {
        dimnames(x@held) <- value
        x
    }, where = here)
    setMethod("[", "IterableMatrix", function(x, i, j, ..., drop = TRUE) {
        if (missing(i)) i <- TRUE
        if (missing(j)) j <- TRUE
        new("IterableMatrix", held = x@held[i, j, drop = FALSE])
    }, where = here)
    setAs("IterableMatrix", "dgCMatrix", function(from) {
        stopifnot(length(from@held) <= most)
        from@held
    }, where = here)
    do.call(on.exit, list(quote(removeClass("IterableMatrix", where = globalenv())), add = TRUE), envir = env)
    new("IterableMatrix", held = unname(x))
}
