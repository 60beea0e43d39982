#pragma once

#include "pnmf/base/executor.h"
#include "pnmf/geometry/minimum_spanning_tree.h"

namespace pnmf {

// |L_t - L_{t-1}|_F for t = 2 ... T (one fewer than thresholds), where L_t is the Laplacian of the graph with weights
// exp(-d^2 / threshold_t^alpha) on the edges strictly shorter than threshold_t. No Laplacian is formed:
//   |dL|^2 = 2 sum over edges (dA_ij)^2 + sum over cells (d degree_i)^2
// Edges and thresholds are ascending.
std::vector<double> laplacian_increments(Index cells, const EdgeList& edges, const std::vector<double>& thresholds,
                                         double alpha, Executor& executor);

}  // namespace pnmf
