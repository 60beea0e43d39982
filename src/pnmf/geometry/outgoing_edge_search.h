#pragma once

#include <limits>
#include <tuple>

#include "pnmf/geometry/cell_groups.h"

namespace pnmf {

// Two cells i < j, in the order in which a tree adds pairs: by key, ties by the numbers of the cells.
struct Pair {
  double key = std::numeric_limits<double>::infinity();
  int i = -1, j = -1;
  static Pair of(double key, int a, int b) { return {key, std::min(a, b), std::max(a, b)}; }
  bool operator<(const Pair& other) const { return std::tie(key, i, j) < std::tie(other.key, other.i, other.j); }
};

// The connected components so far.
class Components {
 public:
  explicit Components(Index cells);
  int root(int cell);
  // Joins two components; returns whether they were separate.
  bool join(int a, int b);
  Index size(int root) const { return size_[root]; }
  Index count() const { return count_; }
  Index cells() const { return static_cast<Index>(parent_.size()); }

 private:
  std::vector<int> parent_;
  std::vector<Index> size_;
  Index count_;
};

// Searches for the shortest outgoing pair of a component. The cells of every component are split into groups once.
// Groups and cells that are too far from each other are skipped. In many dimensions few are, so an exact search compares
// nearly all pairs. A component with more than `max_pairs` pairs is searched approximately: its pair may be longer than
// the shortest one.
class OutgoingEdgeSearch {
 public:
  // About as many pairs as an approximate search compares among 30,000 cells.
  static constexpr double max_exact_pairs = 3e7;
  OutgoingEdgeSearch(const Distances& distances, Components& components, Executor& executor,
                     double max_pairs = max_exact_pairs);
  // One pair for every component except the largest. Since the last call, components may only have merged.
  std::vector<Pair> shortest_outgoing_edges(Components& components, Executor& executor);

 private:
  struct Round;
  void search_from(Index group, Round& round, Executor& executor) const;
  Pair alternating_search(int component, const Round& round, Executor& executor) const;
  Pair nearest_in(int from, Index group, double apart, double bound) const;

  const Distances& distances_;
  double max_pairs_;
  BallGroups groups_;
};

}  // namespace pnmf
