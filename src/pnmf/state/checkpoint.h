#pragma once

#include <utility>

#include "pnmf/state/archive.h"
#include "pnmf/state/fit_state.h"

namespace pnmf {

// The arguments of a run, as strings under their names.
using RunLabels = std::vector<std::pair<std::string, std::string>>;

struct CheckpointShape {
  std::uint64_t scales = 0, rank = 0, features = 0, cells = 0;
};

struct Checkpoint {
  RunLabels labels;
  CheckpointShape shape;
  FitState state;
};

// Factors are written in place, without a copy.
void write_checkpoint(const RunLabels& labels, const FitStateView& state, ByteSink& sink);

// Sizes agree with each other; factors are finite and nonnegative. Nothing of a damaged file is returned.
Checkpoint read_checkpoint(ByteSource& source);

// The state of the cells of one shard, under this version.
void write_held(const HeldState& held, int version, ByteSink& sink);
HeldState read_held(ByteSource& source);

}  // namespace pnmf
