#include <Rcpp.h>

#include "pnmf/graph/effective_cells.h"
#include "r_convert.h"
#include "r_executor.h"

// thresholds: ascending. smoothest: functions as an earlier call for these cells returned them, or a matrix without
// cells. rough, least: see pnmf::TraceSettings.
// cells: thresholds x penalties
// [[Rcpp::export(rng = false)]]
Rcpp::List effective_cells_cpp(int cells, Rcpp::List edges, Rcpp::NumericVector thresholds, double alpha,
                               Rcpp::NumericVector lambda, Rcpp::NumericMatrix smoothest, bool rough, double least,
                               int threads) {
  RcppParallelExecutor executor(threads);
  const pnmf::NestedGraph nested(cells, pnmf::renumbered(cells, as_edges(edges)));
  const pnmf::Vector penalties = pnmf::ConstVectorMap(lambda.begin(), lambda.size());
  const pnmf::TraceSettings settings{rough, least};
  pnmf::Matrix found(thresholds.size(), lambda.size());
  pnmf::EffectiveCells effective_cells(as_dense(smoothest), executor);
  for (R_xlen_t t = thresholds.size() - 1; t >= 0; --t) {
    found.row(t) = effective_cells.at(pnmf::ScaleGraph(nested, thresholds[t], alpha), penalties, settings);
  }
  return Rcpp::List::create(Rcpp::Named("cells") = wrap_matrix(found),
                            Rcpp::Named("smoothest") = wrap_matrix(effective_cells.smoothest()));
}

// S B of the graph at a threshold, B: cells x functions. tol: of the residual, relative to B
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix smooth_cells_cpp(Rcpp::List edges, double threshold, double alpha, double lambda,
                                     Rcpp::NumericMatrix B, double tol, int threads) {
  RcppParallelExecutor executor(threads);
  const pnmf::NestedGraph nested(B.nrow(), as_edges(edges));
  const pnmf::ScaleGraph graph(nested, threshold, alpha);
  pnmf::SmootherSettings settings;
  settings.tol = tol;
  return wrap_transposed(pnmf::smooth(graph, lambda, as_dense(B).transpose(), settings, executor));
}
