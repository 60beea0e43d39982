#include "pnmf/geometry/approximate_tree.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "pnmf/geometry/cell_groups.h"
#include "pnmf/geometry/outgoing_edge_search.h"

namespace pnmf {
namespace {

constexpr Index cells_per_task = 1024;

// The pairs (i, neighbour) with i < j, each once, ascending.
std::vector<Pair> neighbor_pairs(const Distances& distances, const Eigen::Ref<const Eigen::MatrixXi>& neighbors,
                                 Executor& executor) {
  const Index n = neighbors.rows(), k = neighbors.cols();
  std::vector<Pair> pairs(n * k);
  run_blocks(executor, n, cells_per_task, [&](Index begin, Index end) {
    std::vector<int> to(k);
    std::vector<double> key(k);
    for (Index i = begin; i < end; ++i) {
      for (Index r = 0; r < k; ++r) to[r] = neighbors(i, r);
      distances.keys(i, to.data(), k, key.data());
      for (Index r = 0; r < k; ++r) pairs[i * k + r] = Pair::of(key[r], static_cast<int>(i), to[r]);
    }
  });
  executor.poll();
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// The cell that is farthest from each of `from`, and its key; ties go to the first.
std::vector<Pair> farthest_from(const Distances& distances, const std::vector<int>& from, Executor& executor) {
  const Index n = distances.size(), n_from = static_cast<Index>(from.size());
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  std::vector<Pair> farthest(n_from);
  executor.run(n_from, [&](Index f) {
    std::vector<double> key(cells_per_task);
    farthest[f] = {0, from[f], from[f]};
    for (Index begin = 0; begin < n; begin += cells_per_task) {
      executor.poll();
      const Index length = std::min(cells_per_task, n - begin);
      distances.keys(from[f], all.data() + begin, length, key.data());
      const Index place = std::max_element(key.begin(), key.begin() + length) - key.begin();
      if (key[place] > farthest[f].key) farthest[f] = {key[place], from[f], static_cast<int>(begin + place)};
    }
  });
  return farthest;
}

// Drawn cells, and the cells with the largest sum of keys to the drawn ones. For squared distances, these are farthest
// from the mean.
std::vector<int> starts_outside(const Distances& distances, Executor& executor) {
  const Index n = distances.size();
  const Index n_drawn = std::min<Index>(n, 64), n_outliers = std::min<Index>(n, 192);
  std::vector<int> starts(n_drawn), order(n);
  for (Index s = 0; s < n_drawn; ++s) starts[s] = static_cast<int>(splitmix64(s) % static_cast<std::uint64_t>(n));
  std::iota(order.begin(), order.end(), 0);
  Vector total = Vector::Zero(n);
  run_blocks(executor, n, cells_per_task, [&](Index begin, Index end) {
    Vector key(end - begin);
    for (const int from : starts) {
      distances.keys(from, order.data() + begin, end - begin, key.data());
      total.segment(begin, end - begin) += key;
    }
  });
  std::partial_sort(order.begin(), order.begin() + n_outliers, order.end(),
                    [&](int a, int b) { return std::tie(total[b], a) < std::tie(total[a], b); });
  starts.insert(starts.end(), order.begin(), order.begin() + n_outliers);
  return starts;
}

// The longest key from outlying cells to any cell, then from the farthest of these, and so on while it grows.
double longest_key(const Distances& distances, Executor& executor) {
  std::vector<int> from = starts_outside(distances, executor);
  std::vector<bool> visited(distances.size(), false);
  double longest = 0;
  for (;;) {
    for (const int cell : from) visited[cell] = true;
    const double before = longest;
    std::vector<int> next;
    for (const Pair& pair : farthest_from(distances, from, executor)) {
      longest = std::max(longest, pair.key);
      if (!visited[pair.j]) next.push_back(pair.j);
      visited[pair.j] = true;
    }
    if (next.empty() || !(longest > before)) return longest;
    from = std::move(next);
  }
}

}  // namespace

SpanningTree approximate_spanning_tree(const Distances& distances, const Eigen::Ref<const Eigen::MatrixXi>& neighbors,
                                       Executor& executor) {
  Components components(distances.size());
  SpanningTree tree;
  double longest = 0;
  const auto add = [&](const Pair& pair) {
    if (!components.join(pair.i, pair.j)) return;
    tree.edges.add(pair.i, pair.j, distances.length(pair.key));
    longest = std::max(longest, pair.key);
  };
  for (const Pair& pair : neighbor_pairs(distances, neighbors, executor)) add(pair);
  if (components.count() > 1) {
    OutgoingEdgeSearch search(distances, components, executor);
    while (components.count() > 1) {
      for (const Pair& pair : search.shortest_outgoing_edges(components, executor)) add(pair);
    }
  }
  tree.longest_distance = distances.length(std::max(longest, longest_key(distances, executor)));
  sort_edges(tree.edges);
  return tree;
}

}  // namespace pnmf
