#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// The objective of a whole path from W'X and W'W of its bases, without the data.
class PathObjective {
 public:
  PathObjective(const DataMatrix& data, const ScaleGraphs& graphs, const UpdateSettings& settings, Executor& executor)
      : data_(data), graphs_(graphs), settings_(settings), executor_(executor) {}

  // The contribution of each scale to the objective; the smoothness between two scales is split equally.
  Vector by_scale(const Products& products, const std::vector<Matrix>& H) const;
  double operator()(const Products& products, const std::vector<Matrix>& H) const {
    return by_scale(products, H).sum();
  }
  // The possible effect of rounding: the objective is a difference of terms of the size of |X|^2.
  double rounding() const;
  // An objective below this, 1e-8 of the objective of a path of zeros, counts as zero.
  double negligible() const;

 private:
  // The objective when all factors are zero.
  double zero_path() const;

  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  const UpdateSettings& settings_;
  Executor& executor_;
};

}  // namespace pnmf
