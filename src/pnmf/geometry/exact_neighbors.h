#pragma once

#include "pnmf/geometry/nearest_neighbors.h"

namespace pnmf {

// As nearest_neighbors(), but cells are not compared with groups of cells that are too far to matter: nearly right
// neighbours come first, and bound what the exact ones may be. Quick where distances differ much, as they do in few
// dimensions; where they hardly differ, all pairs are compared. `longest_distance` is left at 0.
NearestNeighbors exact_neighbors(const Distances& distances, Index k, Executor& executor);

}  // namespace pnmf
