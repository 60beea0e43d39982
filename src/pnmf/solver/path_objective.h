#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// The possible effect of rounding on an objective, which is a difference of terms of the size of |X|^2, and the value
// below which it counts as zero: 1e-8 of the objective of a path of zeros.
double objective_rounding(double squared_norm, const ScaleWeights& weights, Index scales);
double negligible_objective(double squared_norm, const ScaleWeights& weights, Index scales);

// Adds to what the scales contribute the smoothness between them, half to each: step[t] between t - 1 and t.
Vector with_steps(Vector own, const Vector& step);

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
  double rounding() const { return objective_rounding(data_.squared_norm(), settings_.weights, graphs_.scales()); }
  double negligible() const { return negligible_objective(data_.squared_norm(), settings_.weights, graphs_.scales()); }

 private:
  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  const UpdateSettings& settings_;
  Executor& executor_;
};

}  // namespace pnmf
