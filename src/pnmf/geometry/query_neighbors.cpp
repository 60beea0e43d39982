#include "pnmf/geometry/query_neighbors.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pnmf {
namespace {

constexpr Index queries_per_block = 16, points_per_block = 1024;

using Candidate = std::pair<double, int>;  // squared distance, point

// Squares from products are only accurate to rounding of the lengths, so a few more points are compared exactly.
constexpr Index spare = 8;

void keep_nearest(std::vector<Candidate>& heap, std::size_t size, const Candidate& candidate) {
  if (heap.size() == size) {
    if (!(candidate < heap.front())) return;
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
  }
  heap.push_back(candidate);
  std::push_heap(heap.begin(), heap.end());
}

}  // namespace

NearestNeighbors query_neighbors(const ConstMatrixMap& points, const ConstMatrixMap& queries, Index k,
                                 Executor& executor) {
  const Index n = points.cols(), m = queries.cols();
  const std::size_t size = static_cast<std::size_t>(std::min(n, k + spare));
  const Vector squares = points.colwise().squaredNorm();
  NearestNeighbors found;
  found.index.resize(m, k);
  found.length.resize(m, k);
  run_blocks(executor, m, queries_per_block, [&](Index begin, Index end) {
    executor.poll();
    std::vector<std::vector<Candidate>> heaps(end - begin);
    Matrix products;
    for (Index first = 0; first < n; first += points_per_block) {
      const Index count = std::min(points_per_block, n - first);
      products.noalias() = points.middleCols(first, count).transpose() * queries.middleCols(begin, end - begin);
      for (Index q = 0; q < end - begin; ++q)
        for (Index p = 0; p < count; ++p)
          keep_nearest(heaps[q], size, {squares[first + p] - 2 * products(p, q), static_cast<int>(first + p)});
    }
    for (Index q = 0; q < end - begin; ++q) {
      for (Candidate& candidate : heaps[q])
        candidate.first = (points.col(candidate.second) - queries.col(begin + q)).squaredNorm();
      std::sort(heaps[q].begin(), heaps[q].end());
      for (Index r = 0; r < k; ++r) {
        found.index(begin + q, r) = heaps[q][r].second;
        found.length(begin + q, r) = std::sqrt(heaps[q][r].first);
      }
    }
  });
  return found;
}

}  // namespace pnmf
