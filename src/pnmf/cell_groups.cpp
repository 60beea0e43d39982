#include "cell_groups.h"

#include <algorithm>

namespace pnmf {
namespace {

// How much nearer a cell is to the one of two cells than to the other: linear in the coordinates of the cell.
struct Placed {
  double side;
  int cell;
  bool operator<(const Placed& other) const { return side < other.side || (side == other.side && cell < other.cell); }
};

// Moves the half of the cells that is nearer to the one of two drawn cells to the front; returns its size.
Index halve(const Distances& distances, int* cells, Index n, std::uint64_t seed, Executor& executor) {
  const Index a = static_cast<Index>(mixed(seed) % static_cast<std::uint64_t>(n));
  const Index step = 1 + static_cast<Index>(mixed(seed + 1) % static_cast<std::uint64_t>(n - 1));
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
  // What nth_element leaves within a half depends on the library.
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
  split(distances, cells, begin, middle, largest, mixed(seed + 2), executor, starts);
  split(distances, cells, middle, end, largest, mixed(seed + 3), executor, starts);
}

}  // namespace

std::uint64_t mixed(std::uint64_t value) {
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

}  // namespace pnmf
