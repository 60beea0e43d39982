#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/fit.h"
#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// Minimises the model with |w_j| <= 1 as a constraint. A sweep begins with embeddings extrapolated along their last
// change and is
//   1. for every scale: XH', then W; W'X (the two passes over the data), scales independent of each other;
//   2. all embeddings together, while the bases are fixed (EmbeddingDescent).
// A sweep that ends above the previous one is undone, and the next one begins without extrapolation, so it consists of
// descent steps only. The objective therefore never rises from sweep to sweep. Undoing needs the bases of the previous
// sweep. With shared bases, which are not all stored, an extrapolation that raises the objective is skipped instead.
// With chain_start, only the first scale of the start is used; chain_data of the options is released after the start.
FitResult fit_hals(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, FitOptions options,
                   Executor& executor, Monitor& monitor);

}  // namespace pnmf
