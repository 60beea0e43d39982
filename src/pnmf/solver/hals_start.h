#pragma once

#include "pnmf/solver/fit.h"
#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// Steps of scale t in the chain of starts. They end early if one gains less than min_chain_gain of the first one.
int chain_steps(Index t, Index scales);
constexpr double min_chain_gain = 1e-6;
// Rounds over a basis of the chain. With more rounds, the first steps would settle on an optimum too early.
constexpr int chain_basis_rounds = 3;

// Fills the states from the factors in states.path and computes W'X and W'W of all scales.
//   chain_start: the finest scale is solved first, from the first pair of factors, and every other scale starts from
//   its finer neighbour; otherwise every scale starts from its own factors. With chain_data, the chain does not read
//   the data; one reading at the end serves W'X of all scales.
void make_start(ScaleStates& states, const DataMatrix& data, const ScaleGraphs& graphs, const FitOptions& options,
                const UpdateSettings& settings, Executor& executor);

// W'X and W'W of the bases of these scales, which must be stored.
void find_products(ScaleStates& states, const std::vector<Index>& scales, const DataMatrix& data, Executor& executor);

}  // namespace pnmf
