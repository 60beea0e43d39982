#include <Rcpp.h>

#include "pnmf/graph/effective_cells.h"
#include "r_convert.h"
#include "r_executor.h"

namespace {

// Neighbours have close numbers.
struct NumberedGraph {
  std::vector<int> number;  // of every cell
  pnmf::NestedGraph nested;
};

}  // namespace

// The graph stays in the core.
// [[Rcpp::export(rng = false)]]
SEXP numbered_graph_cpp(int cells, Rcpp::List edges) {
  const pnmf::EdgeList list = as_edges(edges);
  std::vector<int> number = pnmf::numbers_by_neighbors(cells, list);
  pnmf::NestedGraph nested(cells, pnmf::renumbered(list, number));
  return Rcpp::XPtr<NumberedGraph>(new NumberedGraph{std::move(number), std::move(nested)});
}

// graph: from numbered_graph_cpp(). thresholds: ascending. smoothest: functions as an earlier call for these cells
// returned them, or a matrix without cells. rough, least: see pnmf::TraceSettings.
// cells: thresholds x penalties
// [[Rcpp::export(rng = false)]]
Rcpp::List effective_cells_cpp(SEXP graph, Rcpp::NumericVector thresholds, double alpha, Rcpp::NumericVector lambda,
                               Rcpp::NumericMatrix smoothest, bool rough, double least, int threads) {
  RcppParallelExecutor executor(threads);
  const pnmf::NestedGraph& nested = Rcpp::XPtr<NumberedGraph>(graph)->nested;
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

// 1_A' S 1_B for all groups A and B of cells, with the graph at a threshold. graph: from numbered_graph_cpp(); group: 1,
// 2, ..., or 0 for none; tol: of the residual, relative to 1_A
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix group_mixing_cpp(SEXP graph, double threshold, double alpha, double lambda,
                                     Rcpp::IntegerVector group, int groups, double tol, int threads) {
  RcppParallelExecutor executor(threads);
  const Rcpp::XPtr<NumberedGraph> cells(graph);
  std::vector<int> of_cell(group.size());
  for (R_xlen_t i = 0; i < group.size(); ++i) of_cell[cells->number[i]] = group[i] - 1;
  pnmf::SmootherSettings settings;
  settings.tol = tol;
  return wrap_matrix(pnmf::group_mixing(pnmf::ScaleGraph(cells->nested, threshold, alpha), lambda, of_cell, groups,
                                        settings, executor));
}
