#' Update a saved path to the installed version
#'
#' `updateObject()` of BiocGenerics turns a path that was saved by an older
#' version of the package into a valid one for the installed version. Every path
#' stores the version that wrote it.
#'
#' @param object A [pNMFPath-class], for example from [readRDS()].
#' @param ...,verbose Not used.
#' @return A valid path with the installed version in its `version` slot.
#' @examples
#' path <- pnmf(simulate_circles(seed = 1), rank = 2, scales = 3,
#'              control = pnmf_control(max_outer = 3, tol = 0))
#' if (requireNamespace("BiocGenerics", quietly = TRUE)) {
#'     BiocGenerics::updateObject(path)
#' }
#' @name updateObject-pNMFPath
#' @aliases updateObject,pNMFPath-method
NULL

updated_path <- function(path) {
    assert_class(path, "pNMFPath", "path", "pnmf()")
    path@version <- as.character(utils::packageVersion("pNMF"))
    tryCatch(validObject(path), error = function(e) {
        stop_pnmf("'path' must be a valid path, but is an ", conditionMessage(e))
    })
    path
}

# BiocGenerics is a suggested package.
.onLoad <- function(libname, pkgname) {
    if (requireNamespace("BiocGenerics", quietly = TRUE)) {
        setMethod(BiocGenerics::updateObject, "pNMFPath", function(object, ..., verbose = FALSE) updated_path(object))
    }
}
