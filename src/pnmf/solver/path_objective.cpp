#include "pnmf/solver/path_objective.h"

#include <limits>

#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

// The objective when all factors are zero.
double zero_path(double squared_norm, const ScaleWeights& weights, Index scales) {
  double total = 0;
  for (Index t = 0; t < scales; ++t) total += weights.of(t);
  return total * squared_norm;
}

}  // namespace

double objective_rounding(double squared_norm, const ScaleWeights& weights, Index scales) {
  return 4 * std::numeric_limits<double>::epsilon() * zero_path(squared_norm, weights, scales);
}

double negligible_objective(double squared_norm, const ScaleWeights& weights, Index scales) {
  return 1e-8 * zero_path(squared_norm, weights, scales);
}

Vector with_steps(Vector own, const Vector& step) {
  for (Index t = 1; t < own.size(); ++t) {
    own[t - 1] += step[t] / 2;
    own[t] += step[t] / 2;
  }
  return own;
}

Vector PathObjective::by_scale(const Products& products, const std::vector<Matrix>& H) const {
  const Index T = static_cast<Index>(H.size());
  Vector own(T), step = Vector::Zero(T);
  run_with_graphs(data_, executor_, T, [&](Index t, Executor&) {
    const Matrix HHt = gram(H[t]);
    own[t] = data_term(data_.squared_norm(), products.WtX[t], products.WtW[t], H[t], HHt) +
             graph_term(*graphs_.at(t), H[t], settings_.penalties);
    if (settings_.penalties.anchor > 0) own[t] += settings_.penalties.anchor * HHt.trace();
    own[t] *= settings_.weights.of(t);
    if (t > 0) step[t] = settings_.weights.spring(t) * smooth_term(H[t], H[t - 1], settings_.penalties);
  });
  return with_steps(std::move(own), step);
}

}  // namespace pnmf
