#pragma once

#include "pnmf/geometry/minimum_spanning_tree.h"

namespace pnmf {

// Cells in shards of about equal size, with few edges between shards.
struct CellShards {
  std::vector<std::vector<int>> cells;  // of every shard, ascending
  std::vector<int> shard;               // of every cell
  double crossing = 0;                  // the share of edges between shards
};

// Walks along the spanning forest of the edges, cuts the walk into equal pieces, and then moves cells at the borders to
// the shard that holds more of their neighbours. The edges must ascend.
CellShards split_cells(Index cells, const EdgeList& edges, Index shards);

}  // namespace pnmf
