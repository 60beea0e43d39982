#pragma once

#include "pnmf/geometry/nearest_neighbors.h"

namespace pnmf {

// The k nearest points (Euclidean) of every query, nearest first; ties are ordered by point. Compares all pairs.
// points, queries: dimensions x n;   k <= number of points
NearestNeighbors query_neighbors(const ConstMatrixMap& points, const ConstMatrixMap& queries, Index k,
                                 Executor& executor);

}  // namespace pnmf
