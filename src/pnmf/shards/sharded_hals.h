#pragma once

#include "pnmf/shards/shard_borders.h"
#include "pnmf/solver/fit.h"
#include "pnmf/solver/hals_settings.h"

namespace pnmf {

// When the states of the shards are stored.
struct SavePlan {
  int every = 0;         // number of sweeps between two saves; 0: never
  bool at_ends = false;  // also after the start and at the end
};

// What the driver of a sharded fit knows about the problem. The data and the edges within shards are in the shards.
struct ShardedProblem {
  Borders borders;
  ProblemSize size;  // nonzeros are added up by the driver
};

// fit_hals() for cells in shards, which other processes hold. A sweep is one request: every shard receives the bases
// and the embeddings of the cells next to its own, and returns XH', HH', its part of the objective and the embeddings
// of its border cells. Sums are added in the order of the shards, so the result does not depend on which process holds
// which shard. XH' is computed from the embeddings with which the next sweep begins, assuming that this sweep is
// accepted; only a sweep that is undone needs another request.
// start: normalised bases, one for the chain of starts or one per scale, or the state of an earlier run. The result has
// the embeddings that the shards hold at the end.
FitResult fit_hals_sharded(const ShardedProblem& problem, SolverState start, const FitOptions& options,
                           const SavePlan& plan, ShardWorkers& workers, Executor& executor, Monitor& monitor);

}  // namespace pnmf
