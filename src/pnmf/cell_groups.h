#pragma once

#include <cstdint>

#include "distances.h"
#include "executor.h"

namespace pnmf {

// Splits cells (a range of numbers, reordered in place) into groups of cells near each other: halves of equal size by
// which of two of their cells they are nearer to, and so on while a group is larger than `largest` (at least 2).
// Returns where the groups begin, and the number of cells at last. A function of its arguments: `seed` draws the pairs.
std::vector<Index> split_into_groups(const Distances& distances, int* cells, Index n, Index largest, std::uint64_t seed,
                                     Executor& executor);

// A well mixed function of its argument (splitmix64), in place of random numbers.
std::uint64_t mixed(std::uint64_t value);

}  // namespace pnmf
