#include "pnmf/cluster/community_tree.h"

namespace pnmf {

Matrix leaf_weights(const SimilarityGraph& graph, const std::vector<int>& leaf_of_cell, int leaves) {
  Matrix between = Matrix::Zero(leaves, leaves);
  for (Index i = 0; i < graph.cells(); ++i) {
    for (Index e = graph.start[i]; e < graph.start[i + 1]; ++e) {
      between(leaf_of_cell[i], leaf_of_cell[graph.neighbor[e]]) += graph.value[e];
    }
  }
  return between;
}

}  // namespace pnmf
