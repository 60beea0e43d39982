# Evaluates an expression with its own random stream and restores the random state of the session. A NULL seed means a
# fixed stream, so results never depend on the state of the session.
with_random_state <- function(seed, expr) {
    had_seed <- exists(".Random.seed", envir = globalenv(), inherits = FALSE)
    if (had_seed) before <- get(".Random.seed", envir = globalenv(), inherits = FALSE)
    kinds <- RNGkind()
    on.exit({
        # The state includes the kinds of generator; without a state they are saved separately.
        if (had_seed) {
            assign(".Random.seed", before, envir = globalenv())
        } else {
            suppressWarnings(RNGkind(kinds[1], kinds[2], kinds[3])) # "Rounding" warns
            rm(".Random.seed", envir = globalenv())
        }
    })
    # The stream does not depend on the kinds of generator that the session uses.
    RNGkind("Mersenne-Twister", "Inversion", "Rejection")
    start_stream(if (is.null(seed)) 1L else seed)
    force(expr)
}

start_stream <- function(seed) {
    do.call("set.seed", list(seed), envir = baseenv())
}
