#include "pnmf/graph/shard_edges.h"

#include <algorithm>
#include <unordered_map>

namespace pnmf {
namespace {

// Numbers in the order of the first question.
class Numbering {
 public:
  // The number of the key, and whether it is new.
  std::pair<int, bool> of(int key) {
    const auto found = number_.emplace(key, static_cast<int>(number_.size()));
    return {found.first->second, found.second};
  }

 private:
  std::unordered_map<int, int> number_;
};

std::vector<int> local_numbers(const CellShards& shards) {
  std::vector<int> local(shards.shard.size());
  for (const auto& cells : shards.cells) {
    for (std::size_t k = 0; k < cells.size(); ++k) local[cells[k]] = static_cast<int>(k);
  }
  return local;
}

}  // namespace

SplitEdges split_edges(const CellShards& shards, const EdgeList& edges) {
  const std::size_t n = shards.cells.size();
  const std::vector<int> local = local_numbers(shards);
  std::vector<Numbering> border(n), ghost(n);
  SplitEdges split;
  split.shards.resize(n);
  split.borders.ghosts.resize(n);
  split.borders.ghost_from.resize(n);
  const auto border_cell = [&](int cell) {
    const int shard = shards.shard[cell];
    return BorderCell{shard, border[shard].of(cell).first};
  };
  const auto add_crossing = [&](int cell, int other, const BorderCell& other_place, double length) {
    const int shard = shards.shard[cell];
    const auto number = ghost[shard].of(other);
    if (number.second) {
      split.borders.ghosts[shard].push_back(other_place);
      split.borders.ghost_from[shard].push_back(length);
    }
    CrossingEdges& crossing = split.shards[shard].crossing;
    crossing.cell.push_back(local[cell]);
    crossing.ghost.push_back(number.first);
    crossing.length.push_back(length);
  };
  for (Index e = 0; e < edges.size(); ++e) {
    const int i = edges.i[e], j = edges.j[e];
    const double length = edges.length[e];
    if (shards.shard[i] == shards.shard[j]) {
      split.shards[shards.shard[i]].inner.add(local[i], local[j], length);
      continue;
    }
    const BorderCell a = border_cell(i), b = border_cell(j);
    split.borders.a.push_back(a);
    split.borders.b.push_back(b);
    split.borders.length.push_back(length);
    add_crossing(i, j, b, length);
    add_crossing(j, i, a, length);
  }
  return split;
}

std::vector<int> border_cells(const CrossingEdges& edges) {
  Numbering border;
  std::vector<int> cells;
  for (int cell : edges.cell) {
    if (border.of(cell).second) cells.push_back(cell);
  }
  return cells;
}

std::vector<Index> counts_below(const std::vector<double>& length, const std::vector<double>& thresholds) {
  std::vector<Index> count;
  for (double threshold : thresholds) {
    count.push_back(std::lower_bound(length.begin(), length.end(), threshold) - length.begin());
  }
  return count;
}

}  // namespace pnmf
