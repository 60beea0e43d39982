#pragma once

#include "pnmf/graph/cell_shards.h"

namespace pnmf {

// The edges between one shard and the others, ascending. Border cells, those of this shard, and ghosts, those of other
// shards, are numbered in the order in which the edges reach them. The edges of a scale are a prefix, and so are its
// border cells and its ghosts.
struct CrossingEdges {
  std::vector<int> cell;   // the cell of this shard
  std::vector<int> ghost;  // the number of the other cell among the ghosts
  std::vector<double> length;
};

// The edges of one shard, whose cells are numbered from 0.
struct ShardEdges {
  EdgeList inner;
  CrossingEdges crossing;
};

struct BorderCell {
  int shard, place;  // place: among the border cells of its shard
};

// The same edges as whoever holds the border cells of all shards sees them.
struct BorderEdges {
  std::vector<BorderCell> a, b;
  std::vector<double> length;
  std::vector<std::vector<BorderCell>> ghosts;  // of every shard
  std::vector<std::vector<double>> ghost_from;  // of every ghost: the length of the first edge that reaches it
};

struct SplitEdges {
  std::vector<ShardEdges> shards;
  BorderEdges borders;
};

SplitEdges split_edges(const CellShards& shards, const EdgeList& edges);

// Cells in the order in which the edges reach them.
std::vector<int> border_cells(const CrossingEdges& edges);

// How many edges are shorter than each threshold. The lengths must ascend.
std::vector<Index> counts_below(const std::vector<double>& length, const std::vector<double>& thresholds);

}  // namespace pnmf
