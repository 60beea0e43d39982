#include "pnmf/geometry/outgoing_edge_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace pnmf {
namespace {

// Where an approximate search starts: enough cells of a component to come near all of its sides.
constexpr Index n_starts = 256;

// For each cell of `from`, the nearest cell of `to`.
std::vector<Pair> nearest_of_each(const Distances& distances, const std::vector<int>& from, const std::vector<int>& to,
                                  Executor& executor) {
  constexpr Index block = 1024;
  std::vector<Pair> nearest(from.size());
  executor.run(static_cast<Index>(from.size()), [&](Index f) {
    std::vector<double> key(block);
    const Index n = static_cast<Index>(to.size());
    for (Index begin = 0; begin < n; begin += block) {
      executor.poll();
      const Index length = std::min(block, n - begin);
      distances.keys(from[f], to.data() + begin, length, key.data());
      // Not ordered: i is the cell of `from`.
      for (Index k = 0; k < length; ++k) nearest[f] = std::min(nearest[f], Pair{key[k], from[f], to[begin + k]});
    }
  });
  return nearest;
}

void lower(std::atomic<double>& value, double to) {
  double now = value.load(std::memory_order_relaxed);
  while (to < now && !value.compare_exchange_weak(now, to, std::memory_order_relaxed)) {
  }
}

}  // namespace

Components::Components(Index cells) : parent_(cells), size_(cells, 1), count_(cells) {
  std::iota(parent_.begin(), parent_.end(), 0);
}

int Components::root(int cell) {
  while (parent_[cell] != cell) {
    parent_[cell] = parent_[parent_[cell]];
    cell = parent_[cell];
  }
  return cell;
}

bool Components::join(int a, int b) {
  a = root(a);
  b = root(b);
  if (a == b) return false;
  if (size_[a] < size_[b]) std::swap(a, b);
  parent_[b] = a;
  size_[a] += size_[b];
  --count_;
  return true;
}

// Shared by the searches of one round. Threads lower the bound of a component when they find shorter pairs. Pairs as
// short as the bound are never skipped, so the result does not depend on the order of the threads.
struct OutgoingEdgeSearch::Round {
  explicit Round(Index n_groups) : component(n_groups), best(n_groups) {}
  std::vector<int> component;              // of every group, 0 ... components - 1
  std::vector<std::atomic<double>> bound;  // of every component: the shortest key so far
  std::vector<Pair> best;                  // of every group
};

OutgoingEdgeSearch::OutgoingEdgeSearch(const Distances& distances, Components& components, Executor& executor,
                                       double max_pairs)
    : distances_(distances), max_pairs_(max_pairs), groups_(distances) {
  const Index n = distances.size();
  std::vector<std::vector<int>> members(n);
  for (int i = 0; i < n; ++i) members[components.root(i)].push_back(i);
  for (Index root = 0; root < n; ++root) {
    if (!members[root].empty()) groups_.add(std::move(members[root]), splitmix64(root), executor);
  }
  groups_.measure(executor);
}

std::vector<Pair> OutgoingEdgeSearch::shortest_outgoing_edges(Components& components, Executor& executor) {
  const Index n_groups = groups_.size();
  Round round(n_groups);
  std::vector<int> number(components.cells(), -1), roots;
  for (Index g = 0; g < n_groups; ++g) {
    const int root = components.root(groups_.centers()[g]);
    if (number[root] < 0) {
      number[root] = static_cast<int>(roots.size());
      roots.push_back(root);
    }
    round.component[g] = number[root];
  }
  round.bound = std::vector<std::atomic<double>>(roots.size());
  for (auto& bound : round.bound) bound = std::numeric_limits<double>::infinity();
  // The first of the largest components is skipped: the others find their connection to it.
  const auto largest = std::max_element(roots.begin(), roots.end(),
                                        [&](int a, int b) { return components.size(a) < components.size(b); });
  const int left_out = static_cast<int>(largest - roots.begin());
  const auto is_exact = [&](int component) {
    const double own = static_cast<double>(components.size(roots[component]));
    return own * (static_cast<double>(components.cells()) - own) <= max_pairs_;
  };
  executor.run(n_groups, [&](Index g) {
    if (round.component[g] != left_out && is_exact(round.component[g])) search_from(g, round, executor);
  });
  std::vector<Pair> shortest(roots.size());
  for (Index g = 0; g < n_groups; ++g)
    shortest[round.component[g]] = std::min(shortest[round.component[g]], round.best[g]);
  for (int component = 0; component < static_cast<int>(roots.size()); ++component) {
    if (component == left_out || is_exact(component)) continue;
    shortest[component] = alternating_search(component, round, executor);
  }
  shortest.erase(shortest.begin() + left_out);
  return shortest;
}

// The shortest pair from the cells of a group to other components, nearest groups first.
void OutgoingEdgeSearch::search_from(Index group, Round& round, Executor& executor) const {
  const BallGroups::Group& mine = groups_.group(group);
  const std::vector<int>& centers = groups_.centers();
  std::atomic<double>& bound = round.bound[round.component[group]];
  std::vector<double> apart(groups_.size()), key(mine.end - mine.begin);
  distances_.keys(centers[group], centers.data(), groups_.size(), apart.data());
  std::vector<int> order;
  for (int g = 0; g < groups_.size(); ++g) {
    if (round.component[g] != round.component[group]) order.push_back(g);
  }
  std::sort(order.begin(), order.end(), [&](int a, int b) { return std::tie(apart[a], a) < std::tie(apart[b], b); });
  for (const int g : order) {
    executor.poll();
    const auto root = [&] { return std::sqrt(bound.load(std::memory_order_relaxed)); };
    if (groups_.out_of_reach(g, std::sqrt(apart[g]), mine.radius, root())) continue;
    distances_.keys(centers[g], groups_.members(mine.begin), mine.end - mine.begin, key.data());
    for (Index k = mine.begin; k < mine.end; ++k) {
      const Pair nearest = nearest_in(*groups_.members(k), g, std::sqrt(key[k - mine.begin]), root());
      if (!(nearest < round.best[group])) continue;
      round.best[group] = nearest;
      lower(bound, nearest.key);
    }
  }
}

// From cells on all sides of the component to their nearest foreign cells, from these to their nearest cells of the
// component, and so on, while the shortest pair becomes shorter.
Pair OutgoingEdgeSearch::alternating_search(int component, const Round& round, Executor& executor) const {
  std::vector<int> own, foreign;
  for (Index g = 0; g < groups_.size(); ++g) {
    const BallGroups::Group& group = groups_.group(g);
    std::vector<int>& side = round.component[g] == component ? own : foreign;
    side.insert(side.end(), groups_.members(group.begin), groups_.members(group.begin) + (group.end - group.begin));
  }
  const Index size = static_cast<Index>(own.size()), starts = std::min(size, n_starts);
  std::vector<int> from(starts);
  for (Index s = 0; s < starts; ++s) from[s] = own[s * size / starts];
  Pair best;
  for (bool outwards = true;; outwards = !outwards) {
    const std::vector<Pair> found = nearest_of_each(distances_, from, outwards ? foreign : own, executor);
    const Pair shortest = *std::min_element(found.begin(), found.end());
    if (!(shortest.key < best.key)) return best;
    best = Pair::of(shortest.key, shortest.i, shortest.j);
    from.clear();
    for (const Pair& pair : found) from.push_back(pair.j);
    std::sort(from.begin(), from.end());
    from.erase(std::unique(from.begin(), from.end()), from.end());
  }
}

Pair OutgoingEdgeSearch::nearest_in(int from, Index group, double apart, double bound) const {
  Pair best;
  if (groups_.out_of_reach(group, apart, 0, bound)) return best;
  const BallGroups::Group part = groups_.within_reach(group, apart, bound);
  double key[BallGroups::largest];
  distances_.keys(from, groups_.members(part.begin), part.end - part.begin, key);
  for (Index k = part.begin; k < part.end; ++k) {
    best = std::min(best, Pair::of(key[k - part.begin], from, *groups_.members(k)));
  }
  return best;
}

}  // namespace pnmf
