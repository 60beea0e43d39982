#pragma once

#include "pnmf/solver/cells.h"
#include "pnmf/solver/fit.h"

namespace pnmf {

// The chain of starts: the finest scale is solved first, from Wt and the embedding that is held, and every other scale
// starts from its finer neighbour. Returns the bases of all scales.
std::vector<Matrix> chain_starts(Cells& cells, Matrix Wt, Index scales, const FitOptions& options, Executor& executor);

}  // namespace pnmf
