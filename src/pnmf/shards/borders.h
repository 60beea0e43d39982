#pragma once

#include "pnmf/solver/cell_border.h"

namespace pnmf {

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

// now + step (now - before), not below 0, for every scale.
Borders::Values extrapolated_borders(const Borders::Values& now, const Borders::Values& before,
                                     const std::vector<double>& step);

}  // namespace pnmf
