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
  const pnmf::EdgeList list = as_edges(edges);
  const pnmf::NestedGraph nested(cells, pnmf::renumbered(list, pnmf::numbers_by_neighbors(cells, list)));
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

// 1_A' S 1_B for all groups A and B of cells, with the graph at a threshold. group: 1, 2, ..., or 0 for none. tol: of
// the residual, relative to 1_A
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix group_mixing_cpp(Rcpp::List edges, double threshold, double alpha, double lambda,
                                     Rcpp::IntegerVector group, int groups, double tol, int threads) {
  RcppParallelExecutor executor(threads);
  const pnmf::EdgeList list = as_edges(edges);
  const std::vector<int> number = pnmf::numbers_by_neighbors(group.size(), list);
  std::vector<int> of_cell(group.size());
  for (R_xlen_t i = 0; i < group.size(); ++i) of_cell[number[i]] = group[i] - 1;
  const pnmf::NestedGraph nested(group.size(), pnmf::renumbered(list, number));
  pnmf::SmootherSettings settings;
  settings.tol = tol;
  return wrap_matrix(
      pnmf::group_mixing(pnmf::ScaleGraph(nested, threshold, alpha), lambda, of_cell, groups, settings, executor));
}
