#pragma once

#include "pnmf/base/executor.h"
#include "pnmf/geometry/distances.h"
#include "pnmf/geometry/minimum_spanning_tree.h"

namespace pnmf {

// Pairs with length strictly below each threshold (ascending), without storing any pair.
std::vector<double> count_edges(const Distances& distances, const std::vector<double>& thresholds, Executor& executor);

// All pairs with length strictly below `threshold`, sorted.
EdgeList edges_below(const Distances& distances, double threshold, Executor& executor);

// Lengths of given pairs (0-based).
std::vector<double> pair_lengths(const Distances& distances, const std::vector<int>& i, const std::vector<int>& j);

}  // namespace pnmf
