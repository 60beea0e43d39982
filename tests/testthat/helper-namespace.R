# Replaces an object of the package until the calling test ends, or until the returned function is called. An on.exit()
# of the test must use add = TRUE, or the replacement stays.
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
