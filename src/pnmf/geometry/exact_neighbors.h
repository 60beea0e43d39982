#pragma once

#include "pnmf/geometry/nearest_neighbors.h"

namespace pnmf {

// The same as nearest_neighbors(), but groups of cells that are too far away are skipped. Approximate neighbours are
// found first and bound the distances of the exact ones. This is fast if distances differ much, as in few dimensions.
// If they hardly differ, all pairs are compared. `longest_distance` stays 0.
NearestNeighbors exact_neighbors(const Distances& distances, Index k, Executor& executor);

}  // namespace pnmf
