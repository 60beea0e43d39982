#include "pnmf/geometry/foreign_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace pnmf {
namespace {

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
struct ForeignSearch::Round {
  explicit Round(Index n_groups) : component(n_groups), best(n_groups) {}
  std::vector<int> component;              // of every group, 0 ... components - 1
  std::vector<std::atomic<double>> bound;  // of every component: the shortest key so far
  std::vector<Pair> best;                  // of every group
};

ForeignSearch::ForeignSearch(const Distances& distances, Components& components, Executor& executor)
    : distances_(distances), groups_(distances) {
  const Index n = distances.size();
  std::vector<std::vector<int>> members(n);
  for (int i = 0; i < n; ++i) members[components.root(i)].push_back(i);
  for (Index root = 0; root < n; ++root) {
    if (!members[root].empty()) groups_.add(std::move(members[root]), splitmix64(root), executor);
  }
  groups_.measure(executor);
}

std::vector<Pair> ForeignSearch::shortest_outgoing_edges(Components& components, Executor& executor) {
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
  executor.run(n_groups, [&](Index g) {
    if (round.component[g] != left_out) search_from(g, round, executor);
  });
  std::vector<Pair> shortest(roots.size());
  for (Index g = 0; g < n_groups; ++g)
    shortest[round.component[g]] = std::min(shortest[round.component[g]], round.best[g]);
  shortest.erase(shortest.begin() + left_out);
  return shortest;
}

// The shortest pair from the cells of a group to other components, nearest groups first.
void ForeignSearch::search_from(Index group, Round& round, Executor& executor) const {
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

Pair ForeignSearch::nearest_in(int from, Index group, double apart, double bound) const {
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
