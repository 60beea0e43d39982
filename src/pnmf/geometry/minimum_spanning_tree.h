#pragma once

#include "pnmf/base/executor.h"
#include "pnmf/geometry/distances.h"

namespace pnmf {

// Edges between cells i < j (0-based), ascending by (length, i, j).
struct EdgeList {
  std::vector<int> i, j;
  std::vector<double> length;
  Index size() const { return static_cast<Index>(length.size()); }
  void add(int a, int b, double of_length) {
    i.push_back(a);
    j.push_back(b);
    length.push_back(of_length);
  }
};

// The graph of a list of edges: cell i has the neighbours neighbor[start[i]] ... neighbor[start[i + 1] - 1], in the order
// of the list; value: the lengths of their edges.
struct Adjacency {
  Adjacency(Index cells, const EdgeList& edges);
  Index cells() const { return static_cast<Index>(start.size()) - 1; }
  std::vector<Index> start;
  std::vector<int> neighbor;
  std::vector<double> value;
};

struct SpanningTree {
  EdgeList edges;
  double longest_distance = 0;  // over all pairs of cells
};

// Prim's algorithm with distances computed on the fly: every pair is computed once, memory is O(cells).
SpanningTree minimum_spanning_tree(const Distances& distances, Executor& executor);

void sort_edges(EdgeList& edges);

}  // namespace pnmf
