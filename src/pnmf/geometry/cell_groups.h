#pragma once

#include <cstdint>

#include "pnmf/base/executor.h"
#include "pnmf/geometry/distances.h"

namespace pnmf {

// Splits cells (a range of numbers, reordered in place) into groups of cells near each other: halves of equal size by
// which of two of their cells they are nearer to, and so on while a group is larger than `largest` (at least 2).
// Returns where the groups begin, and the number of cells at last. A function of its arguments: `seed` draws the pairs.
std::vector<Index> split_into_groups(const Distances& distances, int* cells, Index n, Index largest, std::uint64_t seed,
                                     Executor& executor);

// Cells in groups around one of their own, the center. Where the square roots of keys obey the triangle inequality, a
// cell's distances from the center bound those of its members: what `bound` (a root, too) cannot reach is left out.
class BallGroups {
 public:
  struct Group {
    Index begin, end;  // places of the members, ascending by their distance from the center, which is the first
    double radius;
  };
  explicit BallGroups(const Distances& distances);
  // Splits cells into groups of at most `largest`.
  void add(std::vector<int> cells, std::uint64_t seed, Executor& executor);
  // To be called when all cells were added.
  void measure(Executor& executor);

  Index size() const { return static_cast<Index>(groups_.size()); }
  const Group& group(Index g) const { return groups_[g]; }
  const std::vector<int>& centers() const { return centers_; }
  const int* members(Index place) const { return cell_.data() + place; }
  // Whether no member of g can be within `bound` of any cell within `radius` of a cell that is `apart` from its center.
  bool out_of_reach(Index g, double apart, double radius, double bound) const;
  // The places of g's members that may be within `bound` of a cell that is `apart` from its center.
  Group within_reach(Index g, double apart, double bound) const;

  static constexpr Index largest = 128;

 private:
  void measure(Group& group);

  const Distances& distances_;
  bool triangle_;
  std::vector<int> cell_, centers_;
  std::vector<double> to_center_;  // root of the key to the center of the group
  std::vector<Group> groups_;
};

// Scrambles its argument (one step of the SplitMix64 generator), in place of random numbers.
std::uint64_t splitmix64(std::uint64_t value);

}  // namespace pnmf
