#pragma once

#include "pnmf/solver/fit.h"
#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// Fills the states from the factors in states.path and computes W'X and W'W of all scales.
//   chain_start: the finest scale is solved first, from the first pair of factors, and every other scale starts from
//   its finer neighbour; otherwise every scale starts from its own factors.
void make_start(ScaleStates& states, const DataMatrix& data, const ScaleGraphs& graphs, const FitOptions& options,
                const UpdateSettings& settings, Executor& executor);

// W'X and W'W of the bases of these scales, which must be stored.
void find_products(ScaleStates& states, const std::vector<Index>& scales, const DataMatrix& data, Executor& executor);

}  // namespace pnmf
