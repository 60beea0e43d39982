# Arguments of pnmf() whose defaults depend on the data or on the solver.

largest_default_rank <- 30L

# The rule of the paper if there is none, but no more factors than one can read.
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
