#include <Rcpp.h>

#include "pnmf/graph/effective_cells.h"
#include "r_convert.h"
#include "r_executor.h"

// thresholds x penalties
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix effective_cells_cpp(int cells, Rcpp::List edges, Rcpp::NumericVector thresholds, double alpha,
                                        Rcpp::NumericVector lambda, int threads) {
  RcppParallelExecutor executor(threads);
  const pnmf::NestedGraph nested(cells, as_edges(edges));
  const pnmf::Vector penalties = pnmf::ConstVectorMap(lambda.begin(), lambda.size());
  pnmf::Matrix found(thresholds.size(), lambda.size());
  for (R_xlen_t t = 0; t < thresholds.size(); ++t) {
    found.row(t) = pnmf::effective_cells(pnmf::ScaleGraph(nested, thresholds[t], alpha), penalties, executor);
  }
  return wrap_matrix(found);
}

// S B of the graph at a threshold, B: cells x functions
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix smooth_cells_cpp(Rcpp::List edges, double threshold, double alpha, double lambda,
                                     Rcpp::NumericMatrix B, int threads) {
  RcppParallelExecutor executor(threads);
  const pnmf::NestedGraph nested(B.nrow(), as_edges(edges));
  return wrap_transposed(pnmf::smooth(pnmf::ScaleGraph(nested, threshold, alpha), lambda, as_dense(B).transpose(),
                                      pnmf::SmootherSettings(), executor));
}
