#pragma once

#include <memory>

#include "pnmf/base/types.h"
#include "pnmf/geometry/minimum_spanning_tree.h"

namespace pnmf {

// Cells without edges inside a set, so that the cells of a set can be updated at the same time.
using IndependentSets = std::vector<std::vector<int>>;

// A new number for every cell, group by group of near neighbours, so that neighbours are close in memory.
std::vector<int> numbers_by_neighbors(Index cells, const EdgeList& edges);
// The same edges, with these numbers.
EdgeList renumbered(EdgeList edges, const std::vector<int>& number);

// The edges of a whole filtration, stored once. The list must ascend: the neighbours of every cell then have ascending
// lengths, so that the neighbours at any threshold are a prefix.
struct NestedGraph : Adjacency {
  using Adjacency::Adjacency;
  // Number of edges below the threshold.
  Index count_edges(double threshold) const;
  // Null if the sets would be too small to keep several threads busy, as in dense graphs.
  std::shared_ptr<const IndependentSets> independent_sets() const;
};

// exp(-d^2 / threshold^alpha), where inverse_bandwidth is 1 / threshold^alpha
double edge_weight(double length, double inverse_bandwidth);
double inverse_bandwidth(double threshold, double alpha);

// The graph of one scale: the prefixes below its threshold, with weights.
//   A_ij = exp(-d_ij^2 / threshold^alpha) for d_ij < threshold,   degree_i = sum_j A_ij
struct ScaleGraph {
  ScaleGraph(const NestedGraph& nested, double threshold, double alpha);
  // An explicit symmetric weight matrix in compressed columns (zero diagonal), as the baselines use.
  ScaleGraph(Index cells, const int* row, const double* value, const int* column_start);

  Index cells() const { return degree.size(); }
  bool empty() const { return weight.empty(); }
  // out += factor * sum_j A_ij h_j
  void add_neighbors(Index i, const Matrix& H, double factor, Vector& out) const;
  // H A
  Matrix multiply(const Matrix& H) const;
  // tr(H L H') = 1/2 sum_ij A_ij |h_i - h_j|^2
  double penalty(const Matrix& H) const;

  std::vector<Index> first;       // cell i's neighbours: neighbor[first[i]] ..., n_neighbors(i) of them
  std::vector<Index> begin;       // its weights: weight[begin[i]] ... weight[begin[i + 1] - 1]
  const int* neighbor = nullptr;  // not owned: the nested graph's, or the given matrix's
  std::vector<double> weight;
  Vector degree;
  std::shared_ptr<const IndependentSets> independent_sets;  // see NestedGraph::independent_sets(); null: none
};

// The graphs of all scales. Weights are kept if there are few, otherwise recomputed at each use.
class ScaleGraphs {
 public:
  static constexpr Index default_max_kept = Index(1) << 26;  // weights: 512 MB
  ScaleGraphs(NestedGraph nested, std::vector<double> thresholds, double alpha, Index max_kept = default_max_kept);
  // One explicit graph as the only scale.
  explicit ScaleGraphs(ScaleGraph graph);
  Index scales() const { return static_cast<Index>(thresholds_.size()); }
  Index cells() const { return nested_->cells(); }
  // The graphs of some of these scales, which share their memory.
  ScaleGraphs chosen(const std::vector<Index>& scales) const;
  std::shared_ptr<const ScaleGraph> at(Index t) const;
  // Whether no weights are ever kept (max_kept of 0), so that no more than one graph should exist at a time.
  bool one_at_a_time() const { return one_at_a_time_; }
  // Mean number of edges per scale.
  double mean_edges() const { return mean_edges_; }

 private:
  std::shared_ptr<const ScaleGraph> make(Index t) const;
  void count_edges();

  std::shared_ptr<const NestedGraph> nested_;  // the graphs point into it
  std::vector<double> thresholds_;
  double alpha_, mean_edges_ = 0;
  bool one_at_a_time_ = false;
  std::shared_ptr<const IndependentSets> independent_sets_;
  std::vector<std::shared_ptr<const ScaleGraph>> kept_;
};

}  // namespace pnmf
