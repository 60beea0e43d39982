#pragma once

#include "pnmf/base/types.h"
#include "pnmf/graph/shard_edges.h"

namespace pnmf {

// Embeddings of border cells, in a unit of the data that is a power of 2, because single precision has a small range of
// exponents: rank x cells, one entry per scale. Holders round these embeddings to single precision, so nothing is lost.
using BorderMatrix = Eigen::MatrixXf;
using BorderMatrices = std::vector<BorderMatrix>;

// What the crossing edges add to the problem of the embedding of one scale, in the notation of update_embedding(): r_i
// of the border cells of the scale (rank x border cells), and c_i of all cells.
struct BorderPull {
  Matrix r;
  Vector c;
};

// The border of the cells of one holder with those of others, at all scales. All holders move their cells at the same
// time. An edge to a cell of another holder is therefore replaced by its majoriser
//   w |h_i - h_j|^2 <= 2 w (|h_i - m|^2 + |h_j - m|^2),   m = (h_i + h_j) / 2 as they were when the sweep began,
// so that no sweep raises the objective.
class CellBorder {
 public:
  CellBorder(CrossingEdges edges, Index cells, const std::vector<double>& thresholds, double alpha, double unit);
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

}  // namespace pnmf
