# Checks of data: what may be factorised, and what belongs to a path's cells and features.

# min() and max() read the values in place; range() would copy them.
assert_finite_values <- function(values, name) {
    if (is.finite(min(values, 0)) && is.finite(max(values, 0))) return(invisible())
    kind <- if (anyNA(values)) "NA or NaN" else "infinite"
    count <- sum(!is.finite(values))
    stop_pnmf("'", name, "' must be finite, but ", count, if (count == 1L) " entry is " else " entries are ", kind)
}

assert_nonnegative_values <- function(values, name) {
    lowest <- min(values, 0)
    if (lowest < 0) {
        stop_pnmf("'", name, "' must be nonnegative, but its smallest entry is ", format(lowest),
                  " (use log-normalised values, not scaled or centred ones)")
    }
}
