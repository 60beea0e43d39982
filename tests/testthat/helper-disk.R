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
