#include <algorithm>
#include <cmath>

#include "pnmf/cluster/community_tree.h"

namespace pnmf {
namespace {

struct LeafWeights {
  LeafWeights(const SimilarityGraph& graph, const std::vector<int>& leaf_of_cell, int leaves)
      : between(Matrix::Zero(leaves, leaves)) {
    for (Index i = 0; i < graph.cells(); ++i) {
      for (Index e = graph.start[i]; e < graph.start[i + 1]; ++e) {
        between(leaf_of_cell[i], leaf_of_cell[graph.neighbor[e]]) += graph.weight[e];
      }
    }
    volume = between.rowwise().sum();
    total = volume.sum();
  }
  double share(int a, int b) const { return between(a, b) / std::min(volume[a], volume[b]); }
  double resolution(int a, int b) const { return between(a, b) * total / (volume[a] * volume[b]); }
  // b becomes part of a.
  void join(int a, int b) {
    between.row(a) += between.row(b);
    between.col(a) += between.col(b);
    volume[a] += volume[b];
  }
  Matrix between;
  Vector volume;
  double total;
};

}  // namespace

std::vector<Merger> merge_leaves(const SimilarityGraph& graph, const std::vector<int>& leaf_of_cell, int leaves) {
  LeafWeights weights(graph, leaf_of_cell, leaves);
  std::vector<int> place, number(leaves);  // the places that are left, and the clusters in them
  for (int l = 0; l < leaves; ++l) {
    place.push_back(l);
    number[l] = l;
  }
  std::vector<Merger> mergers;
  double resolution = std::nextafter(1.0, 0.0);
  while (place.size() > 1) {
    int best_a = place[0], best_b = place[1];
    for (std::size_t u = 0; u < place.size(); ++u) {
      for (std::size_t v = u + 1; v < place.size(); ++v) {
        if (weights.share(place[u], place[v]) <= weights.share(best_a, best_b)) continue;
        best_a = place[u];
        best_b = place[v];
      }
    }
    resolution = std::min(resolution, weights.resolution(best_a, best_b));
    mergers.push_back({number[best_a], number[best_b], resolution});
    weights.join(best_a, best_b);
    number[best_a] = leaves + static_cast<int>(mergers.size()) - 1;
    place.erase(std::find(place.begin(), place.end(), best_b));
  }
  return mergers;
}

}  // namespace pnmf
