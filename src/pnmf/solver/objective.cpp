#include "pnmf/solver/objective.h"

#include <limits>

#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

// graph tr(H L H')
double graph_term(const ScaleGraph& graph, const Matrix& H, const Penalties& penalties) {
  return penalties.graph > 0 ? penalties.graph * graph.penalty(H) : 0.0;
}

// The objective when all factors are zero.
double zero_path(double squared_norm, const ScaleWeights& weights, Index scales) {
  double total = 0;
  for (Index t = 0; t < scales; ++t) total += weights.of(t);
  return total * squared_norm;
}

}  // namespace

double data_term(double squared_norm, const Matrix& WtX, const Matrix& WtW, const Matrix& H, const Matrix& HHt) {
  return squared_norm - 2 * inner_product(WtX, H) + inner_product(WtW, HHt);
}

double data_term(double squared_norm, const Matrix& WtX, const Matrix& WtW, const Matrix& H) {
  return data_term(squared_norm, WtX, WtW, H, gram(H));
}

double data_term_by_features(double squared_norm, const Matrix& XHt, const Matrix& HHt, const Matrix& Wt) {
  return squared_norm - 2 * inner_product(XHt, Wt) + inner_product(HHt, gram(Wt));
}

double embedding_terms(const ScaleGraph& graph, const Matrix& H, const Penalties& penalties) {
  double total = graph_term(graph, H, penalties);
  if (penalties.anchor > 0) total += penalties.anchor * inner_product(H, H);
  return total;
}

double own_terms(double squared_norm, const Matrix& WtX, const Matrix& WtW, const ScaleGraph& graph, const Matrix& H,
                 const Penalties& penalties) {
  const Matrix HHt = gram(H);
  double total = data_term(squared_norm, WtX, WtW, H, HHt) + graph_term(graph, H, penalties);
  if (penalties.anchor > 0) total += penalties.anchor * HHt.trace();
  return total;
}

double smooth_term(const Matrix& A, const Matrix& B, const Penalties& penalties) {
  return penalties.smooth > 0 ? penalties.smooth * squared_change(A.data(), B.data(), 1, A.size()) : 0.0;
}

double total_smooth_term(const std::vector<Matrix>& H, const Penalties& penalties) {
  double total = 0;
  for (std::size_t t = 1; t < H.size(); ++t) total += smooth_term(H[t], H[t - 1], penalties);
  return total;
}

Vector objective_by_scale(const std::vector<double>& own, const std::vector<double>& step,
                          const ScaleWeights& weights) {
  const Index T = static_cast<Index>(own.size());
  Vector total(T);
  for (Index t = 0; t < T; ++t) total[t] = weights.of(t) * own[t];
  for (Index t = 1; t < T; ++t) {
    const double half = weights.spring(t) * step[t] / 2;
    total[t - 1] += half;
    total[t] += half;
  }
  return total;
}

double objective_rounding(double squared_norm, const ScaleWeights& weights, Index scales) {
  return 4 * std::numeric_limits<double>::epsilon() * zero_path(squared_norm, weights, scales);
}

double negligible_objective(double squared_norm, const ScaleWeights& weights, Index scales) {
  return 1e-8 * zero_path(squared_norm, weights, scales);
}

}  // namespace pnmf
