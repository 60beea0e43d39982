#include "pnmf/geometry/cell_groups.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pnmf {
namespace {

// How much nearer a cell is to the first of two cells than to the second; linear in the coordinates of the cell.
struct Placed {
  double side;
  int cell;
  bool operator<(const Placed& other) const { return side < other.side || (side == other.side && cell < other.cell); }
};

// Moves the half of the cells that is nearer to the first of two drawn cells to the front; returns its size.
Index halve(const Distances& distances, int* cells, Index n, std::uint64_t seed, Executor& executor) {
  const Index a = static_cast<Index>(splitmix64(seed) % static_cast<std::uint64_t>(n));
  const Index step = 1 + static_cast<Index>(splitmix64(seed + 1) % static_cast<std::uint64_t>(n - 1));
  const int first = cells[a], second = cells[(a + step) % n];
  std::vector<double> to_first(n), to_second(n);
  constexpr Index block = 4096;
  for (Index begin = 0; begin < n; begin += block) {
    executor.poll();
    const Index length = std::min(block, n - begin);
    distances.keys(first, cells + begin, length, to_first.data() + begin);
    distances.keys(second, cells + begin, length, to_second.data() + begin);
  }
  std::vector<Placed> placed(n);
  for (Index k = 0; k < n; ++k) placed[k] = {to_first[k] - to_second[k], cells[k]};
  std::nth_element(placed.begin(), placed.begin() + n / 2, placed.end());
  for (Index k = 0; k < n; ++k) cells[k] = placed[k].cell;
  // The order that nth_element leaves within a half depends on the library.
  std::sort(cells, cells + n / 2);
  std::sort(cells + n / 2, cells + n);
  return n / 2;
}

void split(const Distances& distances, int* cells, Index begin, Index end, Index largest, std::uint64_t seed,
           Executor& executor, std::vector<Index>& starts) {
  if (end - begin <= largest) {
    starts.push_back(begin);
    return;
  }
  const Index middle = begin + halve(distances, cells + begin, end - begin, seed, executor);
  split(distances, cells, begin, middle, largest, splitmix64(seed + 2), executor, starts);
  split(distances, cells, middle, end, largest, splitmix64(seed + 3), executor, starts);
}

// Whether a pair at a distance of at least `far - near` is further apart than `bound`. Roots of keys are rounded; after
// cancellation, their error is about 1e-8 of their size.
bool beyond(double far, double near, double bound) { return far - near - bound > 1e-7 * (far + near + bound); }

}  // namespace

std::uint64_t splitmix64(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

std::vector<Index> split_into_groups(const Distances& distances, int* cells, Index n, Index largest, std::uint64_t seed,
                                     Executor& executor) {
  std::vector<Index> starts;
  split(distances, cells, 0, n, std::max<Index>(2, largest), seed, executor, starts);
  starts.push_back(n);
  return starts;
}

BallGroups::BallGroups(const Distances& distances) : distances_(distances), triangle_(distances.obeys_triangle()) {}

void BallGroups::add(std::vector<int> cells, std::uint64_t seed, Executor& executor) {
  const Index before = static_cast<Index>(cell_.size());
  const std::vector<Index> starts =
      split_into_groups(distances_, cells.data(), static_cast<Index>(cells.size()), largest, seed, executor);
  cell_.insert(cell_.end(), cells.begin(), cells.end());
  for (std::size_t g = 0; g + 1 < starts.size(); ++g) {
    groups_.push_back({before + starts[g], before + starts[g + 1], 0});
    centers_.push_back(cell_[before + starts[g]]);
  }
}

void BallGroups::measure(Executor& executor) {
  to_center_.resize(cell_.size());
  executor.run(size(), [&](Index g) { measure(groups_[g]); });
}

void BallGroups::measure(Group& group) {
  const Index n = group.end - group.begin;
  std::vector<std::pair<double, int>> placed(n);
  std::vector<double> key(n);
  distances_.keys(cell_[group.begin], cell_.data() + group.begin, n, key.data());
  for (Index k = 0; k < n; ++k) placed[k] = {std::sqrt(key[k]), cell_[group.begin + k]};
  std::sort(placed.begin() + 1, placed.end());
  for (Index k = 0; k < n; ++k) std::tie(to_center_[group.begin + k], cell_[group.begin + k]) = placed[k];
  group.radius = placed.back().first;
}

bool BallGroups::out_of_reach(Index g, double apart, double radius, double bound) const {
  return triangle_ && beyond(apart, radius + groups_[g].radius, bound);
}

BallGroups::Group BallGroups::within_reach(Index g, double apart, double bound) const {
  Group part = groups_[g];
  if (!triangle_) return part;
  while (part.begin < part.end && beyond(apart, to_center_[part.begin], bound)) ++part.begin;
  while (part.begin < part.end && beyond(to_center_[part.end - 1], apart, bound)) --part.end;
  return part;
}

}  // namespace pnmf
