# Arguments of pnmf() whose defaults depend on the data or on the solver.

# Above 900 cells, the square root gives more factors than a few cell types need: the extra factors are single genes,
# and held-out data are predicted worse. On pbmc_sorted, ranks 8, 12, 20, 30 and 32 have held-out errors of .764, .768,
# .790, .820 and .831, and 0, 0, 0, 3 and 6% of their factors are single genes; the finest scale's score is .945 or .946
# at all of them (inst/experiments/default_rank.R).
largest_default_rank <- 30L

assert_rank <- function(rank, x) {
    if (is.null(rank)) return(as.integer(min(ceiling(sqrt(ncol(x))), largest_default_rank, dim(x))))
    assert_count(rank, "rank", max = min(dim(x)))
}

# Independent of the unit for "hals"; the paper's decay for the paper's setting and solvers.
assert_alpha <- function(alpha, solver, scales) {
    if (is.null(alpha)) return(if (solver == "hals" && !identical(scales, "paper")) 2 else 1.5)
    assert_number(alpha, "alpha", above = 0)
}

assert_anchor <- function(lambda_anchor, solver) {
    if (is.null(lambda_anchor)) return(if (solver == "hals") 0.1 else 1)
    assert_number(lambda_anchor, "lambda_anchor", min = 0)
}

assert_shardable <- function(BPPARAM, solver, control) {
    if (is.null(BPPARAM)) return(invisible())
    if (solver != "hals") {
        stop_pnmf("'BPPARAM' must be NULL for solver \"", solver, "\": it updates its scales one after the other")
    }
    if (inherits(BPPARAM, "BatchtoolsParam")) {
        stop_pnmf("'BPPARAM' must be a backend whose workers live as long as the fit, such as SnowParam() or ",
                  "SnowParam(type = \"MPI\"), not a BatchtoolsParam, whose jobs end after each call; suggest_rank() ",
                  "and parameter_analysis() accept it")
    }
    if (control$record) stop_pnmf("'record' must be FALSE with 'BPPARAM': workers update all scales in one step")
}
