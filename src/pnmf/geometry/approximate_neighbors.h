#pragma once

#include "pnmf/geometry/nearest_neighbors.h"

namespace pnmf {

// Finds nearly all nearest neighbours of every cell, in a time that grows little faster than the number of cells.
// Starts with neighbours within the groups of several random splits, then tries neighbours of neighbours (in both
// directions) until few lists change (nearest-neighbour descent, Dong, Moses and Li 2011). Exact up to a few hundred
// cells. Every cell reads the lists of the previous round and writes its own, so the result does not depend on the
// number of threads. `longest_distance` stays 0. k < cells.
NearestNeighbors approximate_neighbors(const Distances& distances, Index k, Executor& executor);

}  // namespace pnmf
