#pragma once

#include "pnmf/graph/shard_edges.h"
#include "pnmf/shards/shard_messages.h"

namespace pnmf {

// What the crossing edges add to the problem of the embedding of one scale, in the notation of update_embedding(): r_i
// of the border cells of the scale (rank x border cells), and c_i of all cells.
struct BorderPull {
  Matrix r;
  Vector c;
};

// The border of one shard at all scales.
class ShardBorder {
 public:
  ShardBorder(CrossingEdges edges, Index cells, const std::vector<double>& thresholds, double alpha, double unit);
  // Border cells of scale t.
  Index size(Index t) const { return size_[t]; }
  // Rounds the embeddings of the border cells of scale t to single precision.
  void round(Matrix& H, Index t) const;
  // The embeddings of border cells of scale t.
  BorderMatrix values(const Matrix& H, Index t) const;
  // The pull of the majorised edges: towards (h_i + h_j) / 2, with twice the weight.
  BorderPull majorised(const Matrix& H, const BorderMatrix& ghosts, Index t, double graph_penalty) const;
  // The pull of the edges themselves.
  BorderPull exact(const BorderMatrix& ghosts, Index t, double graph_penalty) const;
  // WtX += r
  void add(const BorderPull& pull, Matrix& WtX) const;
  // <r, H> over the border cells
  double inner_product(const BorderPull& pull, const Matrix& H) const;

 private:
  BorderPull no_pull(Index rank, Index t) const;

  CrossingEdges edges_;
  std::vector<int> cells_;    // of the shard
  std::vector<int> place_;    // of the cell of every edge, in cells_
  std::vector<Index> below_;  // edges of each scale
  std::vector<Index> size_;   // border cells of each scale
  std::vector<Vector> weight_;
  Index all_cells_;
  double unit_;
};

// The borders of all shards, as the driver of a fit sees them: values[shard][scale].
class Borders {
 public:
  using Values = std::vector<BorderMatrices>;
  Borders(BorderEdges edges, std::vector<double> thresholds, double alpha, double unit);
  Index shards() const { return static_cast<Index>(edges_.ghosts.size()); }
  Index scales() const { return static_cast<Index>(thresholds_.size()); }
  // The ghosts of every shard for these scales, from the values of the scales in the same order.
  Values ghosts(const Values& values, const std::vector<Index>& scales) const;
  // sum over crossing edges of w_ij |h_i - h_j|^2 at scale t
  double penalty(const Values& values, Index t) const;

 private:
  BorderEdges edges_;
  std::vector<double> thresholds_;
  double alpha_, unit_;
  std::vector<Index> below_;
  std::vector<std::vector<Index>> ghosts_;  // of every shard at every scale: how many
};

// now + lead (now - before), not below 0, for every scale.
Borders::Values extrapolated(const Borders::Values& now, const Borders::Values& before,
                             const std::vector<double>& lead);

}  // namespace pnmf
