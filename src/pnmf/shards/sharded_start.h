#pragma once

#include "pnmf/shards/sharded_hals.h"

namespace pnmf {

// The chain of starts of hals_start.h for cells in shards: the finest scale is solved first, from Wt and the embeddings
// that the shards hold, and every other scale starts from its finer neighbour. Returns the bases of all scales; the
// version grows with every step.
std::vector<Matrix> chain_shards(Matrix Wt, Index scales, const FitOptions& options, const Borders& borders,
                                 ShardWorkers& workers, int& version);

}  // namespace pnmf
