#include <Rcpp.h>

#include "pnmf/graph/effective_cells.h"
#include "r_convert.h"
#include "r_executor.h"

namespace {

// Neighbours have close numbers.
struct NumberedGraph {
  std::vector<int> number;  // of every cell
  pnmf::NestedGraph nested;
  pnmf::Matrix smoothest;  // the smoothest functions of the cells, once they are known
};

}  // namespace

// The graph stays in the core.
// [[Rcpp::export(rng = false)]]
SEXP numbered_graph_cpp(int cells, Rcpp::List edges) {
  const pnmf::EdgeList list = as_edges(edges);
  std::vector<int> number = pnmf::numbers_by_neighbors(cells, list);
  pnmf::NestedGraph nested(cells, pnmf::renumbered(list, number));
  return Rcpp::XPtr<NumberedGraph>(new NumberedGraph{std::move(number), std::move(nested), {}});
}

// graph: from numbered_graph_cpp(), which keeps the smoothest functions that the first call finds for the others.
// thresholds: ascending. rough, least: see pnmf::TraceSettings.   Value: thresholds x penalties
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix effective_cells_cpp(SEXP graph, Rcpp::NumericVector thresholds, double alpha,
                                        Rcpp::NumericVector lambda, bool rough, double least, int threads) {
  RcppParallelExecutor executor(threads);
  const Rcpp::XPtr<NumberedGraph> cells(graph);
  const pnmf::Vector penalties = pnmf::ConstVectorMap(lambda.begin(), lambda.size());
  const pnmf::TraceSettings settings{rough, least};
  pnmf::Matrix found(thresholds.size(), lambda.size());
  pnmf::EffectiveCells effective_cells(cells->smoothest, executor);
  for (R_xlen_t t = thresholds.size() - 1; t >= 0; --t) {
    found.row(t) = effective_cells.at(pnmf::ScaleGraph(cells->nested, thresholds[t], alpha), penalties, settings);
  }
  cells->smoothest = effective_cells.smoothest();
  return wrap_matrix(found);
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
