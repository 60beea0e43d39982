#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// The objective of a whole path from W'X and W'W of its bases: no look at the data.
class PathObjective {
 public:
  PathObjective(const DataMatrix& data, const ScaleGraphs& graphs, const UpdateSettings& settings, Executor& executor)
      : data_(data), graphs_(graphs), settings_(settings), executor_(executor) {}

  // What each scale adds to the objective; the smoothness between two scales is shared equally among them.
  Vector by_scale(const Products& products, const std::vector<Matrix>& H) const;
  double operator()(const Products& products, const std::vector<Matrix>& H) const { return by_scale(products, H).sum(); }
  // What rounding alone may change it by: it is a difference of terms of the size of |X|^2.
  double rounding() const;

 private:
  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  const UpdateSettings& settings_;
  Executor& executor_;
};

}  // namespace pnmf
