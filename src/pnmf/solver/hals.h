#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/fit.h"
#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// Minimises the model with |w_j| <= 1 as a constraint. A sweep is
//   1. for every scale: XH', then W; W'X (the two passes over the data), scales independent of each other;
//   2. a few cheap rounds over all H: odd scales, then even ones (each touches only scales of the other colour).
// Every block update is a descent step, so the objective never rises. Before a sweep the embeddings are extrapolated
// along their last change, where that alone does not raise the objective; W'X tells without a pass over the data.
// With chain_start only the first scale of the start is used. `elsewhere` does the updates in place of this process.
FitResult fit_hals(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, const FitOptions& options,
                   Executor& executor, Monitor& monitor, ScaleUpdates* elsewhere = nullptr);

// How much cheap work goes with a pass over the data.
UpdateSettings hals_settings(const DataMatrix& data, Index rank, const FitOptions& options);
int hals_rounds(const DataMatrix& data, const ScaleGraphs& graphs, Index rank);

}  // namespace pnmf
