#pragma once

#include "pnmf/geometry/nearest_neighbors.h"

namespace pnmf {

// Nearly all of every cell's nearest others, in a time that grows little faster than the number of cells: neighbours
// within groups of several random splits of the cells, then neighbours of neighbours (in both directions) until
// few lists change (nearest-neighbour descent, Dong, Moses and Li 2011). Exact up to a few hundred cells. Every cell
// reads the lists of the round before and writes its own, so the result is that of any number of threads.
// `longest_distance` is left at 0. k < cells.
NearestNeighbors approximate_neighbors(const Distances& distances, Index k, Executor& executor);

}  // namespace pnmf
