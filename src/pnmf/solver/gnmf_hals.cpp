#include "pnmf/solver/gnmf_hals.h"

#include "pnmf/solver/hals.h"

namespace pnmf {

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
