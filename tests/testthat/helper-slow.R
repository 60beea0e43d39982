# make test-slow sets PNMF_SLOW_TESTS: tests that need long runs in full, and shorter ones of the same kind without it.
slow_tests <- function() identical(Sys.getenv("PNMF_SLOW_TESTS"), "true")

skip_unless_slow <- function() skip_if_not(slow_tests(), "slow: make test-slow runs it")
