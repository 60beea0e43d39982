#include "pnmf/geometry/exact_neighbors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pnmf/geometry/approximate_neighbors.h"
#include "pnmf/geometry/cell_groups.h"

namespace pnmf {
namespace {

using Near = std::pair<double, int>;

// Inserts a cell into a list that is ascending by (key, cell), unless it is already there or beyond the end.
void insert(std::vector<Near>& list, const Near& near) {
  if (!(near < list.back())) return;
  const auto place = std::lower_bound(list.begin(), list.end(), near);
  if (*place == near) return;
  std::move_backward(place, list.end() - 1, list.end());
  *place = near;
}

// Turns the approximate lists of the cells of one group into exact ones.
class GroupSearch {
 public:
  GroupSearch(const Distances& distances, const BallGroups& groups, Index group, Executor& executor)
      : distances_(distances), groups_(groups), mine_(groups.group(group)), executor_(executor) {
    apart_.resize(groups.size());
    distances.keys(groups.centers()[group], groups.centers().data(), groups.size(), apart_.data());
    order_.resize(groups.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(),
              [&](int a, int b) { return std::tie(apart_[a], a) < std::tie(apart_[b], b); });
  }

  void run(NearestNeighbors& found) {
    const Index n = mine_.end - mine_.begin;
    std::vector<std::vector<Near>> lists(n);
    for (Index k = 0; k < n; ++k) lists[k] = first_list(*groups_.members(mine_.begin + k), found.index);
    std::vector<double> to_center(n);
    for (const int g : order_) {
      executor_.poll();
      double farthest = 0;
      for (const auto& list : lists) farthest = std::max(farthest, list.back().first);
      if (groups_.out_of_reach(g, std::sqrt(apart_[g]), mine_.radius, std::sqrt(farthest))) continue;
      distances_.keys(groups_.centers()[g], groups_.members(mine_.begin), n, to_center.data());
      for (Index k = 0; k < n; ++k) {
        look_into(g, *groups_.members(mine_.begin + k), std::sqrt(to_center[k]), lists[k]);
      }
    }
    for (Index k = 0; k < n; ++k) store(*groups_.members(mine_.begin + k), lists[k], found);
  }

 private:
  std::vector<Near> first_list(int cell, const Eigen::MatrixXi& index) const {
    std::vector<int> near(index.cols());
    for (Index r = 0; r < index.cols(); ++r) near[r] = index(cell, r);
    std::vector<double> key(near.size());
    distances_.keys(cell, near.data(), index.cols(), key.data());
    std::vector<Near> list;
    for (Index r = 0; r < index.cols(); ++r) list.emplace_back(key[r], near[r]);
    std::sort(list.begin(), list.end());
    return list;
  }

  void look_into(Index g, int cell, double apart, std::vector<Near>& list) const {
    const double bound = std::sqrt(list.back().first);
    if (groups_.out_of_reach(g, apart, 0, bound)) return;
    const BallGroups::Group part = groups_.within_reach(g, apart, bound);
    double key[BallGroups::largest];
    distances_.keys(cell, groups_.members(part.begin), part.end - part.begin, key);
    for (Index k = part.begin; k < part.end; ++k) {
      const int other = *groups_.members(k);
      if (key[k - part.begin] <= list.back().first && other != cell) insert(list, {key[k - part.begin], other});
    }
  }

  void store(int cell, const std::vector<Near>& list, NearestNeighbors& found) const {
    for (std::size_t r = 0; r < list.size(); ++r) {
      found.index(cell, static_cast<Index>(r)) = list[r].second;
      found.length(cell, static_cast<Index>(r)) = distances_.length(list[r].first);
    }
  }

  const Distances& distances_;
  const BallGroups& groups_;
  const BallGroups::Group mine_;
  Executor& executor_;
  std::vector<double> apart_;
  std::vector<int> order_;
};

}  // namespace

NearestNeighbors exact_neighbors(const Distances& distances, Index k, Executor& executor) {
  NearestNeighbors found = approximate_neighbors(distances, k, executor);
  std::vector<int> cells(distances.size());
  std::iota(cells.begin(), cells.end(), 0);
  BallGroups groups(distances);
  groups.add(std::move(cells), 0, executor);
  groups.measure(executor);
  executor.run(groups.size(), [&](Index g) { GroupSearch(distances, groups, g, executor).run(found); });
  return found;
}

}  // namespace pnmf
