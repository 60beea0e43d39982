#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/cells.h"
#include "pnmf/solver/fit.h"

namespace pnmf {

// Minimises the model with |w_j| <= 1 as a constraint, whoever holds the cells. A sweep begins with embeddings
// extrapolated along their last change and is
//   1. for every scale: XH', then W, then W'X (the two passes over the data);
//   2. all embeddings together, while the bases are fixed (EmbeddingDescent).
// A sweep that ends above the previous one is undone, first for the scales whose part of the objective rose, then for
// all scales; these begin the next sweep without extrapolation, so it consists of descent steps only. The objective
// therefore never rises from sweep to sweep.
// start: the state of an earlier run, or normalised bases, see normalize_basis(): one per scale, or with chain_start one
// for the finest scale. If the holder loses its state, the fit goes back to what was stored last.
FitResult fit_hals(Cells& cells, FitState start, const FitOptions& options, Executor& executor, Monitor& monitor);

// The same with all cells in this process and any starting factors. chain_data of the options is released after the
// start.
FitResult fit_hals(const DataMatrix& data, const ScaleGraphs& graphs, FitState start, FitOptions options,
                   Executor& executor, Monitor& monitor);

// A failure of holders after which the fit can be resumed.
struct WorkersFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pnmf
