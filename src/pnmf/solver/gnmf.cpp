#include "pnmf/solver/gnmf.h"

#include <cmath>

#include "pnmf/kernels/kernels.h"
#include "pnmf/solver/hals.h"
#include "pnmf/solver/hals_updates.h"
#include "pnmf/solver/multiplicative_updates.h"
#include "pnmf/solver/objective.h"

namespace pnmf {

bool has_settled(double previous, double now, double tol) {
  return tol > 0 && std::abs(previous - now) <= tol * std::abs(previous);
}

GnmfRecord fit_gnmf(const DataMatrix& data, const ScaleGraph& graph, Matrix& Wt, Matrix& H, const GnmfOptions& options,
                    Executor& executor) {
  const Penalties penalties{options.lambda, 0, 0};
  double loss = data_term(data.squared_norm(), data.basis_product(Wt, executor), gram(Wt), H) +
                embedding_terms(graph, H, penalties);
  if (has_settled(released_first_loss, loss, options.tol)) return {loss, 0, true};
  for (int step = 1; step <= options.max_steps; ++step) {
    executor.poll();
    update_basis_plain(Wt, data.embedding_product(H, executor), gram(H));
    const Matrix WtX = data.basis_product(Wt, executor), WtW = gram(Wt);
    update_embedding_plain(H, {WtX, WtW, graph, {}, penalties});
    const double data_part = data_term(data.squared_norm(), WtX, WtW, H);
    normalize_basis(Wt, H);
    const double previous = loss;
    loss = data_part + embedding_terms(graph, H, penalties);
    if (has_settled(previous, loss, options.tol)) return {loss, step, true};
  }
  return {loss, options.max_steps, false};
}

GnmfRecord fit_gnmf_hals(const DataMatrix& data, const ScaleGraph& graph, Matrix& Wt, Matrix& H,
                         const GnmfOptions& options, Executor& executor) {
  FitOptions fit_options;
  fit_options.penalties = {options.lambda, 0, 0};
  fit_options.max_outer = options.max_steps;
  fit_options.tol = options.tol;
  fit_options.chain_start = false;
  Monitor monitor;
  const ScaleGraphs graphs(graph);
  FitResult fit = fit_hals(data, graphs, Path{{Wt}, {H}}, fit_options, executor, monitor);
  Wt = std::move(fit.path.Wt[0]);
  H = std::move(fit.path.H[0]);
  // Lengthening a short w_j and shortening h_j keeps the product and can only lower the penalty.
  const double without_penalty = fit.objective.back() - embedding_terms(graph, H, fit_options.penalties);
  normalize_basis(Wt, H);
  const double loss = without_penalty + embedding_terms(graph, H, fit_options.penalties);
  return {loss, static_cast<int>(fit.objective.size()), fit.converged[0] != 0};
}

}  // namespace pnmf
