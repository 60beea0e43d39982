#pragma once

#include "pnmf/solver/convergence.h"
#include "pnmf/solver/momentum.h"
#include "pnmf/state/checkpoint.h"

namespace pnmf {

// The state of fit_hals between sweeps, in addition to the factors.
struct HalsState {
  std::vector<double> objective;   // what each scale adds to it
  std::vector<Momentum> momentum;  // of each scale
  Convergence convergence;
};

// The numbers under their names, as in a checkpoint.
Numbers numbers_of(const HalsState& state);

// The state of an earlier run, or CheckpointError if these are not the numbers of this solver.
HalsState hals_state(const Numbers& numbers, Index scales);

}  // namespace pnmf
