#include "pnmf/solver/objective.h"

#include "pnmf/kernels/kernels.h"

namespace pnmf {

double data_term(double squared_norm, const Matrix& WtX, const Matrix& WtW, const Matrix& H, const Matrix& HHt) {
  return squared_norm - 2 * inner_product(WtX, H) + inner_product(WtW, HHt);
}

double data_term(double squared_norm, const Matrix& WtX, const Matrix& WtW, const Matrix& H) {
  return data_term(squared_norm, WtX, WtW, H, gram(H));
}

double data_term_by_features(double squared_norm, const Matrix& XHt, const Matrix& HHt, const Matrix& Wt) {
  return squared_norm - 2 * inner_product(XHt, Wt) + inner_product(HHt, gram(Wt));
}

double graph_term(const ScaleGraph& graph, const Matrix& H, const Penalties& penalties) {
  return penalties.graph > 0 ? penalties.graph * graph.penalty(H) : 0.0;
}

double embedding_terms(const ScaleGraph& graph, const Matrix& H, const Penalties& penalties) {
  double total = graph_term(graph, H, penalties);
  if (penalties.anchor > 0) total += penalties.anchor * inner_product(H, H);
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

}  // namespace pnmf
