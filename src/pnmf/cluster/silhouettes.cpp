#include <cmath>
#include <limits>

#include "pnmf/cluster/community_tree.h"

namespace pnmf {
namespace {

// spread(c, i): mean squared distance of cell i to the cells of cluster c,  |x_i - mean_c|^2 + variance_c.
Matrix mean_squared_distances(const Eigen::Ref<const Matrix>& points, const std::vector<int>& leaf,
                              const Vector& size) {
  const Index leaves = size.size(), n = points.cols();
  Matrix mean = Matrix::Zero(points.rows(), leaves);
  Vector squares = Vector::Zero(leaves);
  for (Index i = 0; i < n; ++i) {
    mean.col(leaf[i]) += points.col(i);
    squares[leaf[i]] += points.col(i).squaredNorm();
  }
  for (Index c = 0; c < leaves; ++c) mean.col(c) /= size[c];
  Matrix spread = -2 * mean.transpose() * points;
  spread.rowwise() += points.colwise().squaredNorm();
  spread.colwise() += squares.cwiseQuotient(size);
  return spread;
}

// (b - a) / max(a, b) of a cell: a to its own cluster, without itself, b to the nearest other.
double silhouette(const Matrix& spread, const Vector& size, Index own, Index cell) {
  if (size[own] < 2) return 0;
  const double a = std::max(0.0, spread(own, cell)) * size[own] / (size[own] - 1);
  double b = std::numeric_limits<double>::infinity();
  for (Index c = 0; c < size.size(); ++c) {
    if (c != own && size[c] > 0) b = std::min(b, std::max(0.0, spread(c, cell)));
  }
  const double larger = std::max(a, b);
  return larger > 0 ? (b - a) / larger : 0;
}

}  // namespace

std::vector<double> mean_silhouettes(const Eigen::Ref<const Matrix>& points, const ClusterTree& tree) {
  const Index n = points.cols();
  Vector size = Vector::Zero(tree.leaves);
  for (int leaf : tree.leaf_of_cell) ++size[leaf];
  Matrix spread = mean_squared_distances(points, tree.leaf_of_cell, size);

  // Every merger stores its cluster in the row of its first one; the other row stays empty.
  std::vector<int> own = tree.leaf_of_cell, row_of(tree.leaves + tree.mergers.size());
  for (int leaf = 0; leaf < tree.leaves; ++leaf) row_of[leaf] = leaf;
  std::vector<double> mean;
  for (std::size_t m = 0; m < tree.mergers.size(); ++m) {
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += silhouette(spread, size, own[i], i);
    mean.push_back(sum / static_cast<double>(n));
    const int a = row_of[tree.mergers[m].a], b = row_of[tree.mergers[m].b];
    spread.row(a) = (size[a] * spread.row(a) + size[b] * spread.row(b)) / (size[a] + size[b]);
    size[a] += size[b];
    size[b] = 0;
    for (int& cluster : own) {
      if (cluster == b) cluster = a;
    }
    row_of[tree.leaves + m] = a;
  }
  return mean;
}

}  // namespace pnmf
