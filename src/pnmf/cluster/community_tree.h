#pragma once

#include "pnmf/base/executor.h"
#include "pnmf/geometry/minimum_spanning_tree.h"
#include "pnmf/geometry/nearest_neighbors.h"

namespace pnmf {

// The value of an edge is its weight.
using SimilarityGraph = Adjacency;

// How many neighbours two cells share, as the Tanimoto coefficient of their neighbourhoods:
//   m_i = e_i + sum over the neighbours l of i of (1 - d_il / (1000 d_ik)) e_l,
//   w_ij = m_i.m_j / (|m_i|^2 + |m_j|^2 - m_i.m_j)
// The distances only break ties. Edges of `links` (a spanning tree) between cells that share no neighbour keep the
// graph connected. Their weight is half of the smallest possible weight, times the ratio of the shortest such edge to
// their length.
SimilarityGraph shared_neighbors(const NearestNeighbors& near, const EdgeList& links);

// Two clusters become one. Clusters are numbered: cells first, then mergers in their order.
struct Merger {
  int a, b;
  double resolution;
};

// Average linkage by modularity: repeatedly merges the two clusters with the largest
//   resolution(a, b) = w(a, b) W / (vol(a) vol(b)),
// the resolution at which modularity is indifferent to the merger. w(a, b): weight between them; vol: sum of the
// degrees; W: sum of all degrees. Mergers are in descending order of resolution; a connected graph has cells - 1 of
// them.
std::vector<Merger> community_tree(const SimilarityGraph& graph);

// The tree of clusters with at least `min_size` cells that modularity keeps apart at resolution 1.
struct ClusterTree {
  int leaves = 0;
  std::vector<int> leaf_of_cell;  // -1: in no leaf, an outlier
  std::vector<Merger> mergers;    // of leaves (numbered first) and earlier mergers, descending in resolution
};
ClusterTree substantial_clusters(Index cells, const std::vector<Merger>& mergers, int min_size);

// That of the graph of shared neighbours of cells at these distances: k neighbours, clusters of at least k cells.
ClusterTree clusters_at_distances(const Distances& distances, int k, Executor& executor);

// The weight of the graph between every two leaves; on the diagonal, twice the weight inside a leaf.
// leaf_of_cell: each in 0 ... leaves - 1
Matrix leaf_weights(const SimilarityGraph& graph, const std::vector<int>& leaf_of_cell, int leaves);

}  // namespace pnmf
