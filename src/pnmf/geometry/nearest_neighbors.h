#pragma once

#include "pnmf/base/executor.h"
#include "pnmf/geometry/distances.h"

namespace pnmf {

// The nearest neighbours of every cell, nearest first; ties are ordered by cell. A cell is not its own neighbour.
struct NearestNeighbors {
  Eigen::MatrixXi index;        // cells x k, 0-based
  Matrix length;                // cells x k
  double longest_distance = 0;  // over all pairs of cells
};

// Exact, with distances computed on the fly: every pair is computed twice, memory is O(cells) per thread. k < cells.
NearestNeighbors nearest_neighbors(const Distances& distances, Index k, Executor& executor);

}  // namespace pnmf
