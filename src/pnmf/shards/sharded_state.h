#pragma once

#include "pnmf/solver/hals_state.h"

namespace pnmf {

// The state of the driver of a sharded fit between sweeps, in addition to the record of sweeps. The driver can ask the
// shards for everything else that it holds.
struct ShardedState {
  HalsState hals;
  std::vector<Matrix> Wt;
  std::vector<double> lead;     // how far the next sweep extrapolates each scale
  std::vector<double> own;      // what each scale adds to the objective, without the steps between scales
  int version = 0, place = -1;  // of the states of the shards, and where they were stored last
  bool snapshot = false;        // the next sweep begins a new convergence window
};

// The numbers under their names, as in a checkpoint.
Numbers numbers_of(const ShardedState& state);

// The state of an earlier run, or CheckpointError if these are not the numbers of this solver.
ShardedState sharded_state(const Numbers& numbers, std::vector<Matrix> Wt);

// Where the states of the shards were stored, from the numbers of a checkpoint; -1 if the fit had no shards.
int stored_place(const Numbers& numbers);

}  // namespace pnmf
