#pragma once

#include "data_matrix.h"
#include "fit.h"
#include "hals_updates.h"

namespace pnmf {

// Minimises the model with |w_j| <= 1 as a constraint. A sweep is
//   1. for every scale: XH', then W; W'X (the two passes over the data), scales independent of each other;
//   2. a few cheap rounds over all H: odd scales, then even ones (each touches only scales of the other colour).
// Every block update is a descent step, so the objective never rises. Between sweeps both factors are extrapolated
// along their last change, as long as that alone does not raise the objective.
FitResult fit_hals(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, const FitOptions& options,
                   Executor& executor, Monitor& monitor);

}  // namespace pnmf
