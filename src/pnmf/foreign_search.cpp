#include "foreign_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "cell_groups.h"

namespace pnmf {
namespace {

constexpr Index largest_group = 128;

// Whether a pair that is at least `far - near` apart may be passed over for one that is `bound` apart. Roots of keys
// are rounded, after cancellation to about 1e-8 of their size.
bool beyond(double far, double near, double bound) { return far - near - bound > 1e-7 * (far + near + bound); }

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

// What the searches of one round share. Threads lower a component's bound as they find shorter pairs; as no pair that
// is as short as the bound is ever passed over, what is found in the end does not depend on who was first.
struct ForeignSearch::Round {
  explicit Round(Index n_groups) : component(n_groups), best(n_groups) {}
  std::vector<int> component;              // of every group, 0 ... components - 1
  std::vector<std::atomic<double>> bound;  // of every component: the shortest key so far
  std::vector<Pair> best;                  // of every group
};

ForeignSearch::ForeignSearch(const Distances& distances, Components& components, Executor& executor)
    : distances_(distances), cell_(distances.size()), to_center_(distances.size()) {
  const Index n = distances.size();
  std::iota(cell_.begin(), cell_.end(), 0);
  std::vector<int> root(n);
  for (Index i = 0; i < n; ++i) root[i] = components.root(static_cast<int>(i));
  std::stable_sort(cell_.begin(), cell_.end(), [&](int a, int b) { return root[a] < root[b]; });
  for (Index begin = 0; begin < n;) {
    const Index end = begin + components.size(root[cell_[begin]]);
    const std::vector<Index> starts = split_into_groups(distances, cell_.data() + begin, end - begin, largest_group,
                                                        mixed(static_cast<std::uint64_t>(begin)), executor);
    for (std::size_t g = 0; g + 1 < starts.size(); ++g)
      groups_.push_back({begin + starts[g], begin + starts[g + 1], 0});
    begin = end;
  }
  executor.run(static_cast<Index>(groups_.size()), [&](Index g) { measure(groups_[g]); });
  for (const Group& group : groups_) centers_.push_back(cell_[group.begin]);
}

// Sorts the cells of a group by how far they are from its first.
void ForeignSearch::measure(Group& group) {
  const Index n = group.end - group.begin;
  std::vector<std::pair<double, int>> placed(n);
  std::vector<double> key(n);
  distances_.keys(cell_[group.begin], cell_.data() + group.begin, n, key.data());
  for (Index k = 0; k < n; ++k) placed[k] = {std::sqrt(key[k]), cell_[group.begin + k]};
  std::sort(placed.begin() + 1, placed.end());
  for (Index k = 0; k < n; ++k) std::tie(to_center_[group.begin + k], cell_[group.begin + k]) = placed[k];
  group.radius = placed.back().first;
}

std::vector<Pair> ForeignSearch::shortest_ways_out(Components& components, Executor& executor) {
  const Index n_groups = static_cast<Index>(groups_.size());
  Round round(n_groups);
  std::vector<int> number(components.cells(), -1), roots;
  for (Index g = 0; g < n_groups; ++g) {
    const int root = components.root(centers_[g]);
    if (number[root] < 0) {
      number[root] = static_cast<int>(roots.size());
      roots.push_back(root);
    }
    round.component[g] = number[root];
  }
  round.bound = std::vector<std::atomic<double>>(roots.size());
  for (auto& bound : round.bound) bound = std::numeric_limits<double>::infinity();
  // The first of the largest is left out: the others find the way to it.
  const auto largest = std::max_element(roots.begin(), roots.end(),
                                        [&](int a, int b) { return components.size(a) < components.size(b); });
  const int left_out = static_cast<int>(largest - roots.begin());
  executor.run(n_groups, [&](Index g) {
    if (round.component[g] != left_out) search_from(g, round, executor);
  });
  std::vector<Pair> ways(roots.size());
  for (Index g = 0; g < n_groups; ++g) ways[round.component[g]] = std::min(ways[round.component[g]], round.best[g]);
  ways.erase(ways.begin() + left_out);
  return ways;
}

// The shortest pair from the cells of a group to other components, nearest groups first.
void ForeignSearch::search_from(Index group, Round& round, Executor& executor) const {
  const Group& mine = groups_[group];
  std::atomic<double>& bound = round.bound[round.component[group]];
  const Index n_groups = static_cast<Index>(groups_.size());
  std::vector<double> apart(n_groups);
  distances_.keys(centers_[group], centers_.data(), n_groups, apart.data());
  std::vector<int> order;
  for (Index g = 0; g < n_groups; ++g) {
    if (round.component[g] != round.component[group]) order.push_back(static_cast<int>(g));
  }
  std::sort(order.begin(), order.end(), [&](int a, int b) { return std::tie(apart[a], a) < std::tie(apart[b], b); });
  std::vector<double> key(mine.end - mine.begin);
  for (const int g : order) {
    executor.poll();
    const Group& other = groups_[g];
    double root = std::sqrt(bound.load(std::memory_order_relaxed));
    const bool prune = distances_.obeys_triangle();
    if (prune && beyond(std::sqrt(apart[g]), mine.radius + other.radius, root)) continue;
    distances_.keys(centers_[g], cell_.data() + mine.begin, mine.end - mine.begin, key.data());
    for (Index k = mine.begin; k < mine.end; ++k) {
      root = std::sqrt(bound.load(std::memory_order_relaxed));
      const double to_center = std::sqrt(key[k - mine.begin]);
      if (prune && beyond(to_center, other.radius, root)) continue;
      const Pair nearest = nearest_in(cell_[k], other, to_center, root);
      if (!(nearest < round.best[group])) continue;
      round.best[group] = nearest;
      lower(bound, nearest.key);
    }
  }
}

// Only cells whose distance from the center differs from that of `from` by no more than the bound can be within it.
Pair ForeignSearch::nearest_in(int from, const Group& group, double to_center, double bound) const {
  Index begin = group.begin, end = group.end;
  if (distances_.obeys_triangle()) {
    while (begin < end && beyond(to_center, to_center_[begin], bound)) ++begin;
    while (begin < end && beyond(to_center_[end - 1], to_center, bound)) --end;
  }
  double key[largest_group];
  distances_.keys(from, cell_.data() + begin, end - begin, key);
  Pair best;
  for (Index k = begin; k < end; ++k) best = std::min(best, Pair::of(key[k - begin], from, cell_[k]));
  return best;
}

}  // namespace pnmf
