#include "pnmf/geometry/nearest_neighbors.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pnmf {
namespace {

// Cells per task, and partners per block, so that their coordinates are read from cache for all cells of a task.
constexpr Index rows_per_task = 32, partners_per_block = 256;

// key(j, i - begin) for the pairs (i, j) of cells i in begin ... end-1 with every cell j
Matrix keys_of_rows(const Distances& distances, Index begin, Index end, Executor& executor) {
  const Index n = distances.size();
  std::vector<int> partner(n);
  std::iota(partner.begin(), partner.end(), 0);
  Matrix key(n, end - begin);
  for (Index block = 0; block < n; block += partners_per_block) {
    executor.poll();
    const Index length = std::min(partners_per_block, n - block);
    for (Index i = begin; i < end; ++i) {
      distances.keys(i, partner.data() + block, length, key.col(i - begin).data() + block);
    }
  }
  return key;
}

using Near = std::pair<double, int>;

// The first k cells other than i by (key, cell).
std::vector<Near> nearest_of(Index i, const double* key, Index n, Index k) {
  std::vector<Near> list;
  list.reserve(k);
  for (Index j = 0; j < n; ++j) {
    const bool full = static_cast<Index>(list.size()) == k;
    if (j == i || (full && !(key[j] < list.back().first))) continue;
    if (full) list.pop_back();
    const Near near{key[j], static_cast<int>(j)};
    list.insert(std::upper_bound(list.begin(), list.end(), near), near);
  }
  return list;
}

}  // namespace

NearestNeighbors nearest_neighbors(const Distances& distances, Index k, Executor& executor) {
  const Index n = distances.size();
  NearestNeighbors found;
  found.index.resize(n, k);
  found.length.resize(n, k);
  std::vector<double> farthest(n, 0.0);
  run_blocks(executor, n, rows_per_task, [&](Index begin, Index end) {
    const Matrix keys = keys_of_rows(distances, begin, end, executor);
    for (Index i = begin; i < end; ++i) {
      const double* key = keys.col(i - begin).data();
      const std::vector<Near> nearest = nearest_of(i, key, n, k);
      for (Index rank = 0; rank < k; ++rank) {
        found.index(i, rank) = nearest[rank].second;
        found.length(i, rank) = distances.length(nearest[rank].first);
      }
      farthest[i] = *std::max_element(key, key + n);
    }
  });
  found.longest_distance = distances.length(*std::max_element(farthest.begin(), farthest.end()));
  return found;
}

}  // namespace pnmf
