#pragma once

#include <cstdint>

#include "pnmf/base/executor.h"
#include "pnmf/geometry/distances.h"

namespace pnmf {

// Splits cells (a range of numbers, reordered in place) into groups of nearby cells. Each split makes two halves of
// equal size, by which of two drawn cells is nearer. Groups larger than `largest` (at least 2) are split again. Returns
// where the groups begin, followed by the number of cells. Deterministic: `seed` draws the pairs.
std::vector<Index> split_into_groups(const Distances& distances, int* cells, Index n, Index largest, std::uint64_t seed,
                                     Executor& executor);

// Groups of cells, each around one of its cells, the center. If the square roots of keys obey the triangle inequality,
// the distance of a cell from the center bounds its distances from the members. Members beyond `bound` (also a root)
// are skipped.
class BallGroups {
 public:
  struct Group {
    Index begin, end;  // positions of the members, ascending by their distance from the center, which is first
    double radius;
  };
  explicit BallGroups(const Distances& distances);
  // Splits cells into groups of at most `largest`.
  void add(std::vector<int> cells, std::uint64_t seed, Executor& executor);
  // Call this after all cells were added.
  void measure(Executor& executor);

  Index size() const { return static_cast<Index>(groups_.size()); }
  const Group& group(Index g) const { return groups_[g]; }
  const std::vector<int>& centers() const { return centers_; }
  const int* members(Index place) const { return cell_.data() + place; }
  // Whether no member of g can be within `bound` of any cell within `radius` of a cell at distance `apart` from its
  // center.
  bool out_of_reach(Index g, double apart, double radius, double bound) const;
  // The positions of the members of g that may be within `bound` of a cell at distance `apart` from its center.
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

// Scrambles its argument (one step of the SplitMix64 generator), instead of random numbers.
std::uint64_t splitmix64(std::uint64_t value);

}  // namespace pnmf
