#include "pnmf/graph/cell_shards.h"

#include <algorithm>
#include <cmath>

#include "pnmf/geometry/outgoing_edge_search.h"
#include "pnmf/graph/scale_graph.h"

namespace pnmf {
namespace {

constexpr int max_passes = 30;
// A pass that moves fewer than this share of the cells is the last one.
constexpr double min_moved = 1e-3;
// How far the size of a shard may be from the mean, relative to it.
constexpr double size_tolerance = 0.05;

// Kruskal's algorithm.
EdgeList spanning_forest(Index cells, const EdgeList& edges) {
  Components components(cells);
  EdgeList forest;
  for (Index e = 0; e < edges.size(); ++e) {
    if (components.join(edges.i[e], edges.j[e])) forest.add(edges.i[e], edges.j[e], edges.length[e]);
  }
  return forest;
}

// Depth first, the nearest child first.
std::vector<int> walk(const NestedGraph& forest) {
  std::vector<int> order, waiting;
  std::vector<char> seen(forest.cells(), 0);
  for (Index root = 0; root < forest.cells(); ++root) {
    if (seen[root]) continue;
    waiting.push_back(static_cast<int>(root));
    seen[root] = 1;
    while (!waiting.empty()) {
      const int i = waiting.back();
      waiting.pop_back();
      order.push_back(i);
      for (Index e = forest.start[i + 1]; e-- > forest.start[i];) {
        const int other = forest.neighbor[e];
        if (!seen[other]) waiting.push_back(other);
        seen[other] = 1;
      }
    }
  }
  return order;
}

std::vector<int> equal_pieces(const std::vector<int>& order, Index shards) {
  const Index n = static_cast<Index>(order.size());
  std::vector<int> shard(n);
  for (Index k = 0; k < n; ++k) shard[order[k]] = static_cast<int>(k * shards / n);
  return shard;
}

// Moves each cell to the shard with most of its neighbours, if the sizes allow it. Returns the number of moves.
Index move_to_neighbors(const NestedGraph& graph, Index shards, std::vector<int>& shard, std::vector<Index>& size) {
  const double mean = static_cast<double>(graph.cells()) / static_cast<double>(shards);
  const Index smallest = static_cast<Index>(std::floor(mean * (1 - size_tolerance)));
  const Index largest = static_cast<Index>(std::ceil(mean * (1 + size_tolerance)));
  std::vector<Index> count(shards, 0);
  Index moved = 0;
  for (Index i = 0; i < graph.cells(); ++i) {
    for (Index e = graph.start[i]; e < graph.start[i + 1]; ++e) ++count[shard[graph.neighbor[e]]];
    int best = shard[i];
    for (Index e = graph.start[i]; e < graph.start[i + 1]; ++e) {
      const int other = shard[graph.neighbor[e]];
      if (count[other] > count[best] && size[other] < largest) best = other;
    }
    for (Index e = graph.start[i]; e < graph.start[i + 1]; ++e) count[shard[graph.neighbor[e]]] = 0;
    if (best == shard[i] || size[shard[i]] <= smallest) continue;
    --size[shard[i]];
    ++size[best];
    shard[i] = best;
    ++moved;
  }
  return moved;
}

}  // namespace

CellShards split_cells(Index cells, const EdgeList& edges, Index shards) {
  CellShards result;
  result.cells.resize(shards);
  result.shard = equal_pieces(walk(NestedGraph(cells, spanning_forest(cells, edges))), shards);
  std::vector<Index> size(shards, 0);
  for (int s : result.shard) ++size[s];
  const NestedGraph graph(cells, edges);
  for (int pass = 0; pass < max_passes; ++pass) {
    const Index moved = move_to_neighbors(graph, shards, result.shard, size);
    if (static_cast<double>(moved) < min_moved * static_cast<double>(cells)) break;
  }
  for (Index i = 0; i < cells; ++i) result.cells[result.shard[i]].push_back(static_cast<int>(i));
  Index crossing = 0;
  for (Index e = 0; e < edges.size(); ++e) crossing += result.shard[edges.i[e]] != result.shard[edges.j[e]];
  if (edges.size() > 0) result.crossing = static_cast<double>(crossing) / static_cast<double>(edges.size());
  return result;
}

}  // namespace pnmf
