#include <Rcpp.h>

#include "pnmf/graph/laplacian_increments.h"
#include "r_convert.h"
#include "r_executor.h"

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector laplacian_increments_cpp(int cells, Rcpp::List edges, Rcpp::NumericVector thresholds, double alpha,
                                             int threads) {
  RcppParallelExecutor executor(threads);
  return Rcpp::wrap(
      pnmf::laplacian_increments(cells, as_edges(edges), Rcpp::as<std::vector<double>>(thresholds), alpha, executor));
}
