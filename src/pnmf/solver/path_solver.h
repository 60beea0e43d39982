#pragma once

#include <string>

#include "pnmf/data/data_matrix.h"
#include "pnmf/graph/scale_graph.h"
#include "pnmf/solver/fit.h"

namespace pnmf {

// hals: the constrained model to convergence; mu: the paper's Algorithm 1; authors: the released code's arithmetic.
enum class Solver { hals, mu, authors };

Solver as_solver(const std::string& name);

// Fits the whole path from `start`: one pair of factors per scale, or the state of an earlier run.
FitResult fit_path(const DataMatrix& data, const ScaleGraphs& graphs, FitState start, Solver solver, FitOptions options,
                   Executor& executor, Monitor& monitor);

}  // namespace pnmf
