# Puts another value in place of one of the package's own until the calling test ends, or until the function that it
# returns is called. The test's own on.exit() must say add = TRUE, or the value stays.
set_namespace_value <- function(name, value, frame = parent.frame()) {
    namespace <- asNamespace("pNMF")
    before <- get(name, namespace)
    put <- function(value) {
        unlockBinding(name, namespace)
        assign(name, value, namespace)
        lockBinding(name, namespace)
    }
    restore <- function() put(before)
    put(value)
    do.call(base::on.exit, list(as.call(list(restore)), add = TRUE), envir = frame)
    invisible(restore)
}
