#pragma once

#include "pnmf/solver/convergence.h"
#include "pnmf/solver/momentum.h"
#include "pnmf/state/checkpoint.h"

namespace pnmf {

// What fit_hals keeps between sweeps beside factors.
struct HalsState {
  std::vector<double> objective;   // what each scale adds to it
  std::vector<Momentum> momentum;  // of each scale
  Convergence convergence;
};

// Under their names, as a checkpoint has them.
Numbers numbers_of(const HalsState& state);

// The state of an earlier run, or CheckpointError where these are not the numbers of this solver.
HalsState hals_state(const Numbers& numbers, std::vector<Matrix> snapshot, Index scales);

}  // namespace pnmf
