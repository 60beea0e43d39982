#include "pnmf/graph/laplacian_increments.h"

#include "check.h"

namespace {

// Edges of a triangle: (0,1) of length 1, (1,2) of length 2, (0,2) of length 3.
pnmf::EdgeList triangle() { return {{0, 1, 0}, {1, 2, 2}, {1, 2, 3}}; }

pnmf::Matrix laplacian(double threshold, double alpha) {
  const pnmf::EdgeList edges = triangle();
  pnmf::Matrix L = pnmf::Matrix::Zero(3, 3);
  for (pnmf::Index e = 0; e < edges.size(); ++e) {
    if (!(edges.length[e] < threshold)) continue;
    const double w = std::exp(-edges.length[e] * edges.length[e] / std::pow(threshold, alpha));
    const int i = edges.i[e], j = edges.j[e];
    L(i, j) = L(j, i) = -w;
    L(i, i) += w;
    L(j, j) += w;
  }
  return L;
}

}  // namespace

TEST("increments are norms of differences of dense Laplacians, an edge being strictly below its threshold") {
  const std::vector<double> thresholds{0, 1, 1.5, 2, 3.5};
  pnmf::SerialExecutor executor;
  const auto found = pnmf::laplacian_increments(3, triangle(), thresholds, 1.5, executor);
  CHECK(found.size() == 4);
  CHECK(found[0] == 0);
  for (std::size_t t = 1; t < thresholds.size(); ++t) {
    const double wanted = (laplacian(thresholds[t], 1.5) - laplacian(thresholds[t - 1], 1.5)).norm();
    CHECK_NEAR(found[t - 1], wanted, 1e-14);
  }
}
