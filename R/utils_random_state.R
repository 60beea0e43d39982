# Evaluates an expression with its own random stream and puts the session's generator back as it was.
# NULL as seed draws from a fixed stream, so that results never depend on the session's state.
with_random_state <- function(seed, expr) {
    had_seed <- exists(".Random.seed", envir = globalenv(), inherits = FALSE)
    if (had_seed) before <- get(".Random.seed", envir = globalenv(), inherits = FALSE)
    kinds <- RNGkind()
    on.exit({
        # The state holds the kinds of generator too; without one they are kept apart.
        if (had_seed) {
            assign(".Random.seed", before, envir = globalenv())
        } else {
            suppressWarnings(RNGkind(kinds[1], kinds[2], kinds[3])) # "Rounding" warns
            rm(".Random.seed", envir = globalenv())
        }
    })
    # The stream is the same whatever kinds the session uses.
    RNGkind("Mersenne-Twister", "Inversion", "Rejection")
    start_stream(if (is.null(seed)) 1L else seed)
    force(expr)
}

start_stream <- function(seed) {
    do.call("set.seed", list(seed), envir = baseenv())
}
