#include "pnmf/graph/laplacian_increments.h"

#include <algorithm>
#include <cmath>

namespace pnmf {
namespace {

Index edges_below(const EdgeList& edges, double threshold) {
  return std::lower_bound(edges.length.begin(), edges.length.end(), threshold) - edges.length.begin();
}

double increment(Index cells, const EdgeList& edges, double finer, double coarser, double alpha) {
  const Index old_edges = edges_below(edges, finer), all_edges = edges_below(edges, coarser);
  const double finer_scale = 1.0 / std::pow(finer, alpha), coarser_scale = 1.0 / std::pow(coarser, alpha);
  Vector degree = Vector::Zero(cells);
  double squares = 0;
  for (Index e = 0; e < all_edges; ++e) {
    const double square = edges.length[e] * edges.length[e];
    double change = std::exp(-square * coarser_scale);
    if (e < old_edges) change -= std::exp(-square * finer_scale);
    degree[edges.i[e]] += change;
    degree[edges.j[e]] += change;
    squares += change * change;
  }
  return std::sqrt(2 * squares + degree.squaredNorm());
}

}  // namespace

std::vector<double> laplacian_increments(Index cells, const EdgeList& edges, const std::vector<double>& thresholds,
                                         double alpha, Executor& executor) {
  std::vector<double> result(thresholds.size() - 1);
  executor.run(static_cast<Index>(result.size()),
               [&](Index t) { result[t] = increment(cells, edges, thresholds[t], thresholds[t + 1], alpha); });
  return result;
}

}  // namespace pnmf
