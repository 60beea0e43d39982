# Puts the session's generator back when the test ends, existing or not.
local_generator <- function(env = parent.frame()) {
    before <- session_seed()
    kinds <- RNGkind()
    withr_free <- function() {
        suppressWarnings(RNGkind(kinds[1], kinds[2], kinds[3]))
        if (is.null(before)) {
            suppressWarnings(rm(".Random.seed", envir = globalenv()))
        } else {
            assign(".Random.seed", before, envir = globalenv())
        }
    }
    do.call(on.exit, list(as.call(list(withr_free)), add = TRUE), envir = env)
}

test_that("the stream depends on the seed alone, and NULL is a fixed seed", {
    local_generator()
    draw <- function(seed) with_random_state(seed, c(stats::runif(2), stats::rnorm(2), sample(100, 2)))
    expect_identical(draw(3), draw(3))
    expect_false(identical(draw(3), draw(4)))
    expect_identical(draw(NULL), draw(NULL))
    set.seed(99)
    expect_identical(draw(NULL), {
        stats::runif(5)
        draw(NULL)
    })
    plain <- draw(3)
    RNGkind("L'Ecuyer-CMRG", "Box-Muller")
    expect_identical(draw(3), plain)
})

test_that("the session's generator is left as it was, whatever its kinds", {
    local_generator()
    kinds <- list(c("Mersenne-Twister", "Inversion", "Rejection"), c("L'Ecuyer-CMRG", "Inversion", "Rejection"),
                  c("Marsaglia-Multicarry", "Ahrens-Dieter", "Rounding"), c("Wichmann-Hill", "Box-Muller", "Rejection"))
    for (kind in kinds) {
        suppressWarnings(RNGkind(kind[1], kind[2], kind[3]))
        set.seed(5)
        before <- session_seed()
        expect_silent(with_random_state(1, stats::rnorm(10)))
        expect_identical(session_seed(), before)
        expect_identical(RNGkind(), kind)
    }
})

test_that("a session without a generator gets none, and keeps its kinds", {
    local_generator()
    for (kind in list(c("Mersenne-Twister", "Inversion", "Rejection"), c("Wichmann-Hill", "Inversion", "Rounding"))) {
        suppressWarnings(RNGkind(kind[1], kind[2], kind[3]))
        rm(".Random.seed", envir = globalenv())
        expect_silent(with_random_state(1, stats::runif(1)))
        expect_null(session_seed())
        expect_identical(RNGkind(), kind)
        expect_null(session_seed())
    }
})

test_that("an error inside leaves the generator as it was", {
    local_generator()
    set.seed(5)
    before <- session_seed()
    expect_error(with_random_state(1, {
        stats::runif(1)
        stop("inside")
    }), "inside")
    expect_identical(session_seed(), before)
})

test_that("states nest", {
    local_generator()
    alone <- with_random_state(1, stats::runif(2))
    nested <- with_random_state(1, c(stats::runif(1), {
        with_random_state(2, stats::runif(3))
        stats::runif(1)
    }))
    expect_identical(nested, alone)
})
