#pragma once

#include <cstdint>

#include "pnmf/base/executor.h"
#include "pnmf/geometry/nearest_neighbors.h"

namespace pnmf {

struct LayoutOptions {
  int epochs = 100;
  std::uint64_t seed = 1;
};

// A map in two dimensions on which cells lie among their nearest neighbours (t-UMAP, McInnes et al. 2018): the smallest
// cross-entropy between the weights w_ij of the neighbours and q_ij = 1 / (1 + |y_i - y_j|^2) on the map, found by
// descent from `start` with sampled pairs.   start, result: 2 x cells
Matrix neighbor_layout(const NearestNeighbors& near, const Matrix& start, const LayoutOptions& options,
                       Executor& executor);

// exp(-(d - rho_i)+ / sigma_i) for every neighbour, where rho_i is the distance of the nearest one that is not a copy,
// and sigma_i gives all weights of a cell the sum log2(k + 1).   cells x k
Matrix neighbor_weights(const Matrix& length);

}  // namespace pnmf
