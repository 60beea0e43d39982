#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/graph/scale_graph.h"
#include "pnmf/solver/fit.h"

namespace pnmf {

// The paper's Algorithm 1: scales in sequence, H then W by Lin's modified multiplicative updates, no normalisation
// until the end, when the columns of W are made to sum to 1. The objective never rises at any update.
FitResult fit_multiplicative(const DataMatrix& data, const ScaleGraphs& graphs, FitState start,
                             const FitOptions& options, Executor& executor, Monitor& monitor);

// The released code's arithmetic: a coarse-to-fine chain of graph-regularised fits, then sweeps fine to coarse with
// W first, unit columns of W after every step. The objective is not monotone.
FitResult fit_authors(const DataMatrix& data, const ScaleGraphs& graphs, FitState start, const FitOptions& options,
                      Executor& executor, Monitor& monitor);

}  // namespace pnmf
